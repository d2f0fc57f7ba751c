// Rates as decimal texts and back, by the names people use for units: tokens in USD per million,
// all else in USD per unit. Must stay true: a text written here reads as exactly the same rate
// again.

import { divideHalfEven } from '../../core/money.ts'
import type { RuleRate, RuleRates } from '../../core/price-rule.ts'
import { RATE_DIGITS } from './price-table.ts'
import type { Rate, RateFactor, Rates, TokenUnit } from './price-table.ts'

/** By their names in rules, files and explanations. */
export const TOKEN_UNITS: Readonly<Record<string, TokenUnit>> = {
  input: 'input',
  cache_read: 'cacheRead',
  cache_read_audio: 'cacheReadAudio',
  cache_read_image: 'cacheReadImage',
  cache_write_5m: 'cacheWrite5m',
  cache_write_1h: 'cacheWrite1h',
  input_audio: 'inputAudio',
  input_image: 'inputImage',
  output: 'output',
  reasoning: 'reasoning',
  output_audio: 'outputAudio',
  output_image: 'outputImage',
}

export const UNIT_NAMES = Object.fromEntries(
  Object.entries(TOKEN_UNITS).map(([name, unit]) => [unit, name]),
) as Readonly<Record<TokenUnit, string>>

/** Kinds come from upstreams, and one may have the name of an inherited property. */
export function tokenUnitOf(name: string): TokenUnit | undefined {
  return Object.hasOwn(TOKEN_UNITS, name) ? TOKEN_UNITS[name] : undefined
}

export const REQUEST_UNIT = 'request'

export const MILLION = 1_000_000n
const MILLION_DIGITS = 6

// Exponents come from numbers only: 1e-7 is how the language writes 0.0000001.
const DECIMAL = /^(\d{1,15})(?:\.(\d{1,30}))?(?:e([+-]\d{1,2}))?$/

/** The rate of one unit, rounded half-even to 1e-24 USD. Null unless a decimal of zero or more. */
export function parseRate(price: unknown, perUnits: bigint): bigint | null {
  const text = typeof price === 'number' ? String(price) : price
  const match = typeof text === 'string' ? DECIMAL.exec(text) : null
  if (match === null) return null
  const [, whole = '', fraction = '', exponent = '0'] = match
  const shift = RATE_DIGITS + Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  return shift >= 0
    ? divideHalfEven(digits * 10n ** BigInt(shift), perUnits)
    : divideHalfEven(digits, perUnits * 10n ** BigInt(-shift))
}

/** The exact decimal without zeros at its end. `digits`: how many of the value's are decimals. */
export function formatDecimal(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0')
  const fraction = text.slice(text.length - digits).replace(/0+$/, '')
  const whole = text.slice(0, text.length - digits)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

export function formatRate(rate: bigint): string {
  return formatDecimal(rate, RATE_DIGITS)
}

/** Tokens first, in the order of TOKEN_UNITS; then the fee of a request, then kinds by name. */
export function toRuleRates(rates: Rates): RuleRates {
  const texts: Record<string, RuleRate> = {}
  for (const [name, unit] of Object.entries(TOKEN_UNITS)) {
    const rate = rates.tokens[unit]
    if (rate !== undefined) texts[name] = toRuleRate(rate, RATE_DIGITS - MILLION_DIGITS)
  }
  if (rates.request !== null) texts[REQUEST_UNIT] = toRuleRate(rates.request, RATE_DIGITS)
  for (const kind of Object.keys(rates.toolCalls).toSorted()) {
    texts[kind] = toRuleRate(rates.toolCalls[kind] as Rate, RATE_DIGITS)
  }
  return texts
}

function toRuleRate({ base, steps }: Rate, digits: number): RuleRate {
  if (steps.length === 0) return formatDecimal(base, digits)
  return {
    base: formatDecimal(base, digits),
    steps: steps.map((step) => ({
      above: step.aboveInput,
      rate: formatDecimal(step.rate, digits),
    })),
  }
}

/** Null where one is not a rate. Untrusted texts are validated first, elsewhere. */
export function fromRuleRates(texts: RuleRates): Rates | null {
  const tokens: Partial<Record<TokenUnit, Rate>> = {}
  const toolCalls: Record<string, Rate> = {}
  let request: Rate | null = null
  for (const [name, text] of Object.entries(texts)) {
    const unit = tokenUnitOf(name)
    const rate = fromRuleRate(text, unit === undefined ? 1n : MILLION)
    if (rate === null) return null
    if (unit !== undefined) tokens[unit] = rate
    else if (name === REQUEST_UNIT) request = rate
    else toolCalls[name] = rate
  }
  return { tokens, toolCalls, request, isFree: false }
}

function fromRuleRate(text: RuleRate, perUnits: bigint): Rate | null {
  if (typeof text === 'string') {
    const base = parseRate(text, perUnits)
    return base === null ? null : { base, steps: [] }
  }
  const base = parseRate(text.base, perUnits)
  if (base === null) return null
  const steps: Rate['steps'][number][] = []
  for (const step of text.steps) {
    const rate = parseRate(step.rate, perUnits)
    if (rate === null) return null
    steps.push({ aboveInput: step.above, rate })
  }
  return { base, steps: steps.toSorted((left, right) => left.aboveInput - right.aboveInput) }
}

const FACTOR = /^(\d{1,3})(?:\.(\d{1,12}))?$/

/** An exact decimal such as `0.8`; null for anything else. */
export function parseFactor(text: string): RateFactor | null {
  const match = FACTOR.exec(text)
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) }
}
