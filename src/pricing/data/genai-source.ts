// Which of our providers takes which prices of genai-prices. Must stay true: it takes those of the
// one named here, and of no other.

import { toModelSources } from './genai-versions.ts'
import { toConditions } from './model-price.ts'
import type { GenaiModel, GenaiProvider } from './model-price.ts'
import type { ModelSources } from '../tables/model-source.ts'

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

/** Open models, which their maker does not sell: the data has a third party's price for them. */
const NOT_LENT = /^gpt-oss-/

/** Everything in the data that a price may come from. */
export const GENAI_IDS_USED: ReadonlySet<string> = new Set([
  ...Object.values(GENAI_IDS),
  ...Object.values(LENDERS).flat(),
])

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
    const lent = lenders
      .flatMap((lender) => lender?.models ?? [])
      .filter(({ id }) => !NOT_LENT.test(id))
      .map(withoutFees)
    models.set(provider, joinLent(own.models, lent).filter(isPriced))
  }
  return models
}

/** A model of both has the reseller's prices; its tiers are the maker's where the prices are. */
function joinLent(own: readonly GenaiModel[], lent: readonly GenaiModel[]): readonly GenaiModel[] {
  const ids = new Set(own.map(({ id }) => id))
  const joined = own.map((model) => {
    const other = lent.find(({ id }) => id === model.id)
    if (other === undefined || model.variants !== undefined) return model
    const isSame = toText(withoutFees(model).prices) === toText(other.prices)
    return isSame ? { ...model, variants: other.variants } : model
  })
  return [...joined, ...lent.filter(({ id }) => !ids.has(id))]
}

function toText(prices: GenaiModel['prices']): string {
  const conditions = toConditions(prices).map(({ constraint, prices: own }) => {
    const units = Object.keys(own).toSorted()
    return [constraint, units.map((unit) => [unit, own[unit]])]
  })
  return JSON.stringify(conditions)
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
