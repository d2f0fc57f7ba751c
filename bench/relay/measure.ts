// Measures contenders on one workload in turns, round after round: a shared machine is now fast,
// now slow, and only what was measured side by side can be compared. A figure is the median of the
// rounds in which the machine was least disturbed.

import { createRequest, ID } from '../harness/calls.ts'
import type { Contender } from '../harness/contender.ts'
import { runCalls } from '../harness/load.ts'
import type { LoadFigures } from '../harness/load.ts'
import { readCpuMicros, watchOthers } from '../harness/process-figures.ts'
import { calmest, median, quantile } from '../harness/quantile.ts'
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

const ANSWER_MS_MAX = 30_000
const SHOWN_CHARACTERS = 200
const ROUNDS = 7
const COUNTED_ROUNDS = 4

/** The upstream itself, without a proxy, and those before it. */
export type Contest = { readonly direct: Contender; readonly contenders: readonly Contender[] }

/**
 * Checks that each gives the upstream's own answer, and lets it come up to speed: a benchmark of
 * refusals, or of answers that were changed on the way, is worth nothing. Returns the contest of
 * those that can take part: a peer that rewrites answers may fail at a kind of call, and
 * this is reported.
 */
export async function warmUp(
  workload: Workload,
  { direct, contenders }: Contest,
): Promise<Contest> {
  const { body: expected } = await readAnswer(direct, workload)
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
  const rounds: { readonly measured: Map<Contender, Figures>; readonly others: number }[] = []
  while (rounds.length < ROUNDS) {
    const readOthers = watchOthers()
    const unproxied = await measureRound(direct, workload, null)
    const measured = new Map([[direct, unproxied]])
    for (const contender of contenders) {
      measured.set(contender, await measureRound(contender, workload, unproxied))
    }
    rounds.push({ measured, others: readOthers() })
  }
  const counted = calmest(rounds, COUNTED_ROUNDS)
  return new Map(
    [direct, ...contenders].map((contender) => {
      const own = counted.map(({ measured }) => measured.get(contender) as Figures)
      const figures = {
        cpuMicros: median(own, ({ cpuMicros }) => cpuMicros),
        callsPerSecond: median(own, ({ callsPerSecond }) => callsPerSecond),
        pieces: median(own, ({ pieces }) => pieces),
        addedP50Ms: median(own, ({ addedP50Ms }) => addedP50Ms),
        addedP99Ms: median(own, ({ addedP99Ms }) => addedP99Ms),
      }
      return [contender, figures]
    }),
  )
}

async function measureRound(
  contender: Contender,
  workload: Workload,
  unproxied: Figures | null,
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
    addedP50Ms: quantile(light.latenciesMs, 0.5) - (unproxied?.addedP50Ms ?? 0),
    addedP99Ms: quantile(light.latenciesMs, 0.99) - (unproxied?.addedP99Ms ?? 0),
  }
}

function run(
  contender: Contender,
  workload: Workload,
  phase: keyof Workload['counts'],
): Promise<LoadFigures> {
  const request = createRequest(contender, workload.body)
  const calls = Math.ceil(workload.counts[phase] / (contender.isSlow ? workload.slowDivisor : 1))
  const connections = phase === 'light' ? 1 : workload.connections
  return runCalls(contender, { request, connections, calls })
}

/**
 * What is wrong with its answer, in a sentence; null when it is the one expected. The body is
 * compared as a client reads it, with its chunks put together.
 */
async function checkAnswer(
  contender: Contender,
  workload: Workload,
  expected: string,
): Promise<string | null> {
  const { status, body } = await readAnswer(contender, workload)
  const shown = body.slice(0, SHOWN_CHARACTERS)
  if (status !== 200) return `${contender.name} answered ${status}, ${shown}`
  const isSame = contender.isPassThrough ? body === expected : body.includes(ID)
  return isSame ? null : `${contender.name} changed the answer, ${shown}`
}

async function readAnswer(
  contender: Contender,
  workload: Workload,
): Promise<{ readonly status: number; readonly body: string }> {
  const headers = contender.headers.map((line) => line.split(': ', 2) as [string, string])
  headers.push(['content-type', 'application/json'], ['authorization', 'Bearer sk-bench'])
  const answer = await fetch(`http://127.0.0.1:${contender.port}${contender.path}`, {
    method: 'POST',
    headers,
    body: workload.body,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  })
  const body = await answer.text()
  if (answer.status === 200) contender.answered += 1
  return { status: answer.status, body }
}
