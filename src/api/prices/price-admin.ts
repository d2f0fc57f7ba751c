// Prices for the API. Must stay true: the price tables are those that calls are priced by, rebuilt
// when the settings change, and one repricing runs at a time.

import { compareText } from '../compare-text.ts'
import { oneAtATime } from '../questions/one-at-a-time.ts'
import { toCostToday } from '../requests/cost-today.ts'
import type { Analysis, ListedPrice, ModelPrice, PriceUpdateRequest } from '../contract.ts'
import { toHistory, toOrigin, toSince } from './price-history.ts'
import type { PriceSubject } from './price-history.ts'
import { assert } from '../../core/assert.ts'
import { nearestWord } from '../../core/nearest-word.ts'
import type { PriceUpdateResult } from '../../core/telemetry.ts'
import type { NewPriceRule } from '../../core/price-rule.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { Actor } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import { isUnknown, STANDARD_TIER } from '../../pricing/tables/price-table.ts'
import { toRuleRates } from '../../pricing/tables/rate-text.ts'
import { findRuleFaults } from '../../pricing/tables/rule-faults.ts'
import { findCallDifferences } from '../../pricing/tables/source-differences.ts'
import { ADDRESSES } from '../../providers/directory.ts'
import { follow } from '../../store/settings/follow.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import { ALL_MONTHS } from '../../store/usage/usage-store.ts'
import { findKnownProvider } from '../keys/key-check.ts'
import type { Config } from '../../config/config.ts'
import {
  toMissingAnswer,
  toPriceDataAnswer,
  toRateAnswers,
  toRepriceAnswer,
  toRepricingAnswer,
  toRuleAnswer,
} from './price-rows.ts'
import { toImportReport } from './import-report.ts'
import { createPriceImports } from './price-imports.ts'
import type { PriceImportsOptions } from './price-imports.ts'
import { toUpdateAnswer } from './price-update-answer.ts'
import { createConfiguredTables } from '../../pricing/service/configured-tables.ts'
import type { PriceCatalog } from '../../pricing/service/configured-tables.ts'
import { describePriceData, listPrices } from '../../pricing/service/price-list.ts'
import type { PriceList } from '../../pricing/service/price-list.ts'
import { listMissingPrices } from '../../pricing/service/price-missing.ts'
import { repriceRecorded } from '../../pricing/service/price-reprice.ts'
import { updatePrices } from '../../pricing/service/price-update.ts'
import type { RepriceScope } from '../../ledger/past-calls/reprice.ts'
import type { Expected } from '../../store/settings/changed-meanwhile.ts'
import { readProviderCosts } from '../../config/provider-costs.ts'
import { readConfiguredRules } from '../../config/price-rules-file.ts'

export interface PriceAdminOptions extends PriceImportsOptions {
  readonly countUpdate?: (result: PriceUpdateResult) => void
  /** Called with the calls that a repricing has looked at. */
  readonly onProgress?: (looked: number) => void
  /** Nobody else waits for this thread. */
  readonly isAlone?: boolean
}

/** Prices vary with the hour, and listing them all takes some 30 ms. */
const LISTED_MS = 60_000

/** Some 20 ms, during which other requests wait: of a repricing, and of a day's calls. */
const STEPS = { stepRecordsMax: 250, dayCallsMax: 250 }
const REPRICINGS_MAX = 100

interface Loaded {
  readonly settings: PriceSettings
  readonly rules: PriceList['rules']
  readonly priceTables: PriceCatalog
  models: { readonly rows: readonly ModelPrice[]; readonly atMs: number } | null
}

export interface RepriceQuestion extends RepriceScope {
  readonly isApplied: boolean
}

/** The calls of a model within some days. */
export type ModelUse = PriceSubject &
  Pick<Analysis['rows'][number], 'requests' | 'errors' | 'cost_usd' | 'unpriced'>

export type PriceAdmin = ReturnType<typeof createPriceAdmin>

