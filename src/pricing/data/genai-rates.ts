// Converts genai-prices' units to our rates. Must stay true: a unit is mapped only where events
// count exactly that; others are left out, so that a call billed by them is unpriced instead of
// wrong.

import type { ModelPrice } from './model-price.ts'
import { assert } from '../../core/assert.ts'
import type { UnitPrice, UnitPrices } from './correction.ts'
import type { Rate, Rates, TokenUnit } from '../tables/price-table.ts'
import { MILLION, parseRate } from '../tables/rate-text.ts'

const TOKEN_PRICES: Readonly<Record<string, TokenUnit>> = {
  input_mtok: 'input',
  output_mtok: 'output',
  cache_read_mtok: 'cacheRead',
  cache_audio_read_mtok: 'cacheReadAudio',
  cache_image_read_mtok: 'cacheReadImage',
  cache_write_mtok: 'cacheWrite5m',
  cache_write_1h_mtok: 'cacheWrite1h',
  input_audio_mtok: 'inputAudio',
  input_image_mtok: 'inputImage',
  output_reasoning_mtok: 'reasoning',
  output_audio_mtok: 'outputAudio',
  output_image_mtok: 'outputImage',
}

export const TOKEN_PRICE_UNITS: readonly string[] = Object.keys(TOKEN_PRICES)

const THOUSAND = 1000n
const HOUR_IN_MS = 3_600_000n

/** The kind by which events count it, and for how many the price is. */
const PER_UNIT_PRICES: Readonly<Record<string, readonly [kind: string, perUnits: bigint]>> = {
  web_searches_kcount: ['web_search', THOUSAND],
  storage_searches_kcount: ['file_search', THOUSAND],
  // Audio input. `audio_hours` means the same for transcription; where it stands alone it is the
  // length of a voice conversation, which no event reports.
  input_audio_hours: ['audio_ms', HOUR_IN_MS],
  input_document_kpages: ['page', THOUSAND],
  // Instead of the ordinary price, not beside it.
  input_annotated_document_kpages: ['annotated_page', THOUSAND],
  input_mchars: ['character', MILLION],
}

const REQUEST_PRICE = 'requests_kcount'

/**
 * Left out because no event reports how many there were: cited and video tokens are in the input
 * and output, text messages of voice sessions nowhere.
 */
const UNREPORTED_PRICES: ReadonlySet<string> = new Set([
  'audio_hours',
  'input_text_messages_kcount',
  'input_video_mtok',
  'output_citation_mtok',
  'output_video_mtok',
])

/** False for a unit of a newer bundle: its meaning here has yet to be decided. */
export function isKnownPrice(unit: string): boolean {
  const isMapped = Object.hasOwn(TOKEN_PRICES, unit) || Object.hasOwn(PER_UNIT_PRICES, unit)
  return isMapped || unit === REQUEST_PRICE || UNREPORTED_PRICES.has(unit)
}

export function toRates(prices: ModelPrice, perUnit: UnitPrices = {}): Rates {
  const tokens: Partial<Record<TokenUnit, Rate>> = {}
  const toolCalls: Record<string, Rate> = {}
  let request: Rate | null = null
  for (const [name, price] of Object.entries(prices)) {
    const unit = Object.hasOwn(TOKEN_PRICES, name) ? TOKEN_PRICES[name] : undefined
    const each = Object.hasOwn(PER_UNIT_PRICES, name) ? PER_UNIT_PRICES[name] : undefined
    if (unit !== undefined) tokens[unit] = toRate(price, MILLION)
    else if (each !== undefined) toolCalls[each[0]] = toRate(price, each[1])
    else if (name === REQUEST_PRICE) request = toRate(price, THOUSAND)
  }
  for (const [kind, price] of Object.entries(perUnit)) toolCalls[kind] = toUnitRate(price)
  return { tokens, toolCalls, request, isFree: false }
}

export function toUnitRate(price: UnitPrice): Rate {
  return typeof price === 'number' ? toRate(price, 1n) : toRate(price.usd, BigInt(price.per))
}

/** Null for a unit of the bundle that is not a kind of token. */
export function toTokenUnit(unit: string): TokenUnit | null {
  return Object.hasOwn(TOKEN_PRICES, unit) ? (TOKEN_PRICES[unit] ?? null) : null
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
  assert(rate !== null, `listed price ${String(price)}`)
  return rate
}
