// What becomes of a reading with a count that is none: a text, a fraction, a number below zero.
// Must stay true: the others are not taken for the whole, so the cost is unknown, never a part.

import type { Reading } from '../provider.ts'
import { areReadable } from './json-leaves.ts'

type Counted = Partial<Pick<Reading, 'tokens' | 'toolCalls' | 'shares'>>

export type ReadableCounts<Found> = Found & { readonly isUnreadable?: true }

/** Without any tokens where one of them, or a count of units, cannot be read. */
export function withReadableCounts<Found extends Counted>(found: Found): ReadableCounts<Found> {
  const { tokens = null, toolCalls = {}, shares } = found
  const units = Object.entries(toolCalls)
  const readable = units.filter(([, count]) => Number.isSafeInteger(count))
  const areTokensReadable = tokens === null || areReadable(tokens)
  const areSharesReadable = shares?.every((share) => areReadable(share.tokens)) !== false
  if (areTokensReadable && areSharesReadable && readable.length === units.length) return found
  const { shares: _, ...rest } = found
  const counts = { tokens: null, toolCalls: Object.fromEntries(readable), isUnreadable: true }
  return { ...rest, ...counts } as ReadableCounts<Found>
}

/** For a reading that is final: one with such a count is partial. */
export function toReadable(reading: Reading): Reading {
  const { isUnreadable, ...readable } = withReadableCounts(reading)
  return isUnreadable === true ? { ...readable, kind: 'partial' } : reading
}
