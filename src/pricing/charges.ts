// Takes what a call used apart into lines of count and rate. Must stay true: every token is charged
// exactly once, and what cannot be charged with certainty makes the whole call unpriced.

import type { TokenCounts } from '../core/token-counts.ts'
import type { UsageEvent, UsageShare } from '../core/usage-event.ts'
import { rateFor } from './price-table.ts'
import type { Rate, Rates, TokenUnit } from './price-table.ts'

export interface Charge {
  readonly unit: TokenUnit | 'request' | `tool:${string}`
  readonly count: number
  /** USD in 1e-12 per million units. */
  readonly rate: bigint
}

/**
 * Null where a rate is missing for something that was used, or the counts contradict each other.
 */
export function toCharges(
  used: Pick<UsageShare, 'tokens' | 'largestInput'> & Pick<UsageEvent, 'toolCalls'>,
  rates: Rates,
): readonly Charge[] | null {
  const { tokens } = used
  const promptLength = used.largestInput ?? tokens.input
  if (!isSound(tokens)) return null
  const charges: Charge[] = []
  const charge = (unit: Charge['unit'], count: number, rate: Rate | null | undefined): boolean => {
    if (count === 0) return true
    if (rate === undefined || rate === null) return false
    charges.push({ unit, count, rate: rateFor(rate, promptLength) })
    return true
  }

  const input = splitInput(tokens, rates)
  const output = splitOutput(tokens, rates)
  if (input === null || output === null) return null
  for (const [unit, count, rate] of [...input, ...output])
    if (!charge(unit, count, rate)) return null
  for (const [kind, count] of Object.entries(used.toolCalls)) {
    const isCharged = isCount(count) && charge(`tool:${kind}`, count, rates.toolCalls[kind])
    if (!isCharged) return null
  }
  if (rates.request !== null) charge('request', 1, rates.request)
  return charges
}

type Split = readonly (readonly [unit: TokenUnit, count: number, rate: Rate | undefined])[]

// A part without a rate of its own stays in the whole. A cached token can also be an audio or image
// token, and the counts do not say how many are both: parts are taken as apart as long as they fit
// into the input, and what does not fit was both and is charged as a cached read.
function splitInput(tokens: TokenCounts, { tokens: rates }: Rates): Split | null {
  const split: [TokenUnit, number, Rate | undefined][] = []
  let rest = tokens.input
  // A one-hour write is first of all a cache write: nearer to that rate than to plain input.
  const writeRates = [rates.cacheWrite5m, rates.cacheWrite1h ?? rates.cacheWrite5m] as const
  const cached = [
    ['cacheRead', tokens.cacheRead, rates.cacheRead],
    ['cacheWrite5m', tokens.cacheWrite5m, writeRates[0]],
    ['cacheWrite1h', tokens.cacheWrite1h, writeRates[1]],
  ] as const
  for (const [unit, count, rate] of cached) {
    if (rate === undefined) continue
    split.push([unit, count, rate])
    rest -= count
  }
  if (rest < 0) return null
  for (const unit of ['inputAudio', 'inputImage'] as const) {
    if (rates[unit] === undefined) continue
    if (tokens[unit] > tokens.input) return null
    const count = Math.min(tokens[unit], rest)
    split.push([unit, count, rates[unit]])
    rest -= count
  }
  split.push(['input', rest, rates.input])
  return split
}

function splitOutput(tokens: TokenCounts, { tokens: rates }: Rates): Split | null {
  const split: [TokenUnit, number, Rate | undefined][] = []
  let rest = tokens.output
  for (const unit of ['reasoning', 'outputAudio', 'outputImage'] as const) {
    if (rates[unit] === undefined) continue
    split.push([unit, tokens[unit], rates[unit]])
    rest -= tokens[unit]
  }
  if (rest < 0) return null
  split.push(['output', rest, rates.output])
  return split
}

function isSound(tokens: TokenCounts): boolean {
  for (const unit in tokens) if (!isCount(tokens[unit as TokenUnit])) return false
  return true
}

function isCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0
}
