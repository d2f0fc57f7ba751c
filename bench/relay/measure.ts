// Measures contenders on one workload in turns, round after round: a shared machine is now fast,
// now slow, and only what was measured side by side can be compared. A figure is the median of the
// rounds in which the machine was least disturbed.

import { createRequest } from './calls.ts'
import { calmest } from './calmest.ts'
import type { Disturbed } from './calmest.ts'
import { checkAnswer, readAnswer } from './check-answer.ts'
import type { Contender } from './contender.ts'
import { runCalls } from './load.ts'
import { readCpuMicros, readStolenMicros } from './process-figures.ts'
import type { Workload } from './workload.ts'

export interface Figures {
  /** Of the processes under test alone, for each call. */
  readonly cpuMicros: number
  readonly callsPerSecond: number
  /** Pieces in which an answer came. */
  readonly pieces: number
  /** At light load: how much longer a call took than without a proxy. */
  readonly addedP50Ms: number
  readonly addedP99Ms: number
}

const ROUNDS = 7
const SLOW_ROUNDS = 2

export interface Contest {
  /** The upstream itself, without a proxy. */
  readonly direct: Contender
  readonly contenders: readonly Contender[]
}

/**
 * Checks that each gives the upstream's own answer, and lets it come up to speed. Returns the
 * contest of those that can take part: a peer that rewrites answers may fail at a kind of call, and
 * this is reported.
 */
export async function warmUp(
  workload: Workload,
  { direct, contenders }: Contest,
): Promise<Contest> {
  const expected = await readAnswer(direct, workload)
  const able: Contender[] = []
  for (const contender of contenders) {
    const fault = await checkAnswer(contender, workload, expected)
    if (fault === null) able.push(contender)
    else if (contender.isPassThrough) throw new Error(fault)
    else console.log(`\n${contender.name} is not run on ${workload.title}: ${fault}`)
  }
  for (const contender of [direct, ...able]) {
    await run(contender, workload, 'warmUp')
    await contender.settle()
  }
  return { direct, contenders: able }
}

export async function measure(
  workload: Workload,
  { direct, contenders }: Contest,
): Promise<Map<Contender, Figures>> {
  const rounds: Disturbed<Map<Contender, Figures>>[] = []
  const slowRounds: Map<Contender, Figures>[] = []
  const isSlow = (contender: Contender): boolean => contender.isSlow
  for (let round = 0; round < ROUNDS; round++) {
    const stolenBefore = readStolenMicros()
    const unproxied = await measureRound(direct, workload, { p50Ms: 0, p99Ms: 0 })
    const baseline = { p50Ms: unproxied.addedP50Ms, p99Ms: unproxied.addedP99Ms }
    const measured = new Map([[direct, unproxied]])
    for (const contender of contenders) {
      if (isSlow(contender)) continue
      measured.set(contender, await measureRound(contender, workload, baseline))
    }
    rounds.push({ measured, stolenMicros: readStolenMicros() - stolenBefore })
    if (round >= SLOW_ROUNDS) continue
    const slow = new Map<Contender, Figures>()
    for (const contender of contenders.filter(isSlow)) {
      slow.set(contender, await measureRound(contender, workload, baseline))
    }
    slowRounds.push(slow)
  }
  const counted = calmest(rounds)
  return new Map(
    [direct, ...contenders].map((contender) => {
      const own = isSlow(contender) ? slowRounds : counted
      return [contender, medianOf(own.flatMap((round) => round.get(contender) ?? []))]
    }),
  )
}

interface Baseline {
  readonly p50Ms: number
  readonly p99Ms: number
}

async function measureRound(
  contender: Contender,
  workload: Workload,
  baseline: Baseline,
): Promise<Figures> {
  const cpuBefore = readCpuMicros(contender.pids)
  const loaded = await run(contender, workload, 'loaded')
  const cpuMicros = readCpuMicros(contender.pids) - cpuBefore
  const calls = loaded.latenciesMs.length
  const light = await run(contender, workload, 'light')
  // What is left to do is done before the next has its turn.
  await contender.settle()
  return {
    cpuMicros: cpuMicros / calls,
    callsPerSecond: calls / loaded.seconds,
    pieces: loaded.pieces,
    addedP50Ms: quantile(light.latenciesMs, 0.5) - baseline.p50Ms,
    addedP99Ms: quantile(light.latenciesMs, 0.99) - baseline.p99Ms,
  }
}

function run(
  contender: Contender,
  workload: Workload,
  phase: 'warmUp' | 'loaded' | 'light',
): ReturnType<typeof runCalls> {
  const { path, headers, isSlow } = contender
  const request = createRequest({ path, headers, body: workload.body })
  const counts = isSlow ? workload.slowCounts : workload.counts
  const connections = phase === 'light' ? 1 : workload.connections
  return runCalls(contender, { request, connections, calls: counts[phase] })
}

function medianOf(rounds: readonly Figures[]): Figures {
  const median = (pick: (figures: Figures) => number): number =>
    quantile(Float64Array.from(rounds, pick).sort(), 0.5)
  return {
    cpuMicros: median((figures) => figures.cpuMicros),
    callsPerSecond: median((figures) => figures.callsPerSecond),
    pieces: median((figures) => figures.pieces),
    addedP50Ms: median((figures) => figures.addedP50Ms),
    addedP99Ms: median((figures) => figures.addedP99Ms),
  }
}

/** Between two values where it falls between them. */
export function quantile(ascending: Float64Array, part: number): number {
  const place = (ascending.length - 1) * part
  const below = ascending[Math.floor(place)] ?? Number.NaN
  const above = ascending[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}
