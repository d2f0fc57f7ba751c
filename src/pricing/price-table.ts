// The words of pricing: rates, price versions with the moment from which they hold, and a table
// that finds a model's versions. Must stay true: a rate is an integer, so no sum ever meets a
// float.

import { divideHalfEven, parseMoney } from '../core/money.ts'
import type { CostSource } from '../core/usage-record.ts'
import type { TokenCounts } from '../core/token-counts.ts'

/**
 * List prices are per million, so a rate is kept per million units: any of them is exact that way.
 */
export const RATE_UNITS = 1_000_000n

/**
 * USD in 1e-12 per million units; a step replaces the rate of the whole call above so much input.
 */
export interface Rate {
  readonly base: bigint
  readonly steps: readonly { readonly aboveInput: number; readonly rate: bigint }[]
}

export type TokenUnit = keyof TokenCounts

export interface Rates {
  readonly tokens: Readonly<Partial<Record<TokenUnit, Rate>>>
  /** By the kind of `UsageEvent.toolCalls`. */
  readonly toolCalls: Readonly<Record<string, Rate>>
  /** Due once a call, whatever it used. */
  readonly request: Rate | null
  /** The provider charges nothing for this model; not to be confused with a price nobody knows. */
  readonly isFree: boolean
}

export interface PriceEntry {
  readonly rates: Rates
  readonly source: Extract<CostSource, 'price-book' | 'override'>
  /** Identifies table, model, start and service tier: enough to find the very figures again. */
  readonly version: string
}

/** A price that holds from a moment on, on some tables only at some hours of the (UTC) day. */
export interface PriceVersion {
  readonly fromMs: number
  readonly hours: { readonly startMs: number; readonly endMs: number } | null
  /** By service tier; the ordinary one is `STANDARD_TIER`. */
  readonly entries: ReadonlyMap<string, PriceEntry>
}

/** One source of prices. Versions are ordered so that the last one that holds is the right one. */
export interface PriceTable {
  findVersions(provider: string, model: string): readonly PriceVersion[] | null
}

export const STANDARD_TIER = 'standard'

/**
 * Reads a list price; `perUnits` is what it is quoted for: a million tokens, a thousand searches.
 */
export function parseRate(price: unknown, perUnits: bigint): bigint | null {
  const amount = parseMoney(price)
  if (amount === null || amount < 0n) return null
  return divideHalfEven(amount * RATE_UNITS, perUnits)
}

export function rateFor(rate: Rate, inputTokens: number): bigint {
  let current = rate.base
  for (const step of rate.steps) if (inputTokens > step.aboveInput) current = step.rate
  return current
}

/**
 * The token rates at a percentage of themselves. Fees per call or tool are not part of tier
 * discounts.
 */
export function scaleTokenRates(rates: Rates, percent: bigint): Rates {
  const scale = (rate: bigint): bigint => divideHalfEven(rate * percent, 100n)
  const tokens: Partial<Record<TokenUnit, Rate>> = {}
  for (const [unit, rate] of Object.entries(rates.tokens) as [TokenUnit, Rate][]) {
    const steps = rate.steps.map((step) => ({ ...step, rate: scale(step.rate) }))
    tokens[unit] = { base: scale(rate.base), steps }
  }
  return { ...rates, tokens }
}
