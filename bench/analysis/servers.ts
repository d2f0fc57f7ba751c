// What a question of GET /v1/analysis costs where the calls are in ClickHouse, through HTTP and a
// `weir api`: any question within 31 days, and all months by month, with what it takes to make the
// sums that months are answered from. CPU is of ClickHouse, of PostgreSQL and of the API, a
// question.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'

import { openClickhouse } from '../../src/store/clickhouse/database.ts'
import { migrateClickhouse } from '../../src/store/clickhouse/schema.ts'
import { openPostgresLedger } from '../../src/store/ledger/postgres/store.ts'
import { openClickhouseRecords } from '../../src/store/usage/clickhouse/open-records.ts'
import { migrateStores } from '../../src/store/databases.ts'
import { openClickhouseServer } from '../../test/fakes/clickhouse/clickhouse-server.ts'
import { toCallsUrl } from '../../test/fakes/clickhouse/usage-place.ts'
import { openProgram } from '../../test/fakes/program.ts'
import { createRandom } from '../ledger/company.ts'
import { watchOthers } from '../ledger/others-share.ts'
import { createPurse, openAsker } from '../query/asker.ts'
import type { Asker } from '../query/asker.ts'
import { createTokens } from '../query/filled-store.ts'
import type { FillOptions } from '../query/filled-store.ts'
import { fillOnce, openFolder } from '../query/postgres-store.ts'
import { MONTHS } from '../query/two-years.ts'
import { quantile } from '../relay/measure.ts'
import { printTable } from '../relay/print-table.ts'
import { readTreeCpuMicros } from '../relay/process-figures.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import { drawMonths, drawQuestion } from './questions.ts'

const TOKENS = 100
const QUESTIONS = 300
const MONTHS_QUESTIONS = 60
const WARM_UP = 20
const SEED = 20_261_117

interface Measured {
  readonly asker: Asker
  /** Of the three kinds of processes. */
  readonly pids: readonly number[]
}

/** Printed beside the bars of SQLite; it has none of its own. */
export async function measureClickhouse(open: OpenItems, options: FillOptions): Promise<boolean> {
  const folder = await openFolder(open, options, 'clickhouse')
  const engine = open.add(await openClickhouseServer({ folder: join(folder, 'engine') }))
  const calls = await createCalls(engine.url, folder)
  const book = await fillOnce(open, options, { folder: join(folder, 'book'), calls })
  await printSize(calls, 'calls')
  await migrateStores({ settings: book.url, usage: book.url, calls })
  await makeSums({ book: book.url, calls, enginePid: engine.pid })
  const settings = { SETTINGS_URL: book.url, USAGE_URL: calls, RETENTION_EVENTS: '36500' }
  const program = open.add(await openProgram({ command: 'api', settings }))
  const tokens = await createTokens({ dataDir: program.dataDir, url: book.url }, TOKENS)
  const asker = open.add(
    await openAsker(Number(new URL(program.addresses.api).port), createPurse(tokens)),
  )
  const [api = 0] = program.pids('api')
  const measured = { asker, pids: [engine.pid, book.server.pid, api] }
  const random = createRandom(SEED)
  const endMs = Date.now()
  const within = () => drawQuestion(random, endMs, MONTHS)
  for (let index = 0; index < WARM_UP; index += 1) await asker.ask(within(), '/v1/analysis')
  const rows = [
    await measure(measured, 'within 31 days', { draw: within, count: QUESTIONS }),
    await measure(measured, `${MONTHS} months by month`, {
      draw: () => drawMonths(random, endMs, MONTHS),
      count: MONTHS_QUESTIONS,
    }),
  ]
  const head = ['', 'p50', 'p90', 'p99', 'most', 'ClickHouse', 'PostgreSQL', 'API', 'others had']
  printTable('answers, ms, and CPU of each, ms a question', [head, ...rows])
  return true
}

async function measure(
  { asker, pids }: Measured,
  name: string,
  { draw, count }: { readonly draw: () => string; readonly count: number },
): Promise<string[]> {
  const readOthers = watchOthers()
  const before = pids.map(readTreeCpuMicros)
  const waits: number[] = []
  while (waits.length < count) waits.push((await asker.ask(draw(), '/v1/analysis')).ms)
  const cpu = pids.map((pid, at) => (readTreeCpuMicros(pid) - (before[at] ?? 0)) / 1000 / count)
  const ms = Float64Array.from(waits).sort()
  return [
    name,
    ...[0.5, 0.9, 0.99, 1].map((share) => quantile(ms, share).toFixed(0)),
    ...cpu.map((each) => each.toFixed(0)),
    readOthers().toFixed(2),
  ]
}

/** An empty database, unless one that was filled before is there. */
async function createCalls(server: string, folder: string): Promise<string> {
  const url = `${toCallsUrl(server)}/weir`
  const client = createClient({ url: server })
  if (!existsSync(join(folder, 'book', 'filled'))) {
    await client.command({ query: 'DROP DATABASE IF EXISTS weir SYNC' })
    await client.command({ query: 'CREATE DATABASE weir' })
  }
  await client.close()
  const calls = openClickhouse({ url })
  await migrateClickhouse(calls, url)
  await calls.close()
  return url
}

/** As the leader does each hour. Those that an earlier run has made are used again. */
async function makeSums({
  book,
  calls,
  enginePid,
}: {
  readonly book: string
  readonly calls: string
  readonly enginePid: number
}): Promise<void> {
  const store = await openPostgresLedger({ url: book, openRecords: openClickhouseRecords(calls) })
  const [startedAt, cpuBefore] = [performance.now(), readTreeCpuMicros(enginePid)]
  await store.usage.upkeep.removeRecords(0, 1)
  const [ms, cpu] = [performance.now() - startedAt, readTreeCpuMicros(enginePid) - cpuBefore]
  await store.close()
  console.log(`sums by month: ${ms.toFixed(0)} ms, ${(cpu / 1000).toFixed(0)} ms CPU of ClickHouse`)
  await printSize(calls, 'month_sums')
}

async function printSize(url: string, table: 'calls' | 'month_sums'): Promise<void> {
  const calls = openClickhouse({ url, statementMsMax: 600_000 })
  await calls.run(`OPTIMIZE TABLE ${table} FINAL`)
  const [row] = await calls.all<{ rows: number; bytes: number }>(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
      WHERE database = currentDatabase() AND table = '${table}' AND active`,
  )
  await calls.close()
  const { rows = 0, bytes = 0 } = row ?? {}
  console.log(`${table}: ${rows} rows, ${(bytes / rows).toFixed(1)} bytes each on disk`)
}
