// Which rates are in force for a provider's model at a moment: the operator's own rates, then their
// factors on listed prices; of corrections, imported data and the bundle, what was published last.
// What none of them knows is null, never zero. Repeated lookups cost two map reads.

import { createBundledTables } from '../data/bundled-prices.ts'
import { createFileTables } from '../data/price-file.ts'
import type { PriceFile } from '../data/price-file.ts'
import { createLocalTable } from './local-table.ts'
import { MODEL_LENGTH_MAX } from './model-match.ts'
import type { PriceRule } from '../../core/price-rule.ts'
import { listPeriods } from './price-history.ts'
import type { PricePeriod } from './price-history.ts'
import { scaleRates } from './price-table.ts'
import type {
  EffectivePrice,
  ListedModel,
  PriceEntry,
  PriceHours,
  PriceTable,
  PriceVersion,
} from './price-table.ts'
import { createRuleTable, findRule, toTier } from './rule-table.ts'
import type { FactorRule, ModelRules } from './rule-table.ts'
import { findMerged } from './table-order.ts'

export interface PriceQuestion {
  readonly provider: string
  readonly model: string
  /** As served; null means the ordinary one. */
  readonly serviceTier: string | null
  /** Where the call is processed; null or absent where that is not known. */
  readonly region?: string | null
  readonly atMs: number
}

export interface PriceBook {
  find(question: PriceQuestion): PriceEntry | null
}

export interface PriceCatalog extends PriceBook {
  /** By service tier; empty where the model is unknown. */
  list(question: Omit<PriceQuestion, 'serviceTier'>): readonly EffectivePrice[]
  listPeriods(question: Omit<PriceQuestion, 'serviceTier'>): readonly PricePeriod[]
  /** A name for each listed model, without what only rules name. */
  listModels(): readonly ListedModel[]
}

export interface PriceBookOptions {
  /** Ties are decided by this order. */
  readonly rules?: readonly PriceRule[]
  readonly imported?: PriceFile | null
  /** Providers that charge nothing where no list has a price. */
  readonly local?: ReadonlySet<string>
  /** By date, then in this order; replaces corrections, imported data and bundle. */
  readonly tables?: readonly PriceTable[]
  /** Names are callers' input, so the cache is bounded; when full, it is cleared. */
  readonly modelsCachedMax?: number
}

const MODELS_CACHED_MAX = 10_000
const DAY_MS = 86_400_000

interface KnownModel {
  readonly rules: ModelRules | null
  /** The last one in force is the right one. */
  readonly versions: readonly PriceVersion[]
  /** By start date, as nearly all are. */
  readonly isSorted: boolean
  readonly multiplied: Map<FactorRule, Map<PriceEntry, PriceEntry>>
}

const UNKNOWN: KnownModel = { rules: null, versions: [], isSorted: true, multiplied: new Map() }

export function createPriceBook(options: PriceBookOptions = {}): PriceCatalog {
  const tables = options.tables ?? createTables(options)
  const rules = createRuleTable(options.rules ?? [])
  const modelsCachedMax = options.modelsCachedMax ?? MODELS_CACHED_MAX
  const cache = new Map<string, Map<string, KnownModel>>()
  let modelsCached = 0

  function lookUp(provider: string, model: string): KnownModel {
    const name = model.trim().toLowerCase()
    if (name.length > MODEL_LENGTH_MAX) return UNKNOWN
    const versions = findMerged(tables, provider, name)
    return {
      rules: rules.rulesFor(provider, name),
      versions,
      isSorted: versions.every(({ fromMs }, at) => fromMs >= (versions[at - 1]?.fromMs ?? fromMs)),
      multiplied: new Map(),
    }
  }

  function know(provider: string, model: string): KnownModel {
    const known = cache.get(provider)?.get(model)
    if (known !== undefined) return known
    const found = lookUp(provider, model)
    if (modelsCached >= modelsCachedMax) {
      cache.clear()
      modelsCached = 0
    }
    const models = cache.get(provider) ?? new Map<string, KnownModel>()
    cache.set(provider, models.set(model, found))
    modelsCached += 1
    return found
  }

  return {
    find: ({ provider, model, serviceTier, atMs }) =>
      findEntry(know(provider, model), toTier(serviceTier), atMs),
    list: ({ provider, model, atMs }) => listEffective(know(provider, model), atMs),
    listPeriods: ({ provider, model, atMs }) => listHistory(know(provider, model), atMs),
    listModels: () => tables.flatMap((table) => table.listModels()),
  }
}

