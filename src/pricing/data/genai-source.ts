// Price data in the format of genai-prices, from the package or a file, on its way into a table.
// Must stay true: a provider of ours takes the prices of the one named here, and of no other.

import type { ConditionalPrice, MatchLogic, ModelPrice } from '@pydantic/genai-prices'
import { HOUR_WRITE_FACTORS } from './corrections.ts'
import { toRates } from './genai-rates.ts'
import { toTiers, toVersionFrame } from '../book/model-source.ts'
import type { ModelSource, ModelSources, SourceVersion } from '../book/model-source.ts'

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

/** The published files leave out the constraint's type. */
export interface GenaiCondition {
  readonly constraint?:
    | Partial<Record<'start_date' | 'start_time' | 'end_time', string>>
    | undefined
  readonly prices: ModelPrice
}

export interface GenaiModel {
  readonly id: string
  readonly match: MatchLogic
  readonly prices: ModelPrice | readonly GenaiCondition[]
}

export interface GenaiProvider {
  readonly id: string
  readonly models: readonly GenaiModel[]
  readonly fallback_model_providers?: readonly string[] | undefined
}

/** Providers that it does not know are left out. */
export function toGenaiSources(
  findProvider: (genaiId: string) => GenaiProvider | undefined,
): ModelSources {
  const sources = new Map<string, readonly ModelSource[]>()
  for (const [provider, genaiId] of Object.entries(GENAI_IDS)) {
    const own = findProvider(genaiId)
    if (own === undefined) continue
    const lenders = (own.fallback_model_providers ?? []).map((id) => findProvider(id))
    const lent = lenders.flatMap((lender) => lender?.models ?? []).map(withoutFees)
    const models = [...own.models, ...lent].filter(isPriced)
    sources.set(
      provider,
      models.map((model) => toSource(provider, model)),
    )
  }
  return sources
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

function isList(
  prices: GenaiModel['prices'] | ConditionalPrice[],
): prices is readonly GenaiCondition[] {
  return Array.isArray(prices)
}

function toSource(provider: string, { id, match, prices }: GenaiModel): ModelSource {
  return { id, match, readVersions: () => readVersions(provider, id, toConditions(prices)) }
}

function readVersions(
  provider: string,
  modelId: string,
  conditions: readonly GenaiCondition[],
): readonly SourceVersion[] {
  let from: string | null = null
  return conditions.map(({ constraint = {}, prices }) => {
    // Hours belong to the start date before them in the list; the package applies them forever.
    from = constraint.start_date ?? from
    const { start_time: start, end_time: end } = constraint
    const hours = start === undefined || end === undefined ? null : { start, end }
    const rates = toRates(withHourWrites(provider, modelId, prices))
    return { ...toVersionFrame({ from, hours }), tiers: toTiers({ provider, modelId, rates }) }
  })
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
