// Reads LiteLLM's price map, as the second source of prices. Must stay true: a name is taken only
// where it is certain which of our providers' models is meant, and a figure only where it is known
// what it is for. A model whose figures are all zero has no price there, rather than none to pay.

import type { ModelPrice, SteppedPrice } from '../../src/pricing/data/model-price.ts'

export interface MappedModel {
  /** As in the map. */
  readonly name: string
  readonly provider: string
  readonly model: string
  readonly mode: string
  /** It is also billed by something that no call is counted by, such as seconds of video. */
  readonly isBilledOtherwise: boolean
  /** Per tier: `standard`, `batch`, `data-zone-eu`, `batch+data-zone-eu`, a Bedrock region. */
  readonly tiers: ReadonlyMap<string, ModelPrice>
}

interface Entry {
  readonly litellm_provider?: unknown
  readonly mode?: unknown
}

/** Ours by theirs. What begins with `vertex_ai` is Vertex, whichever maker follows. */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai',
  'text-completion-openai': 'openai',
  azure: 'azure',
  azure_text: 'azure',
  azure_ai: 'azure',
  anthropic: 'anthropic',
  bedrock: 'bedrock',
  bedrock_converse: 'bedrock',
  bedrock_mantle: 'bedrock',
  gemini: 'google',
  mistral: 'mistral',
  codestral: 'mistral',
  deepseek: 'deepseek',
  groq: 'groq',
  xai: 'xai',
  cohere: 'cohere',
  cohere_chat: 'cohere',
  perplexity: 'perplexity',
  together_ai: 'together',
  fireworks_ai: 'fireworks',
  'fireworks_ai-embedding-models': 'fireworks',
  cerebras: 'cerebras',
}

/** Theirs, and never a second one: `groq/openai/gpt-oss-120b` is `openai/gpt-oss-120b` at Groq. */
const PREFIX =
  /^(?:openai|azure|azure_ai|bedrock|bedrock_mantle|gemini|vertex_ai|mistral|codestral|deepseek|groq|xai|cohere|perplexity|together_ai|fireworks_ai|cerebras)\//

/** What stands between that and the name: a way to call Bedrock, and a maker's name at Vertex. */
const BEFORE_NAME: Readonly<Record<string, RegExp>> = {
  bedrock: /^(?:converse|invoke)\//,
  // Our reader leaves it out too: the same model has no maker in other paths.
  vertex: /^[\w-]+\/(?=[^/]+$)/,
}

const STANDARD = 'standard'
const BEDROCK_REGION = /^[a-z]{2}(?:-gov)?-[a-z]+-\d\//
/** Azure's deployments: worldwide, or in a data zone. */
const AZURE_ZONES: Readonly<Record<string, string>> = {
  'global/': STANDARD,
  'global-standard/': STANDARD,
  'eu/': 'data-zone-eu',
  'us/': 'data-zone-us',
}

// Classes of size that it prices by, containers and commitments are no names of models; other
// makers' models at Azure are in the map a second time, with the newer price.
const NO_MODEL =
  /^together-ai-|^fireworks-ai-|-commitment\/|(?:^|\/)container$|\*|^azure\/(?:mistral|command)-/

const UNITS: Readonly<Record<string, string>> = {
  input_cost_per_token: 'input_mtok',
  output_cost_per_token: 'output_mtok',
  cache_read_input_token_cost: 'cache_read_mtok',
  input_cost_per_token_cache_hit: 'cache_read_mtok',
  cache_creation_input_token_cost: 'cache_write_mtok',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h_mtok',
  input_cost_per_audio_token: 'input_audio_mtok',
  output_cost_per_audio_token: 'output_audio_mtok',
  input_cost_per_image_token: 'input_image_mtok',
  output_cost_per_image_token: 'output_image_mtok',
  output_cost_per_reasoning_token: 'output_reasoning_mtok',
  cache_read_input_audio_token_cost: 'cache_audio_read_mtok',
  cache_read_input_image_token_cost: 'cache_image_read_mtok',
}

const UNCOUNTED =
  /^(?:(?:in|out)put_)?cost_per_(?:second|request|query|video|audio_per_second|text_message)|^input_cost_per_image$|^citation_/

const FIGURE = /^(.+?)(?:_above_(\d+)k_tokens)?(?:_(priority|flex|batches|ultrafast))?$/
const TIERS: Readonly<Record<string, string>> = { batches: 'batch' }

export function readLitellmMap(json: unknown): readonly MappedModel[] {
  if (typeof json !== 'object' || json === null) throw new Error('The map is not a JSON object.')
  return Object.entries(json).flatMap(([name, entry]: [string, unknown]): MappedModel[] => {
    if (typeof entry !== 'object' || entry === null) return []
    const { litellm_provider: theirs, mode } = entry as Entry
    const provider = toProvider(String(theirs))
    const place = provider === null ? null : toPlace(provider, name)
    if (provider === null || place === null) return []
    const priceMax = mode === 'embedding' ? EMBEDDING_PRICE_MAX : PRICE_MAX
    const figures = readFigures(entry as Record<string, unknown>, priceMax)
    const tiers = new Map(
      [...figures].map(([tier, prices]) => [joinTiers(tier, place.tier), prices]),
    )
    const isBilledOtherwise = Object.entries(entry).some(([key, value]) => {
      return typeof value === 'number' && value > 0 && UNCOUNTED.test(key)
    })
    return [{ name, provider, model: place.model, mode: String(mode), isBilledOtherwise, tiers }]
  })
}

