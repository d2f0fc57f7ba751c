// What callers feel while the ledger catches up: the real program under steady traffic, now with a
// backlog of calls in its journals, now without, in turns. A backlog is what workers wrote while
// nothing was stored: here their whole directories are put where the program looks for them. All of
// it must be stored in the end, and nothing lost.

import { execFile } from 'node:child_process'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { createChatBody, createRequest } from '../relay/calls.ts'
import { findFreePort } from '../relay/contender.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import { openUpstream } from '../relay/upstream.ts'
import { openWeir } from '../relay/weir.ts'
import { watchWaits } from './calm-rounds.ts'
import type { Round, Waits } from './calm-rounds.ts'
import { openPacedCallers } from './paced-callers.ts'
import type { PacedCallers } from './paced-callers.ts'

export interface CatchUpRound extends Round {
  /** How fast the backlog was stored beside the traffic. */
  readonly callsPerSecond: number
}

export const ROUNDS = 10
export const BACKLOG_CALLS = 100_000
const WINDOW_SECONDS = 5
const SLICE_SECONDS = 1
/** For half a minute engines compile what is called often. */
const WARM_UP_SECONDS = 30
const LOOK_MS = 100
const STORED_MS_MAX = 180_000
const DAY_MS = 86_400_000

const run = promisify(execFile)
const WRITER = fileURLToPath(new URL('./run-writer.ts', import.meta.url))

export async function measureCatchUp(open: OpenItems, dir: string): Promise<CatchUpRound[]> {
  const backlogs = await writeBacklogs(dir)
  const dataDir = join(dir, 'data')
  const apiPort = await findFreePort()
  const upstream = open.add(await openUpstream())
  await upstream.answerWith('chat')
  const settings = { DATA_DIR: dataDir, API_PORT: String(apiPort) }
  const weir = open.add(await openWeir(upstream.port, settings))
  const { path, headers } = weir
  const request = createRequest({ path, headers, body: createChatBody() })
  const callers = open.add(await openPacedCallers(weir, request))
  const metrics = `http://127.0.0.1:${apiPort}/metrics`
  await callers.run(WARM_UP_SECONDS)

  const rounds: CatchUpRound[] = []
  const measureCalm = (): Promise<Waits> => watchWaits(() => callers.run(WINDOW_SECONDS))
  for (const [index, backlog] of backlogs.entries()) {
    // What changes from minute to minute is to favour neither.
    const before = index % 2 === 0 ? await measureCalm() : null
    await untilStored(metrics)
    const startedAt = performance.now()
    await putInPlace(backlog, join(dataDir, 'journal'))
    await untilBehind(metrics)
    const busy = await watchWaits(() => runWhileBehind(callers, metrics))
    await untilStored(metrics)
    const seconds = (performance.now() - startedAt) / 1000
    const calm = before ?? (await measureCalm())
    rounds.push({ calm, busy, callsPerSecond: BACKLOG_CALLS / seconds })
  }
  await weir.settle()
  await checkCounts(metrics, weir.answered + ROUNDS * BACKLOG_CALLS)
  return rounds
}

async function writeBacklogs(dir: string): Promise<readonly string[]> {
  const backlogs: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const backlog = join(dir, `backlog-${round}`)
    await mkdir(backlog)
    const words = {
      dir: backlog,
      workers: `w${100 + 2 * round},w${101 + 2 * round}`,
      count: BACKLOG_CALLS,
      from: round * BACKLOG_CALLS,
      // Of the days before: what is older than the retention would be removed beside it.
      start: Date.now() - 7 * DAY_MS,
    }
    const list = Object.entries(words).map(([name, value]) => `--${name}=${value}`)
    await run(process.execPath, [WRITER, ...list])
    backlogs.push(backlog)
  }
  return backlogs
}

async function putInPlace(backlog: string, journal: string): Promise<void> {
  for (const worker of await readdir(backlog)) {
    await rename(join(backlog, worker), join(journal, worker))
  }
}

/** Calls in slices, as long as something waits to be stored and the time is not up. */
async function runWhileBehind(callers: PacedCallers, metrics: string): Promise<readonly number[]> {
  const waits: number[] = []
  for (let second = 0; second < WINDOW_SECONDS; second += SLICE_SECONDS) {
    const slice = await callers.run(SLICE_SECONDS)
    if ((await readMetric(metrics, 'weir_journal_lag_bytes')) < BACKLOG_BYTES_MIN) break
    waits.push(...slice)
  }
  if (waits.length === 0) throw new Error('The backlog was stored before a call could meet it.')
  return waits
}

/** What the traffic itself leaves between two rounds of the ledger is no backlog. */
const BACKLOG_BYTES_MIN = 4_000_000

function untilBehind(metrics: string): Promise<void> {
  return until(
    async () => (await readMetric(metrics, 'weir_journal_lag_bytes')) > BACKLOG_BYTES_MIN,
  )
}

function untilStored(metrics: string): Promise<void> {
  return until(async () => (await readMetric(metrics, 'weir_journal_lag_bytes')) === 0)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + STORED_MS_MAX
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error('The ledger does not catch up.')
    await pause(LOOK_MS)
  }
}

async function checkCounts(metrics: string, calls: number): Promise<void> {
  await until(async () => (await readMetric(metrics, 'weir_calls_pending')) === 0)
  const recorded = await readMetric(metrics, 'weir_calls_recorded')
  const lost = await readMetric(metrics, 'weir_calls_lost')
  if (recorded === calls && lost === 0) return
  throw new Error(`Of ${calls} calls ${recorded} are on record, and ${lost} are lost.`)
}

async function readMetric(address: string, name: string): Promise<number> {
  const text = await (await fetch(address)).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}
