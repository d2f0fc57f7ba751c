// Makes one price list of two sources: the first one's models, and from the second what the first
// does not have. Must stay true: where both have a price and differ, the list of choices decides,
// and what the other one says stays beside it.

import { createListTable } from '../../src/pricing/tables/list-table.ts'
import { isGlobMatch } from '../../src/pricing/tables/model-source.ts'
import type { PriceTable, Rates } from '../../src/pricing/tables/price-table.ts'
import { isUnknown, RATE_DIGITS, STANDARD_TIER } from '../../src/pricing/tables/price-table.ts'
import { formatDecimal, MILLION } from '../../src/pricing/tables/rate-text.ts'
import { TOKEN_PRICE_UNITS, toTokenUnit } from '../../src/pricing/data/genai-rates.ts'
import { toModelSources } from '../../src/pricing/data/genai-versions.ts'
import type {
  GenaiModel,
  ModelPrice,
  OtherFigures,
  TierVariant,
} from '../../src/pricing/data/model-price.ts'
import type { Choice, SourceName } from './choices.ts'
import { compareRates } from './compare-rates.ts'
import type { MappedModel } from './litellm-map.ts'

export const FIRST: SourceName = 'genai-prices'
export const SECOND: SourceName = 'LiteLLM'

export type ModelLists = ReadonlyMap<string, readonly GenaiModel[]>

export interface MergeOptions {
  readonly first: ModelLists
  readonly second: readonly MappedModel[]
  readonly choices: readonly Choice[]
  /** Of prices that change, the one in force then is compared. */
  readonly atMs: number
}

/** What the second source adds to a model, or says differently. */
interface Addition {
  readonly variants: readonly TierVariant[]
  readonly others: readonly OtherFigures[]
}

interface NamedAddition extends Addition {
  readonly model: string
}

export function mergeSources({ first, second, choices, atMs }: MergeOptions): ModelLists {
  const table = createListTable('first', toModelSources(first))
  const merged = new Map<string, readonly GenaiModel[]>()
  const byProvider = Map.groupBy(withoutRepeats(second), ({ provider }) => provider)
  for (const [provider, models] of first) {
    const fresh: GenaiModel[] = []
    const additions = new Map<string, NamedAddition[]>()
    for (const mapped of byProvider.get(provider) ?? []) {
      const found = findCurrent(table, mapped, atMs)
      if (found === null) {
        if (!mapped.isBilledOtherwise) fresh.push(toNewModel(mapped))
        continue
      }
      const addition = compare(mapped, found, choices)
      const named = additions.get(found.modelId) ?? []
      additions.set(found.modelId, [...named, { model: mapped.model, ...addition }])
    }
    merged.set(provider, [...addTo(models, additions), ...fresh])
  }
  return merged
}

/** A model that is listed twice, under two of their providers: the first is the nearer one. */
function withoutRepeats(second: readonly MappedModel[]): readonly MappedModel[] {
  const models = new Map<string, MappedModel>()
  for (const mapped of second) {
    if (mapped.tiers.size === 0) continue
    const key = JSON.stringify([mapped.provider, mapped.model.toLowerCase()])
    const before = models.get(key)
    const tiers = new Map([...mapped.tiers, ...(before?.tiers ?? [])])
    models.set(key, { ...(before ?? mapped), tiers })
  }
  return [...models.values()]
}

interface Current {
  readonly modelId: string
  /** The days from which it is in force, and from which another price is. */
  readonly period: { readonly from?: string; readonly until?: string }
  readonly tiers: ReadonlyMap<string, Rates>
}

