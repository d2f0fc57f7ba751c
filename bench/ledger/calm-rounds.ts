// What callers feel of work beside them: their waits with it and without it, in turns on a machine that others share.
// Must stay true: which rounds count is judged by what others took of the machine, never by the waits.

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

/** Above it a round tells more about others than about Weir. Weir's own work in the kernel is part of it. */
export const OTHERS_MAX = 0.15
/** With fewer there is no saying. */
const CALM_ROUNDS_MIN = 3

/** How much longer callers may wait with the work: so many times, and so much for what a shared machine adds. */
export interface Tolerance {
  readonly ratio: number
  readonly ms: number
}

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

/** The rows of a table, the head included. */
export function formatRounds(rounds: readonly Round[]): string[][] {
  const format = ({ p50Ms, p99Ms, others }: Waits): string[] => [
    p50Ms.toFixed(3),
    p99Ms.toFixed(3),
    others.toFixed(2),
  ]
  const head = ['p50 ms', 'p99 ms', 'others']
  return [
    ['round', ...head.map((each) => `without: ${each}`), ...head.map((each) => `with: ${each}`)],
    ...rounds.map(({ calm, busy }, index) => [String(index + 1), ...format(calm), ...format(busy)]),
  ]
}

export function describeCalm(rounds: readonly Round[]): string {
  const counted = findCalmRounds(rounds)?.length ?? 0
  return `others: cores that processes beside this benchmark had; ${counted} rounds were calm enough to count`
}

/** What the same comparison says where there is nothing to compare: every other round without the work, against the rest. */
export function describeNoise(rounds: readonly Round[]): string {
  const counted = findCalmRounds(rounds)
  if (counted === null) return 'noise: too few rounds were calm enough to tell'
  const odd = counted.filter((_, index) => index % 2 === 0)
  const even = counted.filter((_, index) => index % 2 === 1)
  const ratio = medianP99(odd, 'calm') / medianP99(even, 'calm')
  return `noise: rounds without the work, every other against the rest, ${ratio.toFixed(2)} ×`
}

export function createWaitsBar(claim: string, rounds: readonly Round[], tolerance: Tolerance): Bar {
  const counted = findCalmRounds(rounds)
  const calm = medianP99(counted, 'calm')
  const busy = medianP99(counted, 'busy')
  const ratio = counted === null ? '' : ` (${(busy / calm).toFixed(2)} × ${calm.toFixed(2)} ms)`
  return {
    claim: `${claim}${ratio}`,
    figure: counted === null ? null : busy - tolerance.ratio * calm,
    limit: tolerance.ms,
    side: 'at most',
    unit: `ms above ${tolerance.ratio} ×`,
  }
}

function medianP99(rounds: readonly Round[] | null, side: 'calm' | 'busy'): number {
  const found = (rounds ?? []).map((round) => round[side].p99Ms)
  return quantile(Float64Array.from(found).sort(), 0.5)
}
