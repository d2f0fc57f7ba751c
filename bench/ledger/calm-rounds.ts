// What callers feel of work beside them: their waits with it and without it, in turns on a machine
// that others share. Which rounds count is judged by what others took of it, never by the waits.

import type { Bar } from '../relay/bars.ts'
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

/**
 * Above it a round says more about others than about Weir. Weir's own work in the kernel is part of
 * it.
 */
export const OTHERS_MAX = 0.15
/** With fewer there is no saying. */
const CALM_ROUNDS_MIN = 3

/**
 * The rounds in which the machine was left alone, with and without the work; null when they are too
 * few.
 */
export function findCalmRounds<Each extends Round>(
  rounds: readonly Each[],
): readonly Each[] | null {
  const found = rounds.filter(({ calm, busy }) => Math.max(calm.others, busy.others) <= OTHERS_MAX)
  return found.length < CALM_ROUNDS_MIN ? null : found
}

export async function watchWaits(work: () => Promise<readonly number[]>): Promise<Waits> {
  const readOthers = watchOthers()
  const ascending = Float64Array.from(await work()).sort()
  return {
    calls: ascending.length,
    p50Ms: quantile(ascending, 0.5),
    p99Ms: quantile(ascending, 0.99),
    others: readOthers(),
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
 * On two cores beside other work: the middle call waits no longer, the hundredth at most so much
 * longer.
 */
const P99_ADDED_MS_MAX = 3
/** Of the same rounds without the work; two runs that differ by less prove nothing. */
const P50_RATIO_MAX = 1.2

/** By what each round says for itself, since a machine's speed changes from minute to minute. */
export function createWaitBars(part: string, beside: string, rounds: readonly Round[]): Bar[] {
  const counted = findCalmRounds(rounds)
  return [
    {
      claim: `${part} callers' p50 ${beside}, against without`,
      figure: counted && median(counted, ({ calm, busy }) => busy.p50Ms / calm.p50Ms),
      limit: P50_RATIO_MAX,
      side: 'at most',
      unit: '×',
    },
    {
      claim: `${part} callers' p99 ${beside}, above without`,
      figure: counted && median(counted, ({ calm, busy }) => busy.p99Ms - calm.p99Ms),
      limit: P99_ADDED_MS_MAX,
      side: 'at most',
      unit: 'ms',
    },
  ]
}

function median<Each>(items: readonly Each[], pick: (item: Each) => number): number {
  return quantile(Float64Array.from(items, pick).sort(), 0.5)
}
