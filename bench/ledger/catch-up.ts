// What callers feel while the ledger catches up: the real program under steady traffic, now with a
// backlog of calls in its journals, now without, in turns. A backlog is what workers wrote while
// nothing was stored: here their whole directories are put where the program looks for them. All of
// it must be stored in the end, and nothing lost.

import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

import type { Program } from '../../test/fakes/program.ts'
import type { OpenItems } from '../harness/benchmark.ts'
import { CHAT_BODY, createRequest } from '../harness/calls.ts'
import { openPacedCallers } from '../harness/load.ts'
import { quantile } from '../harness/quantile.ts'
import { until } from '../harness/until.ts'
import { openUpstream } from '../harness/upstream.ts'
import { openWeir, readMetric } from '../harness/weir.ts'
import { measureInTurns, watchWaits } from './calm-rounds.ts'
import type { Waits } from './calm-rounds.ts'
import { writeJournals } from './write-journals.ts'

export const ROUNDS = 10
export const BACKLOG_CALLS = 100_000
const WINDOW_SECONDS = 5
const SLICE_SECONDS = 1
/** For half a minute engines compile what is called often. */
const WARM_UP_SECONDS = 30
const DAY_MS = 86_400_000
/** What the traffic itself leaves between two rounds of the ledger is no backlog. */
const BACKLOG_BYTES_MIN = 4_000_000

export async function measureCatchUp(open: OpenItems) {
  const backlogs = await writeBacklogs(open)
  const weir = await openWeir(open, await openUpstream(open))
  const { program } = weir
  const callers = open.add(await openPacedCallers(weir, createRequest(weir, CHAT_BODY)))
  await callers.run(WARM_UP_SECONDS)
  const speeds: number[] = []
  const measureCalm = (): Promise<Waits> => watchWaits(() => callers.run(WINDOW_SECONDS))
  const rounds = await measureInTurns(ROUNDS, measureCalm, async (round) => {
    await untilStored(program)
    const startedAt = performance.now()
    const backlog = backlogs[round] as string
    for (const worker of await readdir(backlog)) {
      await rename(join(backlog, worker), join(program.dataDir, 'journal', worker))
    }
    await until(() => isBehind(program), 'the ledger sees a backlog')
    const waits = await watchWaits(() => runWhileBehind(callers.run, program))
    await untilStored(program)
    speeds.push((1000 * BACKLOG_CALLS) / (performance.now() - startedAt))
    return waits
  })
  await weir.settle()
  await checkCounts(program, weir.answered + ROUNDS * BACKLOG_CALLS)
  return { rounds, callsPerSecond: quantile(speeds, 0.5) }
}

async function writeBacklogs(open: OpenItems): Promise<readonly string[]> {
  const dir = await open.addFolder()
  const backlogs: string[] = []
  while (backlogs.length < ROUNDS) {
    const round = backlogs.length
    const backlog = join(dir, String(round))
    await mkdir(backlog)
    await writeJournals(backlog, [`w${100 + 2 * round}`, `w${101 + 2 * round}`], {
      count: BACKLOG_CALLS,
      from: round * BACKLOG_CALLS,
      // Of the days before: what is older than the retention would be removed beside it.
      startMs: Date.now() - 7 * DAY_MS,
    })
    backlogs.push(backlog)
  }
  return backlogs
}

/** Calls in slices, as long as something waits to be stored and the time is not up. */
async function runWhileBehind(
  run: (seconds: number) => Promise<readonly number[]>,
  program: Program,
): Promise<readonly number[]> {
  const waits: number[] = []
  for (let second = 0; second < WINDOW_SECONDS; second += SLICE_SECONDS) {
    const slice = await run(SLICE_SECONDS)
    if (!(await isBehind(program))) break
    waits.push(...slice)
  }
  if (waits.length === 0) throw new Error('The backlog was stored before a call could meet it.')
  return waits
}

async function isBehind(program: Program): Promise<boolean> {
  return (await readMetric(program, 'weir_journal_lag_bytes')) > BACKLOG_BYTES_MIN
}

function untilStored(program: Program): Promise<void> {
  const isStored = async () => (await readMetric(program, 'weir_journal_lag_bytes')) === 0
  return until(isStored, 'the ledger has caught up')
}

async function checkCounts(program: Program, calls: number): Promise<void> {
  const isSettled = async () => (await readMetric(program, 'weir_calls_pending')) === 0
  await until(isSettled, 'no call is pending')
  const recorded = await readMetric(program, 'weir_calls_recorded')
  const lost = await readMetric(program, 'weir_calls_lost')
  if (recorded === calls && lost === 0) return
  throw new Error(`Of ${calls} calls ${recorded} are on record, and ${lost} are lost.`)
}