function toProvider(theirs: string): string | null {
  if (theirs.startsWith('vertex_ai')) return 'vertex'
  return Object.hasOwn(PROVIDERS, theirs) ? (PROVIDERS[theirs] ?? null) : null
}

/** The name as a caller writes it, and the tier that stands for a region in front of it. */
function toPlace(provider: string, name: string): { model: string; tier: string } | null {
  if (NO_MODEL.test(name)) return null
  let model = name.replace(PREFIX, '').replace(BEFORE_NAME[provider] ?? '', '')
  if (provider === 'bedrock') {
    const region = BEDROCK_REGION.exec(model)?.[0] ?? ''
    model = model.slice(region.length)
    return { model, tier: region === '' ? STANDARD : region.slice(0, -1) }
  }
  if (provider !== 'azure') return { model, tier: STANDARD }
  for (const [prefix, tier] of Object.entries(AZURE_ZONES)) {
    if (model.startsWith(prefix)) return { model: model.slice(prefix.length), tier }
  }
  return { model, tier: STANDARD }
}

function joinTiers(tier: string, place: string): string {
  if (place === STANDARD) return tier
  return tier === STANDARD ? place : `${tier}+${place}`
}

type Figures = Map<string, Map<string, { base?: number; steps: Map<number, number> }>>

function readFigures(
  entry: Readonly<Record<string, unknown>>,
  priceMax: number,
): ReadonlyMap<string, ModelPrice> {
  const figures: Figures = new Map()
  for (const [key, value] of Object.entries(entry)) {
    if (typeof value !== 'number') continue
    const [, name = '', thousands, suffix] = FIGURE.exec(key) ?? []
    const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined
    if (unit === undefined) continue
    const tier = suffix === undefined ? STANDARD : (TIERS[suffix] ?? suffix)
    const price = toPerMillion(value)
    if (price > priceMax) return new Map()
    const units = figures.get(tier) ?? new Map()
    const figure = units.get(unit) ?? { steps: new Map() }
    figures.set(tier, units.set(unit, figure))
    if (thousands === undefined) figure.base = price
    else figure.steps.set(Number(thousands) * 1000, price)
  }
  const tiers = new Map<string, ModelPrice>()
  for (const [tier, units] of figures) {
    const prices = toModelPrice(units)
    if (Object.values(prices).some(isPaid)) tiers.set(tier, prices)
  }
  const standard = tiers.get(STANDARD) ?? {}
  return new Map([...tiers].filter(([, prices]) => isWhole(prices, standard)))
}

/** A tier with a figure for one side alone would charge the other at the standard rate. */
function isWhole(prices: ModelPrice, standard: ModelPrice): boolean {
  return SIDES.every((unit) => standard[unit] === undefined || prices[unit] !== undefined)
}

const SIDES = ['input_mtok', 'output_mtok', 'output_image_mtok']

function toModelPrice(units: ReadonlyMap<string, { base?: number; steps: Map<number, number> }>) {
  const prices: Record<string, number | SteppedPrice> = {}
  for (const [unit, { base, steps }] of units) {
    if (base === undefined) continue
    const tiers = [...steps]
      .toSorted(([one], [other]) => one - other)
      .map(([start, price]) => ({ start, price }))
    prices[unit] = tiers.every(({ price }) => price === base) ? base : { base, tiers }
  }
  return withoutFiller(prices)
}

/** Zero for what a model does not have, and the text rate for images: neither says anything. */
function withoutFiller(prices: Readonly<Record<string, number | SteppedPrice>>): ModelPrice {
  const baseOf = (price: ModelPrice[string]): number =>
    typeof price === 'object' ? price.base : (price ?? 0)
  const isSaid = ([unit, price]: [string, number | SteppedPrice]): boolean => {
    if (baseOf(price) === 0) return unit === 'input_mtok'
    const whole = FILLED_FROM[unit]
    return whole === undefined || baseOf(price) !== baseOf(prices[whole])
  }
  return Object.fromEntries(Object.entries(prices).filter(isSaid))
}

const FILLED_FROM: Readonly<Record<string, string>> = {
  input_image_mtok: 'input_mtok',
  input_audio_mtok: 'input_mtok',
  output_reasoning_mtok: 'output_mtok',
}

function isPaid(price: ModelPrice[string]): boolean {
  return typeof price === 'object' ? price.base > 0 : (price ?? 0) > 0
}

/** USD for a million tokens. No model costs more: such a figure was meant for a thousand. */
const PRICE_MAX = 1000
const EMBEDDING_PRICE_MAX = 10
const MILLION = 1e6
/** Enough for every listed figure, and too few to show what binary fractions cannot represent. */
const DIGITS = 12

function toPerMillion(usd: number): number {
  return Number((usd * MILLION).toPrecision(DIGITS))
}