function createTables({ imported = null, local }: PriceBookOptions): readonly PriceTable[] {
  const { corrections, bundle } = createBundledTables()
  return [
    corrections,
    ...(imported === null ? [] : createFileTables(imported)),
    bundle,
    ...(local === undefined ? [] : [createLocalTable(local)]),
  ]
}

function findEntry(known: KnownModel, tier: string, atMs: number): PriceEntry | null {
  const { rules } = known
  if (rules !== null) {
    const own = findRule(rules.rates, tier, atMs)
    if (own !== null) return own.entry
  }
  const listed = findVersionInForce(known, atMs)?.entries.get(tier) ?? null
  return listed === null ? null : toCharged(known, listed, { tier, atMs })
}

function toCharged(
  known: KnownModel,
  listed: PriceEntry,
  { tier, atMs }: { readonly tier: string; readonly atMs: number },
): PriceEntry {
  if (known.rules === null) return listed
  const factor = findRule(known.rules.factors, tier, atMs)
  return factor === null ? listed : multiply(known, listed, factor)
}

function listHistory(known: KnownModel, nowMs: number): readonly PricePeriod[] {
  const { rules, versions } = known
  return listPeriods(
    {
      rules,
      versions,
      toCharged: (listed, tier, atMs) => toCharged(known, listed, { tier, atMs }),
    },
    nowMs,
  )
}

function multiply({ multiplied }: KnownModel, listed: PriceEntry, by: FactorRule): PriceEntry {
  if (listed.rates.isFree) return listed
  const made = multiplied.get(by)?.get(listed)
  if (made !== undefined) return made
  const version = `${by.label} × ${listed.version}`
  const rates = scaleRates(listed.rates, by.factor)
  const entry: PriceEntry = { rates, source: 'override', version }
  const entries = multiplied.get(by) ?? new Map<PriceEntry, PriceEntry>()
  multiplied.set(by, entries.set(listed, entry))
  return entry
}

function listEffective(known: KnownModel, atMs: number): readonly EffectivePrice[] {
  const inForce = findVersionInForce(known, atMs)
  const ruled = (known.rules?.rates ?? []).map(({ tier }) => tier)
  const tiers = new Set([...(inForce?.entries.keys() ?? []), ...ruled])
  return [...tiers].flatMap((tier): EffectivePrice[] => {
    const entry = findEntry(known, tier, atMs)
    if (entry === null) return []
    const own = findRule(known.rules?.rates ?? [], tier, atMs)
    if (own !== null) {
      const { effectiveFrom: fromMs, model: matched } = own.rule
      return [{ tier, entry, fromMs, hours: null, matched }]
    }
    const { hours = null, modelId = '' } = inForce ?? {}
    const fromMs = findSince(known.versions, inForce, tier)
    return [{ tier, entry, fromMs, hours, matched: modelId }]
  })
}

/** Later versions may differ in other tiers only. */
function findSince(
  versions: readonly PriceVersion[],
  inForce: PriceVersion | null,
  tier: string,
): number | null {
  const entry = inForce?.entries.get(tier)
  const first = versions.find((version) => version.entries.get(tier) === entry) ?? inForce
  return first !== null && Number.isFinite(first.fromMs) ? first.fromMs : null
}

function findVersionInForce({ versions, isSorted }: KnownModel, atMs: number): PriceVersion | null {
  let index = isSorted ? lastStarted(versions, atMs) : versions.length - 1
  for (; index >= 0; index -= 1) {
    const version = versions[index] as PriceVersion
    if (atMs >= version.fromMs && isWithin(version.hours, atMs)) return version
  }
  return null
}

/** A binary search: a price that changes with the days of the week has hundreds of versions. */
function lastStarted(versions: readonly PriceVersion[], atMs: number): number {
  let low = 0
  let high = versions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((versions[middle] as PriceVersion).fromMs <= atMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

function isWithin(hours: PriceHours | null, atMs: number): boolean {
  if (hours === null) return true
  const time = atMs % DAY_MS
  const { startMs, endMs } = hours
  return startMs <= endMs ? time >= startMs && time < endMs : time >= startMs || time < endMs
}