export function createPriceAdmin(options: PriceAdminOptions) {
  const { config, settings, usage, clock } = options
  const load = createLoader(options)
  const steps = options.isAlone === true ? {} : STEPS
  return {
    ...createPriceImports({ ...options, ...steps }),
    /** By provider and name. */
    listModels: async () => listModels(await load(), clock.now()),
    listPrices: async (uses: readonly ModelUse[]) => listUsedFirst(await load(), uses, options),
    readData: async () =>
      toPriceDataAnswer(describePriceData((await load()).settings, { config, nowMs: clock.now() })),
    /**
     * What the list that prices a model calls it, whichever of its names is given: two names with
     * the same one are the same model. Null where it has no price.
     */
    findListedName: async ({ provider, model }: PriceSubject) => {
      const subject = { provider, model: model.toLowerCase(), atMs: clock.now() }
      const [price] = (await load()).priceTables.list(subject)
      if (price === undefined) return null
      // The pattern of a rule says nothing about whose name it is.
      return price.entry.source === 'override' ? subject.model : price.matched
    },
    /** Without periods for an unknown model. `at` decides which are current; left out: now. */
    readHistory: async ({
      at = clock.now(),
      ...subject
    }: PriceSubject & { at?: number | undefined }) =>
      toHistory((await load()).priceTables, subject, at),
    /** Where the sources differ about the prices of a call, if they are in today's book. */
    findDifferences: async (record: UsageRecord) =>
      findCallDifferences(record, (await load()).priceTables),
    quoteToday: async (record: UsageRecord) => toCostToday(record, (await load()).priceTables),
    async listRules() {
      const { rules } = await load()
      return rules.map(({ rule, origin }) => toRuleAnswer(rule, origin))
    },
    /** Throws `invalid_parameter` with all faults; `ChangedMeanwhile` as the store does. */
    async setRule(rule: NewPriceRule, actor: Actor, expected: Expected) {
      const faults = [...findRuleFaults(rule), ...findProviderFaults(rule, config)]
      if (faults.length > 0) {
        throw new WeirError('invalid_parameter', `The price ${faults.join('; it ')}.`)
      }
      return toRuleAnswer(await settings.as(actor).prices.set(rule, expected), 'command')
    },
    /** Null where there is none. Throws `invalid_argument` for a rule of the configuration. */
    async removeRule(id: string, actor: Actor) {
      const removed = await settings.as(actor).prices.remove(id)
      if (removed !== null) return toRuleAnswer(removed, 'command')
      refuseConfigured(id, config)
      return null
    },
    /** Most requests first. */
    async listMissing() {
      const { priceTables } = await load()
      const missing = await listMissingPrices({ usage, config, priceTables, nowMs: clock.now() })
      return missing.map(toMissingAnswer)
    },
    /** Throws `conflict` while another one runs, and for data that was not checked before. */
    update: oneAtATime(
      'The price data is being updated already.',
      (asked: PriceUpdateRequest, actor: Actor) => update(asked, actor, { ...options, ...steps }),
    ),
    /** Throws `conflict` while another one runs. */
    reprice: oneAtATime(
      REPRICING,
      async ({ isApplied, ...scope }: RepriceQuestion, actor: Actor) => {
        await requireProvider(options, scope.provider)
        const { priceTables } = await load()
        const asked = { scope, isApplied, who: actor.name, settings: settings.as(actor) }
        return toRepriceAnswer(
          await repriceRecorded({
            ...options,
            ...asked,
            priceTables,
            ...steps,
          }),
        )
      },
    ),
    /** The newest first. */
    listRepricings: async () =>
      (await usage.upkeep.listRepricings(REPRICINGS_MAX)).map(toRepricingAnswer),
  }
}

/** The current price tables; cheap where nothing has changed. */
function createLoader({ config, settings, clock }: PriceAdminOptions): () => Promise<Loaded> {
  const { prices } = settings
  let loaded: Loaded | null = null
  const look = follow({
    readChanges: (revision) => prices.readChanges(revision),
    none: -1,
    take: (now) => {
      loaded = make(now)
    },
  })
  function make(now: PriceSettings): Loaded {
    const { rules } = listPrices(now, { config, nowMs: clock.now() })
    return { settings: now, rules, priceTables: createConfiguredTables(now, config), models: null }
  }
  return async () => {
    await look()
    assert(loaded !== null, 'prices were read')
    return loaded
  }
}

function listModels(known: Loaded, atMs: number): readonly ModelPrice[] {
  const { models } = known
  if (models !== null && models.atMs <= atMs && atMs < models.atMs + LISTED_MS) return models.rows
  const rows = toModelPrices(known, atMs)
  known.models = { rows, atMs }
  return rows
}

/** Models of the price lists, and those that a rule spells out. */
function toModelPrices({ rules, priceTables }: Loaded, atMs: number): readonly ModelPrice[] {
  const ruled = rules.map(({ rule }) => rule).filter(({ model }) => !model.includes('*'))
  const subjects = new Map(
    [...priceTables.listModels(), ...ruled].map((subject) => [toName(subject), subject]),
  )
  return [...subjects.values()]
    .flatMap((subject) => toModelPrice(subject, priceTables, atMs) ?? [])
    .toSorted(
      (one, other) =>
        compareText(one.provider, other.provider) || compareText(one.model, other.model),
    )
}

