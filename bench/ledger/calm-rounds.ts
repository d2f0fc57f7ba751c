// What callers feel of work beside them: their waits with it and without it, in turns on a machine that others share.
// Must stay true: which rounds count is judged by what others took of the machine, never by the waits.

import { quantile } from '../relay/measure.ts'
import { watchOthers } from './others-share.ts'

export interface Waits {
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of one core, that others had meanwhile. */
  readonly others: number
}

export interface Round {
  readonly calm: Waits
  readonly busy: Waits
}

/** Above it a round tells more about others than about Weir. Weir's own work in the kernel is part of it. */
export const OTHERS_MAX = 0.15
/** With fewer there is no saying. */
const CALM_ROUNDS_MIN = 3

/** The rounds in which the machine was left alone, with and without the work; null when they are too few. */
export function findCalmRounds<Each extends Round>(
  rounds: readonly Each[],
): readonly Each[] | null {
  const found = rounds.filter(({ calm, busy }) => Math.max(calm.others, busy.others) <= OTHERS_MAX)
  return found.length < CALM_ROUNDS_MIN ? null : found
}

export async function watchWaits(work: () => Promise<readonly number[]>): Promise<Waits> {
  const tellOthers = watchOthers()
  const ascending = Float64Array.from(await work()).sort()
  return {
    calls: ascending.length,
    p50Ms: quantile(ascending, 0.5),
    p99Ms: quantile(ascending, 0.99),
    others: tellOthers(),
  }
}

/** The rows of a table, the head included: one for so many rounds, with their medians. */
export function formatRounds(rounds: readonly Round[], together = 1): string[][] {
  const format = (some: readonly Waits[]): string[] => [
    median(some, ({ p50Ms }) => p50Ms).toFixed(3),
    median(some, ({ p99Ms }) => p99Ms).toFixed(3),
    median(some, ({ others }) => others).toFixed(2),
  ]
  const head = ['p50 ms', 'p99 ms', 'others']
  const rows: string[][] = []
  for (let from = 0; from < rounds.length; from += together) {
    const some = rounds.slice(from, from + together)
    const name = together === 1 ? String(from + 1) : `${from + 1} to ${from + some.length}`
    const sides = [some.map(({ calm }) => calm), some.map(({ busy }) => busy)]
    rows.push([name, ...sides.flatMap(format)])
  }
  return [
    ['round', ...head.map((each) => `without: ${each}`), ...head.map((each) => `with: ${each}`)],
    ...rows,
  ]
}

export function describeCalm(rounds: readonly Round[]): string {
  const counted = findCalmRounds(rounds)?.length ?? 0
  return `others: cores that processes beside this benchmark had; ${counted} rounds were calm enough to count`
}

/**
 * How many times longer the slowest hundredth of the calls wait with the work: the middle of what each round says for
 * itself, since a machine's speed changes from minute to minute.
 */
export interface Slowing {
  readonly ratio: number
  /** The true one lies between these two in 95 of 100 runs. */
  readonly atLeast: number
  readonly atMost: number
}

/** Null when too few rounds were calm enough. */
export function findSlowing(rounds: readonly Round[]): Slowing | null {
  const counted = findCalmRounds(rounds)
  return counted && toSlowing(counted.map(({ calm, busy }) => busy.p99Ms / calm.p99Ms))
}

/** What the same comparison says where there is nothing to compare: calm halves of every two rounds. */
export function findNoise(rounds: readonly Round[]): Slowing | null {
  const counted = findCalmRounds(rounds)
  if (counted === null) return null
  const ratios: number[] = []
  for (let index = 1; index < counted.length; index += 2) {
    const [one, other] = [counted[index - 1] as Round, counted[index] as Round]
    const ratio = other.calm.p99Ms / one.calm.p99Ms
    // A machine that slows down is to favour neither.
    ratios.push(ratios.length % 2 === 0 ? ratio : 1 / ratio)
  }
  return toSlowing(ratios)
}

export function formatSlowing(slowing: Slowing | null): string {
  if (slowing === null) return 'too few rounds were calm enough to tell'
  const { ratio, atLeast, atMost } = slowing
  return `${ratio.toFixed(2)} × (95 %: ${atLeast.toFixed(2)} to ${atMost.toFixed(2)})`
}

/** Standard deviations on either side of the middle. */
const CERTAINTY = 1.96

/** The bounds of a median by rank: they hold for ratios that are scattered in whatever way. */
function toSlowing(ratios: readonly number[]): Slowing {
  const ascending = Float64Array.from(ratios).sort()
  const count = ascending.length
  const spread = (CERTAINTY * Math.sqrt(count)) / 2
  const below = Math.max(0, Math.floor(count / 2 - spread) - 1)
  const above = Math.min(count - 1, Math.ceil(count / 2 + spread))
  return {
    ratio: quantile(ascending, 0.5),
    atLeast: ascending[below] ?? Number.NaN,
    atMost: ascending[above] ?? Number.NaN,
  }
}

function median<Each>(items: readonly Each[], pick: (item: Each) => number): number {
  return quantile(Float64Array.from(items, pick).sort(), 0.5)
}
