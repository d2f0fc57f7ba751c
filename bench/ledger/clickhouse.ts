// What storing calls in ClickHouse costs, with the book and the sums in PostgreSQL: CPU of both
// servers and of the node by the size of a batch, several nodes at once, and bytes a call.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient } from '@clickhouse/client'
import { openClickhouse } from '../../src/store/clickhouse/database.ts'
import type { ClickhouseDatabase } from '../../src/store/clickhouse/database.ts'
import { migrateClickhouse } from '../../src/store/clickhouse/schema.ts'
import { openClickhouseServer } from '../../test/fakes/clickhouse/clickhouse-server.ts'
import { toCallsUrl } from '../../test/fakes/clickhouse/usage-place.ts'
import { openPostgresServer } from '../../test/fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../../test/fakes/postgres/test-database.ts'
import { migrateUsage } from '../../test/fakes/postgres/usage-place.ts'
import { printTable } from '../relay/print-table.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import { SETTINGS } from './postgres.ts'
import { writeAtOnce } from './writers.ts'
import type { WriterPlace, Written } from './writers.ts'

const SIZES = [10_000, 1000, 100] as const
const WRITERS = [1, 2, 4] as const
const WRITERS_BATCH = 5000

export async function measureClickhouse(open: OpenItems, isFull: boolean): Promise<void> {
  const { place, calls } = await openServers(open)
  const rows: string[][] = []
  let from = 0
  for (const size of SIZES) {
    const batches = Math.max(20, (isFull ? 400_000 : 100_000) / size)
    const written = await writeAtOnce(place, { size, batches, writers: 1 }, from)
    from += (batches + 5) * size
    rows.push([String(size), ...toCells(written)])
  }
  const head = ['calls', 'PostgreSQL µs', 'ClickHouse µs', 'node µs', 'calls/s']
  printTable('CPU a call by the size of a batch', [head, ...rows])
  const several: string[][] = []
  for (const writers of WRITERS) {
    const plan = { size: WRITERS_BATCH, batches: 15, writers }
    several.push([String(writers), ...toCells(await writeAtOnce(place, plan, from))])
    from += writers * (plan.batches + 5) * plan.size
  }
  printTable(`several nodes at once, batches of ${WRITERS_BATCH}`, [
    ['nodes', ...head.slice(1)],
    ...several,
  ])
  await printBytes(calls)
}

function toCells({ byServer, nodeMicros, callsPerSecond }: Written): readonly string[] {
  return [...byServer, nodeMicros, callsPerSecond].map((figure) => figure.toFixed(0))
}

async function openServers(
  open: OpenItems,
): Promise<{ readonly place: WriterPlace; readonly calls: ClickhouseDatabase }> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-bench-ledger-'))
  // PostgreSQL runs as another user where this one is root.
  await chmod(folder, 0o755)
  open.add({ close: () => rm(folder, { recursive: true, force: true }) })
  const bin = listPostgresPrograms()[0]?.bin ?? ''
  const server = open.add(
    await openPostgresServer({ bin, folder: join(folder, 'postgres'), settings: SETTINGS }),
  )
  await migrateUsage(server.url)
  const engine = open.add(
    await openClickhouseServer({ folder: join(folder, 'clickhouse'), compilesQueries: true }),
  )
  const client = createClient({ url: engine.url })
  await client.command({ query: 'CREATE DATABASE weir' })
  await client.close()
  const callsUrl = `${toCallsUrl(engine.url)}/weir`
  const calls = open.add(openClickhouse({ url: callsUrl }))
  await migrateClickhouse(calls, callsUrl)
  return { place: { url: server.url, callsUrl, pids: [server.pid, engine.pid] }, calls }
}

async function printBytes(calls: ClickhouseDatabase): Promise<void> {
  await calls.run('OPTIMIZE TABLE calls FINAL')
  const [row] = await calls.all<{ rows: number; bytes: number }>(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
      WHERE database = currentDatabase() AND table = 'calls' AND active`,
  )
  const { rows = 0, bytes = 0 } = row ?? {}
  console.log(`  ${(bytes / rows).toFixed(1)} bytes a call on disk, of ${rows} calls`)
}
