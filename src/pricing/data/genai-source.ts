// Price data in the format of genai-prices, from the package or a file, on its way into a table.
// Must stay true: a provider of ours takes the prices of the one named here, and of no other.

import type { MatchLogic, ModelPrice } from './model-price.ts'
import { HOUR_WRITE_FACTORS } from './corrections.ts'
import { toRates } from './genai-rates.ts'
import { toTiers, toVersionFrame } from '../book/model-source.ts'
import type { ModelSource, ModelSources, SourceVersion } from '../book/model-source.ts'
import { STANDARD_TIER } from '../book/price-table.ts'
import type { PriceOrigin } from '../book/price-table.ts'
import { toRuleRates } from '../book/rate-text.ts'

// Our provider ids and theirs, never guessed from similar names: a custom provider called
// `my-openai` may well charge something else.
export const GENAI_IDS: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  vertex: 'google',
  azure: 'azure',
  bedrock: 'aws',
  mistral: 'mistral',
  deepseek: 'deepseek',
  groq: 'groq',
  xai: 'x-ai',
  cohere: 'cohere',
  openrouter: 'openrouter',
  perplexity: 'perplexity',
  together: 'together',
  fireworks: 'fireworks',
  cerebras: 'cerebras',
}

/**
 * Whose models are sold at their maker's prices. All others that Azure and Vertex sell have prices
 * of their own, which are not those of the maker: DeepSeek-R1 costs ten times as much at Azure.
 */
const LENDERS: Readonly<Record<string, readonly string[]>> = {
  azure: ['openai', 'anthropic'],
  vertex: ['anthropic'],
}

/** Everything in the data that a price may come from. */
export const GENAI_IDS_USED: ReadonlySet<string> = new Set([
  ...Object.values(GENAI_IDS),
  ...Object.values(LENDERS).flat(),
])

/** The published files leave out the constraint's type. */
export interface GenaiCondition {
  readonly constraint?:
    | Partial<Record<'start_date' | 'start_time' | 'end_time', string>>
    | undefined
  readonly prices: ModelPrice
}

interface Period {
  /** The first day, and the first after it. */
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/** What differs from the ordinary prices in a service tier. */
export interface TierVariant extends Period {
  readonly tier: string
  readonly prices: ModelPrice
  /** Where it is from, if not from where the model is. */
  readonly source?: string | undefined
}

/** What another source says about a model, where it says something else. */
export interface OtherFigures extends Period {
  readonly tier: string
  readonly source: string
  readonly prices: ModelPrice
}

export interface GenaiModel {
  readonly id: string
  readonly match: MatchLogic
  readonly prices: ModelPrice | readonly GenaiCondition[]
  /** Of several for the same tier, unit and moment, the first applies. */
  readonly variants?: readonly TierVariant[] | undefined
  readonly source?: string | undefined
  readonly others?: readonly OtherFigures[] | undefined
}

export interface GenaiProvider {
  readonly id: string
  readonly models: readonly GenaiModel[]
}

/** Providers that it does not know are left out. */
export function toGenaiSources(providers: ReadonlyMap<string, GenaiProvider>): ModelSources {
  return toModelSources(toOwnModels(providers))
}

/** By our provider, with what is lent to it. */
export function toOwnModels(
  providers: ReadonlyMap<string, GenaiProvider>,
): ReadonlyMap<string, readonly GenaiModel[]> {
  const models = new Map<string, readonly GenaiModel[]>()
  for (const [provider, genaiId] of Object.entries(GENAI_IDS)) {
    const own = providers.get(genaiId)
    if (own === undefined) continue
    const lenders = (LENDERS[provider] ?? []).map((id) => providers.get(id))
    const lent = lenders.flatMap((lender) => lender?.models ?? []).map(withoutFees)
    models.set(provider, [...own.models, ...lent].filter(isPriced))
  }
  return models
}

export function toModelSources(models: ReadonlyMap<string, readonly GenaiModel[]>): ModelSources {
  const entries = [...models].map(([provider, list]) => {
    return [provider, list.map((model) => toModelSource(provider, model))] as const
  })
  return new Map(entries)
}

// A reseller with the same token prices has its own tools, at other fees: a search at Azure is not
// one at OpenAI. Without a fee such a call is unpriced.
function withoutFees(model: GenaiModel): GenaiModel {
  const prices = toConditions(model.prices).map((condition) => ({
    ...condition,
    prices: Object.fromEntries(
      Object.entries(condition.prices).filter(([unit]) => !unit.endsWith('_kcount')),
    ),
  }))
  return { ...model, prices }
}

// A model without any price may be free or unknown, and the data does not say which: it is left
// out. What is known to be free is in the corrections. An empty list stands for prices that could
// not be read: the model stays, so that its name is not taken for another's.
function isPriced({ prices }: GenaiModel): boolean {
  const conditions = toConditions(prices)
  return conditions.length === 0 || conditions.some((each) => Object.keys(each.prices).length > 0)
}

export function toConditions(prices: GenaiModel['prices']): readonly GenaiCondition[] {
  return isList(prices) ? prices : [{ prices }]
}

function isList(prices: GenaiModel['prices']): prices is readonly GenaiCondition[] {
  return Array.isArray(prices)
}

function toModelSource(provider: string, model: GenaiModel): ModelSource {
  return { id: model.id, match: model.match, readVersions: () => readVersions(provider, model) }
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
      const ordinary = withVariant(
        withHourWrites(provider, modelId, prices),
        inForce,
        STANDARD_TIER,
      )
      const tiers = [...new Set(inForce.map(({ tier }) => tier))]
        .filter((tier) => tier !== STANDARD_TIER)
        .map((tier) => [tier, withVariant(ordinary, inForce, tier)] as const)
      const rates = toRates(ordinary)
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

// Doubling a float loses nothing.
function multiplyPrice(price: ModelPrice[string], factor: number): ModelPrice[string] {
  if (typeof price !== 'object') return (price ?? 0) * factor
  const tiers = price.tiers.map((tier) => ({ ...tier, price: tier.price * factor }))
  return { base: price.base * factor, tiers }
}