function findCurrent(
  table: PriceTable,
  { provider, model }: MappedModel,
  atMs: number,
): Current | null {
  const versions = table.findVersions(provider, model.toLowerCase()) ?? []
  const current = versions.findLast(({ fromMs, hours }) => fromMs <= atMs && hours === null)
  if (current === undefined) return null
  const entries = [...current.entries].filter(([, { rates }]) => !isUnknown(rates))
  if (entries.length === 0) return null
  const { fromMs, modelId } = current
  const next = versions.find((version) => version.fromMs > atMs)
  return {
    modelId,
    period: {
      ...(Number.isFinite(fromMs) ? { from: toDay(fromMs) } : {}),
      ...(next === undefined ? {} : { until: toDay(next.fromMs) }),
    },
    tiers: new Map(entries.map(([tier, { rates }]) => [tier, rates])),
  }
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

function toNewModel({ model, tiers }: MappedModel): GenaiModel {
  const variants = [...tiers]
    .filter(([tier]) => tier !== STANDARD_TIER)
    .map(([tier, prices]) => ({ tier, prices }))
  return {
    id: model.toLowerCase(),
    match: { equals: model.toLowerCase() },
    prices: tiers.get(STANDARD_TIER) ?? {},
    ...(variants.length === 0 ? {} : { variants }),
    source: SECOND,
  }
}

function compare(mapped: MappedModel, found: Current, choices: readonly Choice[]): Addition {
  const variants: TierVariant[] = []
  const others: OtherFigures[] = []
  for (const [tier, said] of mapped.tiers) {
    const ours = found.tiers.get(tier)
    const place = { tier, ...found.period }
    if (ours === undefined) {
      variants.push({ ...place, prices: said, source: SECOND })
      continue
    }
    const verdicts = [...compareRates(said, ours, tier === STANDARD_TIER)]
    const missing = verdicts.filter(([, verdict]) => verdict === 'missing').map(([unit]) => unit)
    const different = verdicts.filter(([, verdict]) => verdict !== 'equal').map(([unit]) => unit)
    if (different.length === 0) continue
    const isFilled = missing.length === different.length
    const follow = findChoice(choices, mapped, tier)?.follow ?? (isFilled ? SECOND : FIRST)
    if (follow === SECOND) {
      const prices = { ...toPrices(ours), ...pick(said, different) }
      variants.push({ ...place, prices, source: SECOND })
      if (!isFilled)
        others.push({ ...place, source: FIRST, prices: pick(toPrices(ours), different) })
    } else others.push({ ...place, source: SECOND, prices: pick(said, different) })
  }
  return { variants, others }
}

export function findChoice(
  choices: readonly Choice[],
  { provider, model }: Pick<MappedModel, 'provider' | 'model'>,
  tier: string,
): Choice | undefined {
  return choices.find(
    ({ provider: own, models, tiers }) =>
      own === provider &&
      (tiers === undefined || tiers.includes(tier)) &&
      models.some((glob) => isGlobMatch(glob.toLowerCase().split('*'), model.toLowerCase())),
  )
}

function pick(prices: ModelPrice, units: readonly string[]): ModelPrice {
  const entries = units.map((unit) => [unit, prices[unit]] as const)
  return Object.fromEntries(entries.filter(([, price]) => price !== undefined))
}

/** Rates in the form of price data: USD for a million. */
function toPrices({ tokens }: Rates): ModelPrice {
  const entries = TOKEN_PRICE_UNITS.flatMap((unit) => {
    const kind = toTokenUnit(unit)
    const rate = kind === null ? undefined : tokens[kind]
    if (rate === undefined) return []
    const base = toMillion(rate.base)
    const tiers = rate.steps.map((step) => ({
      start: step.aboveInput,
      price: toMillion(step.rate),
    }))
    return [[unit, tiers.length === 0 ? base : { base, tiers }] as const]
  })
  return Object.fromEntries(entries)
}

function toMillion(rate: bigint): number {
  return Number(formatDecimal(rate * MILLION, RATE_DIGITS))
}

/**
 * To the model itself where it is certain that all its names agree; else to copies by name. Another
 * price is never given to names that were not compared: a model may have snapshots and aliases.
 */
function addTo(
  models: readonly GenaiModel[],
  additions: ReadonlyMap<string, readonly NamedAddition[]>,
): readonly GenaiModel[] {
  return models.flatMap((model, at) => {
    const isFirst = models.findIndex(({ id }) => id === model.id) === at
    const named = isFirst ? (additions.get(model.id) ?? []) : []
    const kinds = Map.groupBy(named, ({ variants, others }) => JSON.stringify([variants, others]))
    const isOnly = models.filter(({ id }) => id === model.id).length === 1
    const [first] = named
    const isReplaced = first?.others.some(({ source }) => source === FIRST) === true
    if (first !== undefined && kinds.size === 1 && isOnly && !isReplaced) {
      return [withAddition(model, first)]
    }
    const apart = named.filter(({ variants, others }) => variants.length + others.length > 0)
    // They keep the id, by which fees and tiers are found.
    const copies = apart.map((addition) => {
      const match = { equals: addition.model.toLowerCase() }
      return withAddition({ ...model, match }, addition)
    })
    // Of two that spell out the same name, the first has it.
    return [...copies, model]
  })
}

function withAddition(model: GenaiModel, { variants, others }: Addition): GenaiModel {
  const all = [...variants, ...(model.variants ?? [])]
  return {
    ...model,
    ...(all.length === 0 ? {} : { variants: all }),
    ...(others.length === 0 ? {} : { others }),
  }
}
