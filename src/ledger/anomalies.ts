// Whether a spender spent far more today than in its own last four weeks. Must stay true: single
// odd days do not matter (median and median deviation), and a steady spender is never an anomaly.

import type { Money } from '../core/money.ts'

export const ANOMALY_DAYS = 28
/** Since the first spend among them: a newer spender has no usual day yet. */
export const KNOWN_DAYS_MIN = 14

const TIMES_MEDIAN = 3n
/** 6 × 1.4826, in ten-thousandths: six standard deviations, if the days were spread normally. */
const DEVIATIONS = 88_956n
const DEVIATIONS_SCALE = 10_000n

export interface SpendHistory {
  readonly today: Money
  /** Oldest first, 0 where nothing was spent. */
  readonly past: readonly Money[]
  /** Below it nothing is an anomaly. */
  readonly floor: Money
}

export interface Anomaly {
  readonly spent: Money
  /** The median of the days it was compared with. */
  readonly usual: Money
  readonly largest: Money
  readonly days: number
}

/** Null where the day is normal, or there is too little to compare. */
export function judgeDay({ today, past, floor }: SpendHistory): Anomaly | null {
  if (today < floor) return null
  const first = past.findIndex((spent) => spent > 0n)
  const known = first === -1 ? [] : past.slice(first)
  if (known.length < KNOWN_DAYS_MIN) return null
  const days = toComparedDays(known)
  const usual = medianOf(days)
  const deviation = medianOf(days.map((spent) => (spent > usual ? spent - usual : usual - spent)))
  const largest = days.reduce((most, spent) => (spent > most ? spent : most), 0n)
  const isFarOutside =
    today > largest &&
    today > TIMES_MEDIAN * usual &&
    (today - usual) * DEVIATIONS_SCALE > deviation * DEVIATIONS
  return isFarOutside ? { spent: today, usual, largest, days: days.length } : null
}

/** A rare spender's idle days do not count: a weekly job that grows by a cent is no surprise. */
function toComparedDays(known: readonly Money[]): readonly Money[] {
  return medianOf(known) > 0n ? known : known.filter((spent) => spent > 0n)
}

/** For an even number of days, the mean of the two in the middle. */
function medianOf(amounts: readonly Money[]): Money {
  const sorted = amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const middle = sorted.length >> 1
  const upper = sorted[middle] as Money
  if (sorted.length % 2 === 1) return upper
  return ((sorted[middle - 1] as Money) + upper) / 2n
}
