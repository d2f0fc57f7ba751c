// A listed model's prices by day and service tier, on their way into a table. Must stay true: what
// a variant does not name in its tier costs what it ordinarily does.

import { HOUR_WRITE_FACTORS } from './corrections.ts'
import { toRates } from './genai-rates.ts'
import { toConditions } from './model-price.ts'
import type { GenaiCondition, GenaiModel, ModelPrice, Period, TierVariant } from './model-price.ts'
import { toTiers, toVersionFrame } from '../tables/model-source.ts'
import type { ModelSource, ModelSources, SourceVersion } from '../tables/model-source.ts'
import { STANDARD_TIER } from '../tables/price-table.ts'
import type { PriceOrigin } from '../tables/price-table.ts'
import { toRuleRates } from '../tables/rate-text.ts'

export function toModelSources(models: ReadonlyMap<string, readonly GenaiModel[]>): ModelSources {
  const entries = [...models].map(([provider, list]) => {
    return [provider, list.map((model) => toModelSource(provider, model))] as const
  })
  return new Map(entries)
}

function toModelSource(provider: string, model: GenaiModel): ModelSource {
  const { id, match, variants = [] } = model
  const source = { id, match, readVersions: () => readVersions(provider, model) }
  const own = variants.filter((variant) => variant.source === undefined)
  if (own.length === variants.length) return source
  const first = { ...model, variants: own }
  return { ...source, readFirstSource: () => readVersions(provider, first) }
}

interface DatedPrices {
  readonly from: string | null
  readonly hours: { readonly start: string; readonly end: string } | null
  readonly prices: ModelPrice
}

/** A new one for every day on which the prices, or those of a tier, change. */
function readVersions(provider: string, model: GenaiModel): readonly SourceVersion[] {
  const { id: modelId, variants = [] } = model
  const dated = toDated(toConditions(model.prices))
  const starts = new Set([...dated, ...variants].map(({ from }) => from ?? null))
  return [...starts].toSorted(compareStarts).flatMap((start) => {
    const inForce = variants.filter((variant) => isWithin(variant, start))
    return pricesAt(dated, start).map(({ hours, prices }) => {
      const ordinary = withVariant(prices, inForce, STANDARD_TIER)
      const complete = (all: ModelPrice): ModelPrice => withHourWrites(provider, modelId, all)
      const tiers = [...new Set(inForce.map(({ tier }) => tier))]
        .filter((tier) => tier !== STANDARD_TIER)
        .map((tier) => [tier, complete(withVariant(ordinary, inForce, tier))] as const)
      const rates = toRates(complete(ordinary))
      const all = toTiers({ provider, modelId, rates, tiers: Object.fromEntries(tiers) })
      const frame = toVersionFrame({ from: start, hours })
      if (model.source === undefined) return { ...frame, tiers: all }
      return {
        ...frame,
        tiers: all,
        originOf: (tier) => toOrigin(model, { tier, start, inForce }),
      }
    })
  })
}

interface OriginQuestion {
  readonly tier: string
  readonly start: string | null
  readonly inForce: readonly TierVariant[]
}

function toOrigin(model: GenaiModel, { tier, start, inForce }: OriginQuestion): PriceOrigin {
  const own = inForce.filter((variant) => [tier, STANDARD_TIER].includes(variant.tier))
  const sources = [model.source, ...own.map(({ source }) => source)]
  const others = (model.others ?? []).filter(
    (other) => other.tier === tier && isWithin(other, start),
  )
  return {
    sources: [...new Set(sources.filter((source) => source !== undefined))],
    others: others.map(({ source, prices }) => ({ source, rates: toRuleRates(toRates(prices)) })),
  }
}

/** Hours belong to the start date before them in the list; the package applies them forever. */
function toDated(conditions: readonly GenaiCondition[]): readonly DatedPrices[] {
  let from: string | null = null
  return conditions.map(({ constraint = {}, prices }) => {
    from = constraint.start_date ?? from
    const { start_time: start, end_time: end } = constraint
    return { from, hours: start === undefined || end === undefined ? null : { start, end }, prices }
  })
}

/** Those of the last start until then; a start without all-day prices keeps the ones before. */
function pricesAt(dated: readonly DatedPrices[], start: string | null): readonly DatedPrices[] {
  const started = dated.filter(({ from }) => compareStarts(from, start) <= 0)
  const last = started
    .map(({ from }) => from)
    .toSorted(compareStarts)
    .at(-1)
  return started.filter(({ from }) => from === last)
}

function isWithin({ from, until }: Period, start: string | null): boolean {
  const isEnded = until !== undefined && compareStarts(until, start) <= 0
  return compareStarts(from ?? null, start) <= 0 && !isEnded
}

function compareStarts(one: string | null, other: string | null): number {
  if (one === other) return 0
  return (one ?? '') < (other ?? '') ? -1 : 1
}

function withVariant(
  ordinary: ModelPrice,
  variants: readonly TierVariant[],
  tier: string,
): ModelPrice {
  const own = variants.filter((variant) => variant.tier === tier).toReversed()
  return Object.assign({}, ordinary, ...own.map(({ prices }) => prices)) as ModelPrice
}

function withHourWrites(provider: string, modelId: string, prices: ModelPrice): ModelPrice {
  const rule = HOUR_WRITE_FACTORS[provider]
  if (rule === undefined || !modelId.includes(rule.idPart)) return prices
  const { input_mtok: input, cache_write_mtok: write, cache_write_1h_mtok: hour } = prices
  if (input === undefined || write === undefined || hour !== undefined) return prices
  return { ...prices, cache_write_1h_mtok: multiplyPrice(input, rule.factor) }
}

function multiplyPrice(price: ModelPrice[string], factor: number): ModelPrice[string] {
  if (typeof price !== 'object') return multiply(price ?? 0, factor)
  const tiers = price.tiers.map((tier) => ({ ...tier, price: multiply(tier.price, factor) }))
  return { base: multiply(price.base, factor), tiers }
}

/** Listed prices have few digits; what a float adds behind these is no part of them. */
const DIGITS_MAX = 12

function multiply(price: number, factor: number): number {
  return Number((price * factor).toPrecision(DIGITS_MAX))
}
