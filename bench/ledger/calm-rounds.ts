// What callers feel of work beside them: their waits with it and without it, in turns on a machine
// that others share. Which rounds count is judged by what others took of it, never by the waits.

import { atMost, printTable } from '../harness/report.ts'
import type { Bar } from '../harness/report.ts'
import { watchOthers } from '../harness/process-figures.ts'
import { median, quantile } from '../harness/quantile.ts'

export interface Waits {
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
 * On two cores beside other work: the middle call waits no longer, the hundredth at most so much
 * longer. Two runs whose middle calls differ by less prove nothing.
 */
const P99_ADDED_MS_MAX = 3
const P50_RATIO_MAX = 1.2

export async function watchWaits(work: () => Promise<readonly number[]>): Promise<Waits> {
  const readOthers = watchOthers()
  const waits = await work()
  return { p50Ms: quantile(waits, 0.5), p99Ms: quantile(waits, 0.99), others: readOthers() }
}

/** Now without the work first, now with it: what changes from minute to minute favours neither. */
export async function measureInTurns(
  count: number,
  calm: () => Promise<Waits>,
  busy: (round: number) => Promise<Waits>,
): Promise<readonly Round[]> {
  const rounds: Round[] = []
  while (rounds.length < count) {
    const before = rounds.length % 2 === 0 ? await calm() : null
    const during = await busy(rounds.length)
    rounds.push({ calm: before ?? (await calm()), busy: during })
  }
  return rounds
}

/** A row for so many rounds, with their medians. */
export function printRounds(title: string, rounds: readonly Round[], together = 1): void {
  const format = (some: readonly Waits[]): string[] => [
    median(some, ({ p50Ms }) => p50Ms).toFixed(3),
    median(some, ({ p99Ms }) => p99Ms).toFixed(3),
    median(some, ({ others }) => others).toFixed(2),
  ]
  const rows: string[][] = []
  for (let from = 0; from < rounds.length; from += together) {
    const some = rounds.slice(from, from + together)
    const name = together === 1 ? String(from + 1) : `${from + 1} to ${from + some.length}`
    const sides = [some.map(({ calm }) => calm), some.map(({ busy }) => busy)]
    rows.push([name, ...sides.flatMap(format)])
  }
  const sides = ['without', 'with'].flatMap((side) =>
    ['p50 ms', 'p99 ms', 'others'].map((each) => `${side}: ${each}`),
  )
  printTable(title, [['round', ...sides], ...rows])
  console.log(
    `  others: cores that processes beside this benchmark had; ${findCalmRounds(rounds).length} rounds were calm enough to count`,
  )
}

/** The rounds in which the machine was left alone, with and without the work. */
function findCalmRounds(rounds: readonly Round[]): readonly Round[] {
  return rounds.filter(({ calm, busy }) => Math.max(calm.others, busy.others) <= OTHERS_MAX)
}

/** By what each round says for itself, since a machine's speed changes from minute to minute. */
export function createWaitBars(part: string, beside: string, rounds: readonly Round[]): Bar[] {
  const counted = findCalmRounds(rounds)
  const judge = (pick: (round: Round) => number): number | null =>
    counted.length < CALM_ROUNDS_MIN ? null : median(counted, pick)
  const ratio = judge(({ calm, busy }) => busy.p50Ms / calm.p50Ms)
  const added = judge(({ calm, busy }) => busy.p99Ms - calm.p99Ms)
  return [
    atMost(`${part} callers' p50 ${beside}, against without`, ratio, {
      limit: P50_RATIO_MAX,
      unit: '×',
    }),
    atMost(`${part} callers' p99 ${beside}, above without`, added, {
      limit: P99_ADDED_MS_MAX,
      unit: 'ms',
    }),
  ]
}
