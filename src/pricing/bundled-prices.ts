// Compiles the pinned price data of genai-prices, and our corrections, into tables of our own. Only
// the data is used: its calculator works in floats, takes 22 to 125 microseconds and throws on odd
// usage, and its updater, which would reach for the network, is never started.

import { findProvider } from '@pydantic/genai-prices'
import type { ConditionalPrice, ModelInfo, ModelPrice } from '@pydantic/genai-prices'
import { assert } from '../core/assert.ts'
import {
  CORRECTIONS,
  CORRECTIONS_VERSION,
  HOUR_WRITE_FACTORS,
  TIER_PERCENT,
} from './corrections.ts'
import { baseOfNewSnapshot, createMatcher, exactNames } from './model-match.ts'
import type { ModelMatcher } from './model-match.ts'
import { parseRate, scaleTokenRates, STANDARD_TIER } from './price-table.ts'
import type { PriceEntry, PriceTable, PriceVersion, Rate, Rates, TokenUnit } from './price-table.ts'

/** The installed package cannot be asked for its version; a test holds this to package.json. */
export const BUNDLE_VERSION = 'genai-prices@0.1.8'

// Our provider ids and the bundle's. Ids are never guessed from a likeness: an own provider called
// `my-openai` may well charge something else.
const BUNDLE_IDS: Readonly<Record<string, string>> = {
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

const TOKEN_PRICES: Readonly<Record<string, TokenUnit>> = {
  input_mtok: 'input',
  output_mtok: 'output',
  cache_read_mtok: 'cacheRead',
  cache_write_mtok: 'cacheWrite5m',
  cache_write_1h_mtok: 'cacheWrite1h',
  input_audio_mtok: 'inputAudio',
  input_image_mtok: 'inputImage',
  output_reasoning_mtok: 'reasoning',
  output_audio_mtok: 'outputAudio',
  output_image_mtok: 'outputImage',
}

const TOOL_PRICES: Readonly<Record<string, string>> = {
  web_searches_kcount: 'web_search',
  storage_searches_kcount: 'file_search',
}

const MILLION = 1_000_000n
const THOUSAND = 1000n
const FREE_RATES: Rates = Object.freeze({ tokens: {}, toolCalls: {}, request: null, isFree: true })

interface ModelSource {
  readonly id: string
  readonly match: ModelInfo['match']
  /** Null where the model is free of charge. */
  readonly prices: ModelInfo['prices'] | null
}

interface ProviderTable {
  readonly exact: ReadonlyMap<string, readonly PriceVersion[]>
  readonly open: readonly { matches: ModelMatcher; versions: readonly PriceVersion[] }[]
}

/** Corrections first, then the bundle. */
export function createBundledTables(): readonly PriceTable[] {
  const bundle: Record<string, readonly ModelSource[]> = {}
  for (const [provider, bundleId] of Object.entries(BUNDLE_IDS))
    bundle[provider] = readBundle(bundleId).map((model) => withHourWrites(provider, model))
  return [createTable(CORRECTIONS_VERSION, CORRECTIONS), createTable(BUNDLE_VERSION, bundle)]
}

// A model without any price may be free or merely unknown; the bundle does not tell them apart, so
// it is left out. What is known to be free stands in the corrections.
function readBundle(bundleId: string): readonly ModelSource[] {
  const provider = findProvider({ providerId: bundleId })
  assert(provider !== undefined && provider.id === bundleId, `no bundled provider ${bundleId}`)
  const lenders = (provider.fallback_model_providers ?? []).map((id) =>
    findProvider({ providerId: id }),
  )
  const models = [provider, ...lenders].flatMap((source) => source?.models ?? [])
  return models.filter((model) => toConditions(model.prices).some(hasPrices))
}

function withHourWrites(provider: string, model: ModelSource): ModelSource {
  const rule = HOUR_WRITE_FACTORS[provider]
  if (rule === undefined || model.prices === null || !model.id.includes(rule.idPart)) return model
  const prices = toConditions(model.prices).map((condition) => {
    const {
      input_mtok: input,
      cache_write_mtok: write,
      cache_write_1h_mtok: hour,
    } = condition.prices
    if (input === undefined || write === undefined || hour !== undefined) return condition
    const price = multiplyPrice(input, rule.factor)
    return { ...condition, prices: { ...condition.prices, cache_write_1h_mtok: price } }
  })
  return { ...model, prices }
}

// Doubling a float loses nothing, so the figure is as exact as the one it comes from.
function multiplyPrice(price: ModelPrice[string], factor: number): ModelPrice[string] {
  if (typeof price !== 'object') return (price ?? 0) * factor
  const tiers = price.tiers.map((tier) => ({ ...tier, price: tier.price * factor }))
  return { base: price.base * factor, tiers }
}

function hasPrices(condition: ConditionalPrice): boolean {
  return Object.keys(condition.prices).length > 0
}

function toConditions(prices: ModelInfo['prices']): readonly ConditionalPrice[] {
  return Array.isArray(prices) ? prices : [{ prices }]
}

function createTable(
  version: string,
  sources: Readonly<Record<string, readonly ModelSource[]>>,
): PriceTable {
  const tables = new Map<string, ProviderTable>()
  for (const [provider, models] of Object.entries(sources)) {
    tables.set(
      provider,
      createProviderTable(`${version} ${provider}`, models, TIER_PERCENT[provider]),
    )
  }
  return {
    findVersions(provider, model) {
      const table = tables.get(provider)
      return table === undefined ? null : findIn(table, model)
    },
  }
}

// A name that is spelled out beats any pattern; the bundle would take whichever comes first.
function findIn(table: ProviderTable, model: string): readonly PriceVersion[] | null {
  const exact = table.exact.get(model)
  if (exact !== undefined) return exact
  for (const rule of table.open) if (rule.matches(model)) return rule.versions
  const base = baseOfNewSnapshot(model, table.exact.keys())
  return base === null ? null : (table.exact.get(base) ?? null)
}

function createProviderTable(
  label: string,
  models: readonly ModelSource[],
  tiers: Readonly<Record<string, bigint>> = {},
): ProviderTable {
  const exact = new Map<string, readonly PriceVersion[]>()
  const open: ProviderTable['open'][number][] = []
  for (const model of models) {
    const versions = toVersions(`${label}/${model.id}`, model.prices, tiers)
    for (const name of exactNames(model.match)) if (!exact.has(name)) exact.set(name, versions)
    const matches = createMatcher(model.match)
    if (matches !== null) open.push({ matches, versions })
  }
  return { exact, open }
}

function toVersions(
  label: string,
  prices: ModelSource['prices'],
  tiers: Readonly<Record<string, bigint>>,
): readonly PriceVersion[] {
  if (prices === null) {
    return [{ fromMs: -Infinity, hours: null, entries: toEntries(label, FREE_RATES, tiers) }]
  }
  let fromMs = -Infinity
  let start = ''
  return toConditions(prices).map(({ constraint, prices: modelPrice }) => {
    // Hours belong to the start date before them in the list; the bundle lets them hold for ever.
    if (constraint?.type === 'start_date') {
      fromMs = Date.parse(`${constraint.start_date}T00:00:00Z`)
      start = `@${constraint.start_date}`
    }
    const hours =
      constraint?.type === 'time_of_date'
        ? { startMs: toTimeOfDay(constraint.start_time), endMs: toTimeOfDay(constraint.end_time) }
        : null
    const daily = constraint?.type === 'time_of_date' ? `T${constraint.start_time}` : ''
    return { fromMs, hours, entries: toEntries(label + start + daily, toRates(modelPrice), tiers) }
  })
}

function toTimeOfDay(time: string): number {
  const at = Date.parse(`1970-01-01T${time}`)
  assert(Number.isFinite(at), `time of day ${time}`)
  return ((at % DAY_MS) + DAY_MS) % DAY_MS
}

const DAY_MS = 86_400_000

function toEntries(
  version: string,
  rates: Rates,
  tiers: Readonly<Record<string, bigint>>,
): ReadonlyMap<string, PriceEntry> {
  const entries = new Map<string, PriceEntry>()
  entries.set(STANDARD_TIER, { rates, source: 'price-book', version })
  for (const [tier, percent] of Object.entries(tiers)) {
    const tierRates = scaleTokenRates(rates, percent)
    entries.set(tier, { rates: tierRates, source: 'price-book', version: `${version} ${tier}` })
  }
  return entries
}

// Units that no event counts (hours of audio, pages) are passed over: a call billed by them has no
// token rate and so ends up unpriced.
function toRates(prices: ModelPrice): Rates {
  const tokens: Partial<Record<TokenUnit, Rate>> = {}
  const toolCalls: Record<string, Rate> = {}
  let request: Rate | null = null
  for (const [unit, price] of Object.entries(prices)) {
    const tokenUnit = TOKEN_PRICES[unit]
    const tool = TOOL_PRICES[unit]
    if (tokenUnit !== undefined) tokens[tokenUnit] = toRate(price, MILLION)
    else if (tool !== undefined) toolCalls[tool] = toRate(price, THOUSAND)
    else if (unit === 'requests_kcount') request = toRate(price, THOUSAND)
  }
  return { tokens, toolCalls, request, isFree: false }
}

function toRate(price: ModelPrice[string], perUnits: bigint): Rate {
  if (typeof price !== 'object') return { base: requireRate(price, perUnits), steps: [] }
  const steps = price.tiers
    .map((tier) => ({ aboveInput: tier.start, rate: requireRate(tier.price, perUnits) }))
    .toSorted((left, right) => left.aboveInput - right.aboveInput)
  return { base: requireRate(price.base, perUnits), steps }
}

function requireRate(price: number | undefined, perUnits: bigint): bigint {
  const rate = parseRate(price, perUnits)
  assert(rate !== null, `bundled price ${String(price)}`)
  return rate
}
