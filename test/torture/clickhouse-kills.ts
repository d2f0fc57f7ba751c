// Two nodes store calls in one ClickHouse, with their book in PostgreSQL, while the nodes and the
// ClickHouse are killed: at random, and between writing a part and giving it its name. Sums by
// month are made meanwhile. After each round every call is on record once, and all sums are those
// of the records.

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@clickhouse/client'
import { createRandom } from './random.ts'
import { WeirError } from '../../src/core/weir-error.ts'
import { openClickhouse } from '../../src/store/clickhouse/database.ts'
import { migrateClickhouse } from '../../src/store/clickhouse/schema.ts'
import { openPostgresLedger } from '../../src/store/ledger/postgres/store.ts'
import type { AnalysisQuestion } from '../../src/store/usage/analysis.ts'
import { openClickhouseRecords } from '../../src/store/usage/clickhouse/open-records.ts'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'
import { CENT } from '../contracts/usage-budget-scene.ts'
import { findFaults, total } from '../contracts/usage-scene.ts'
import { openClickhouseServer } from '../fakes/clickhouse/clickhouse-server.ts'
import type { ClickhouseServer } from '../fakes/clickhouse/clickhouse-server.ts'
import { toCallsUrl } from '../fakes/clickhouse/usage-place.ts'
import { openTestDatabase } from '../fakes/postgres/test-database.ts'
import type { Cleanups } from '../fakes/servers/shared-server.ts'
import { migrateUsage } from '../fakes/postgres/usage-place.ts'

const NODES = ['1', '2']
const CALLS_PER_ROUND = 400
const BATCH = 20
/** A part that is written comes with the next batch. */
const PART_MS_MAX = 20_000
/** As one sum. */
const OCTOBER: AnalysisQuestion = {
  fromMs: Date.UTC(2026, 9),
  toMs: Date.UTC(2026, 10),
  interval: 'none',
  groupBy: [],
  filters: [],
  hasLatencies: false,
}
const ENTRY = fileURLToPath(new URL('../fakes/postgres/run-node.ts', import.meta.url))

export interface KillRounds {
  /** Each kills a node, and the ClickHouse at random and between a part and its name. */
  readonly rounds: number
  readonly seed: number
  readonly say: (line: string) => void
}

/** What was wrong after a round, in sentences; it ends at the first. */
export async function runClickhouseKills(
  context: Cleanups,
  { rounds, seed, say }: KillRounds,
): Promise<readonly string[]> {
  const random = createRandom(seed)
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-clickhouse-kills-'))
  const server = await openClickhouseServer({ folder })
  context.after(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const places = { url: await openTestDatabase(context), callsUrl: await createCalls(server) }
  await migrateUsage(places.url)
  for (let round = 1; round <= rounds; round += 1) {
    const calls = round * CALLS_PER_ROUND
    const victim = NODES[random(NODES.length)]
    const nodes = NODES.map((node) => ({ node, calls, kill: node === victim }))
    const stored = Promise.all(nodes.map((each) => runNode(each, { ...places, random })))
    const summed = sumUntil(places, stored)
    await pause(random(700))
    await server.kill()
    await server.restart()
    await killAtRename(server, folder)
    await Promise.all([stored, summed])
    const faults = await judge(places, calls)
    say(
      `round ${round}: ${faults.length === 0 ? `${calls} calls a node, exact` : faults.join(' ')}`,
    )
    if (faults.length > 0) return faults
  }
  return []
}

async function createCalls(server: ClickhouseServer): Promise<string> {
  const client = createClient({ url: server.url })
  await client.command({ query: 'CREATE DATABASE weir' })
  await client.close()
  const url = `${toCallsUrl(server.url)}/weir`
  const calls = openClickhouse({ url })
  await migrateClickhouse(calls, url)
  await calls.close()
  return url
}

interface NodeRun {
  readonly node: string
  readonly calls: number
  /** Once, after a few batches. */
  readonly kill: boolean
}

interface Places {
  readonly url: string
  readonly callsUrl: string
}

async function runNode(
  { node, calls, kill }: NodeRun,
  { url, callsUrl, random }: Places & { readonly random: (below: number) => number },
): Promise<void> {
  for (let isKilled = !kill; ;) {
    const args = [ENTRY, url, node, String(calls), String(BATCH), callsUrl]
    const child: ChildProcess = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    let batches = isKilled ? Infinity : 1 + random(8)
    child.stdout?.on('data', (dots: Buffer) => {
      batches -= dots.length
      if (batches <= 0) setTimeout(() => child.kill('SIGKILL'), random(30))
    })
    const [code, signal] = await exited
    if (code === 0) return
    if (signal !== 'SIGKILL') throw new Error(`node ${node} ended with ${code ?? signal}`)
    isKilled = true
  }
}

/** As the leader does, far more often. What fails is tried again. */
async function sumUntil(places: Places, stored: Promise<unknown>): Promise<void> {
  let isStored = false
  const ended = stored.finally(() => {
    isStored = true
  })
  for (let isSummed = false; !isSummed;) {
    isSummed = isStored
    try {
      await sumOnce(places)
    } catch (error) {
      if (!(error instanceof WeirError)) throw error
      isSummed = false
    }
    await pause(50)
  }
  await ended
}

async function sumOnce({ url, callsUrl }: Places): Promise<void> {
  const store = await openPostgresLedger({ url, openRecords: openClickhouseRecords(callsUrl) })
  try {
    await store.usage.upkeep.removeRecords(0, 1)
  } finally {
    await store.close()
  }
}

/** Waits for a part that is written; where all is stored already there is none. */
async function killAtRename(server: ClickhouseServer, folder: string): Promise<void> {
  await server.stopRenames()
  const end = performance.now() + PART_MS_MAX
  const isWritten = (): boolean =>
    globSync('data/store/*/*/tmp_insert_*/columns.txt', { cwd: folder }).some((file) =>
      existsSync(path.join(folder, file)),
    )
  while (!isWritten() && performance.now() < end) await pause(10)
  await server.kill()
  await server.restart()
}

async function judge({ url, callsUrl }: Places, calls: number): Promise<readonly string[]> {
  const distinct = NODES.length * calls - calls / 10
  const store = await openPostgresLedger({
    url,
    readOnly: true,
    openRecords: openClickhouseRecords(callsUrl),
  })
  try {
    const sum = await total(store)
    const { records } = await store.usage.requests.readExtent()
    const listed = await store.usage.requests.summarize(ALL_REQUESTS)
    const tallies = await store.progress.readTallies()
    const recorded = tallies.reduce((count, tally) => count + tally.recorded, 0)
    const analyzed = (await store.usage.analyze([OCTOBER]))[0]?.total
    const counts = [sum?.requests, records, listed.calls, recorded, analyzed?.requests]
    const faults = [...(await findFaults(store))]
    if (counts.some((count) => count !== distinct)) {
      faults.push(
        `${counts.join(', ')} requests, rows, calls, recorded and analyzed instead of ${distinct}.`,
      )
    }
    const cost = BigInt(distinct) * CENT
    if ([sum?.cost, listed.cost, analyzed?.cost].some((each) => each !== cost)) {
      faults.push('The costs are not those sent.')
    }
    return faults
  } finally {
    await store.close()
  }
}