/** Null without a price. */
function toModelPrice(
  { provider, model }: PriceSubject,
  priceTables: PriceCatalog,
  atMs: number,
): ModelPrice | null {
  const current = priceTables
    .list({ provider, model: model.toLowerCase(), atMs })
    .find(({ tier }) => tier === STANDARD_TIER)
  if (current === undefined || isUnknown(current.entry.rates)) return null
  const { rates, source } = current.entry
  return {
    provider,
    model,
    source,
    since: toSince(current.fromMs),
    is_free: rates.isFree,
    is_override: source === 'override',
    rates: toRateAnswers(toRuleRates(rates)),
    ...toOrigin(current.entry),
  }
}

/** All models: those that were used first, by what they need, then as `uses` has them. */
function listUsedFirst(
  known: Loaded,
  uses: readonly ModelUse[],
  { config, clock }: Pick<PriceAdminOptions, 'config' | 'clock'>,
): readonly ListedPrice[] {
  const nowMs = clock.now()
  const { stating } = readProviderCosts(config)
  const used = uses
    // Names that the provider never answered are mistyped ones.
    .filter(({ requests, errors }) => requests > errors)
    .map((use) => toUsedModel(use, { ...known, stating, nowMs }))
  const names = new Set(used.map(toName))
  const rest = listModels(known, nowMs).filter((row) => !names.has(toName(row)))
  return [
    ...used.filter((row) => row.used?.wants != null),
    ...used.filter((row) => row.used?.wants == null),
    ...rest.map((row) => ({ ...row, used: null })),
  ]
}

interface UsedFacts extends Pick<Loaded, 'priceTables'> {
  /** Providers whose responses state the cost. */
  readonly stating: ReadonlySet<string>
  readonly nowMs: number
}

function toUsedModel(
  { provider, model, requests, cost_usd, unpriced }: ModelUse,
  { priceTables, stating, nowMs }: UsedFacts,
): ListedPrice {
  const price = toModelPrice({ provider, model }, priceTables, nowMs)
  const toWants = () => {
    if (unpriced === 0) return null
    if (price !== null) return 'reprice'
    return stating.has(provider) ? null : 'price'
  }
  const used = { requests, cost_usd, unpriced, wants: toWants() } as const
  return { ...(price ?? { provider, model, ...NO_PRICE }), used }
}

const NO_PRICE = {
  source: 'unpriced',
  since: null,
  is_free: false,
  is_override: false,
  rates: [],
  sources: [],
  differs: [],
} satisfies Omit<ModelPrice, keyof PriceSubject>

function toName({ provider, model }: PriceSubject): string {
  return JSON.stringify([provider, model.toLowerCase()])
}

/** Each continues `The price …`. */
function findProviderFaults({ provider }: NewPriceRule, config: Config): readonly string[] {
  const known = [...new Set([...Object.keys(ADDRESSES), ...Object.keys(config.providers)])]
  if (known.includes(provider)) return []
  const nearest = nearestWord(provider, known)
  const hint = nearest === null ? `there are: ${known.join(', ')}` : `the nearest is ${nearest}`
  return [`names a provider that is not there; ${hint}`]
}

function refuseConfigured(id: string, config: Config): void {
  if (!readConfiguredRules(config).some((each) => each.id === id)) return
  throw new WeirError('invalid_argument', 'This rule comes from the configuration.', {
    hint: `Take it out of ${config.prices.file}, then restart Weir or send it SIGHUP.`,
  })
}

/**
 * Throws, and suggests the nearest id: a typing error must not look like a period without calls. A
 * provider that was taken out of the configuration still has its calls.
 */
async function requireProvider(
  { config, usage }: Pick<PriceAdminOptions, 'config' | 'usage'>,
  id: string | null,
): Promise<void> {
  if (id === null) return
  const grouping = { by: 'provider' } as const
  const sums = await usage.sum({ period: ALL_MONTHS, grouping, keyId: null, isCostOnly: true })
  if (!sums.some(({ label }) => label === id)) findKnownProvider(config, id)
}

const REPRICING = 'Calls are being repriced already, one run at a time.'

async function update(
  { check = false, force = false, version, report = false }: PriceUpdateRequest,
  actor: Actor,
  { settings, countUpdate, ...options }: PriceAdminOptions,
) {
  const outcome = await updatePrices({
    ...options,
    settings: settings.as(actor),
    who: actor.name,
    mode: check ? 'check' : force ? 'force' : 'apply',
    expectedVersion: version,
  })
  countUpdate?.(outcome.kind)
  const answer = toUpdateAnswer(outcome)
  if (!report || !('checked' in outcome)) return answer
  const isImported = outcome.kind === 'applied'
  return { ...answer, report: toImportReport({ ...outcome, isImported }) }
}
