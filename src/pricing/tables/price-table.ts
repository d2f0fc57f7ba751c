// The types of pricing: rates, price versions with their start, and a table that finds a model's
// versions. A rate is an integer, so no sum ever involves a float.

import { divideHalfEven } from '../../core/money.ts'
import type { RuleRates } from '../../core/price-rule.ts'
import type { CostSource } from '../../core/usage-record.ts'
import type { TokenCounts } from '../../core/token-counts.ts'

/**
 * 1e-24 USD where money has 1e-12: 0.111 USD per hour of audio has no exact price per millisecond,
 * and the error, times millions, must still vanish in the last digit of a cost.
 */
export const RATE_DIGITS = 24
export const RATES_PER_MONEY = 10n ** 12n

/** USD in 1e-24 for one unit; a step replaces the rate of the whole call above so much input. */
export interface Rate {
  readonly base: bigint
  readonly steps: readonly { readonly aboveInput: number; readonly rate: bigint }[]
}

export type TokenUnit = keyof TokenCounts

/** What tokens without a rate of their own are charged as. */
export const WHOLE_UNITS: Readonly<Partial<Record<TokenUnit, TokenUnit>>> = {
  cacheRead: 'input',
  cacheReadAudio: 'cacheRead',
  cacheReadImage: 'cacheRead',
  cacheWrite5m: 'input',
  cacheWrite1h: 'cacheWrite5m',
  inputAudio: 'input',
  inputImage: 'input',
  reasoning: 'output',
  outputAudio: 'output',
  outputImage: 'output',
}

export interface Rates {
  readonly tokens: Readonly<Partial<Record<TokenUnit, Rate>>>
  /** By the kind of `UsageEvent.toolCalls`. */
  readonly toolCalls: Readonly<Record<string, Rate>>
  /** Charged once per call, whatever it used. */
  readonly request: Rate | null
  /** The provider charges nothing for this model; not to be confused with an unknown price. */
  readonly isFree: boolean
}

export const FREE_RATES: Rates = Object.freeze({
  tokens: {},
  toolCalls: {},
  request: null,
  isFree: true,
})

export interface PriceEntry {
  readonly rates: Rates
  readonly source: Extract<CostSource, 'price-book' | 'override'>
  /** Table, model, start, tier and rates. Kept forever: the same text never means other rates. */
  readonly version: string
  /** Where a listed price is from, also one with an operator's factor, if the list says so. */
  readonly origin?: PriceOrigin | undefined
}

export interface PriceOrigin {
  /** `genai-prices`, `LiteLLM`, or both where one completes the other; or another list's name. */
  readonly sources: readonly string[]
  /** What another source says instead, by unit. */
  readonly others: readonly { readonly source: string; readonly rates: RuleRates }[]
  /** Set where an operator's factor is on the rates: those of the list. */
  readonly listed?: Rates | undefined
}

/** A price in force from a moment on; in some tables only at some hours of the (UTC) day. */
export interface PriceVersion {
  readonly fromMs: number
  readonly hours: PriceHours | null
  /** By service tier; the default one is `STANDARD_TIER`. */
  readonly entries: ReadonlyMap<string, PriceEntry>
  /** The rule that matched the model, as its table names it. */
  readonly modelId: string
  /** Of a correction: the date of the data that it corrects; it comes just after that. */
  readonly against?: number
}

/** Milliseconds of the UTC day, the end excluded; an end before the start is on the next day. */
export interface PriceHours {
  readonly startMs: number
  readonly endMs: number
}

/** One source of prices. Versions are ordered so that the last one in force is the right one. */
export interface PriceTable {
  /** Left out: comes after all that have a date. */
  readonly publishedAt?: number
  findVersions(provider: string, model: string): readonly PriceVersion[] | null
  /** What the first of its sources alone says, where another one added to it; else null. */
  findFirstSource?(provider: string, model: string): readonly PriceVersion[] | null
  /** A name for each model that it knows, for comparisons and suggestions. */
  listModels(): readonly ListedModel[]
}

export interface ListedModel {
  readonly provider: string
  readonly model: string
}

export const STANDARD_TIER = 'standard'

/** The first list decides from its first start on; later lists fill the time before. */
export function mergeVersions(
  found: readonly (readonly PriceVersion[] | null)[],
): readonly PriceVersion[] {
  let merged: readonly PriceVersion[] = []
  let decidedFromMs = Infinity
  for (const versions of found) {
    if (versions === null) continue
    const isOpen = ({ fromMs }: PriceVersion): boolean => fromMs < decidedFromMs
    merged = [...versions.filter(isOpen), ...merged]
    for (const { fromMs, hours } of versions) {
      if (hours === null) decidedFromMs = Math.min(decidedFromMs, fromMs)
    }
  }
  return merged
}

/** No rate at all: the list has the model and does not know its price. */
export function isUnknown({ tokens, toolCalls, request, isFree }: Rates): boolean {
  // Asked for every call, hence no lists of keys.
  for (const _ in tokens) return false
  for (const _ in toolCalls) return false
  return request === null && !isFree
}

export function rateFor(rate: Rate, inputTokens: number): bigint {
  let current = rate.base
  for (const step of rate.steps) if (inputTokens > step.aboveInput) current = step.rate
  return current
}

export interface RateFactor {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Every rate is rounded half-even, once. */
export function scaleRate(rate: Rate, { numerator, denominator }: RateFactor): Rate {
  const scale = (value: bigint): bigint => divideHalfEven(value * numerator, denominator)
  const steps = rate.steps.map((step) => ({ ...step, rate: scale(step.rate) }))
  return { base: scale(rate.base), steps }
}

export function scaleRates(rates: Rates, factor: RateFactor): Rates {
  const toolCalls = Object.entries(rates.toolCalls).map(
    ([kind, rate]) => [kind, scaleRate(rate, factor)] as const,
  )
  return {
    ...scaleTokenRates(rates, factor),
    toolCalls: Object.fromEntries(toolCalls),
    request: rates.request === null ? null : scaleRate(rates.request, factor),
  }
}

/** A service tier does not change fees per call or tool. */
export function scaleTokenRates(
  rates: Rates,
  factor: RateFactor,
  except: readonly TokenUnit[] = [],
): Rates {
  const tokens: Partial<Record<TokenUnit, Rate>> = {}
  for (const [unit, rate] of Object.entries(rates.tokens) as [TokenUnit, Rate][]) {
    tokens[unit] = except.includes(unit) ? rate : scaleRate(rate, factor)
  }
  return { ...rates, tokens }
}

export interface EffectivePrice {
  readonly tier: string
  readonly entry: PriceEntry
  readonly fromMs: number | null
  /** Set where it is in force at some hours of the day only. */
  readonly hours: PriceHours | null
  /** The list's model, or the rule's pattern, that matched. */
  readonly matched: string
}
