// Database servers of the benchmark's own, with all tables of Weir's.

import { join } from 'node:path'

import { createClient } from '@clickhouse/client'
import { openClickhouse } from '../../src/store/clickhouse/database.ts'
import { migrateStores } from '../../src/store/databases.ts'
import { openClickhouseServer } from '../../test/fakes/clickhouse/clickhouse-server.ts'
import { toCallsUrl } from '../../test/fakes/clickhouse/usage-place.ts'
import { openPostgresServer } from '../../test/fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../../test/fakes/postgres/test-database.ts'
import type { OpenItems } from './benchmark.ts'
import type { MeasuredProcess } from './process-figures.ts'

export interface Servers {
  /** Of PostgreSQL. */
  readonly url: string
  /** Of ClickHouse, where single calls are there. */
  readonly callsUrl: string | null
  readonly processes: readonly MeasuredProcess[]
}

/** As on a machine of its own, with the defaults of its planner and its disk's promises on. */
const SETTINGS = [
  'fsync=on',
  'full_page_writes=on',
  'autovacuum=on',
  'jit=on',
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'maintenance_work_mem=256MB',
]

/** Of millions of rows on a busy machine. */
const STATEMENT_MS_MAX = 1_800_000

/** PostgreSQL, and beside it ClickHouse for single calls. What is in the folder is used again. */
export async function openServers(
  open: OpenItems,
  folder: string,
  hasClickhouse: boolean,
): Promise<Servers> {
  const bin = listPostgresPrograms()[0]?.bin ?? ''
  const { url, pid } = open.add(
    await openPostgresServer({ bin, folder: join(folder, 'postgres'), settings: SETTINGS }),
  )
  const processes: MeasuredProcess[] = [{ name: 'PostgreSQL', pid }]
  let callsUrl: string | null = null
  if (hasClickhouse) {
    const engine = open.add(
      await openClickhouseServer({ folder: join(folder, 'clickhouse'), compilesQueries: true }),
    )
    const client = createClient({ url: engine.url })
    await client.command({ query: 'CREATE DATABASE IF NOT EXISTS weir' })
    await client.close()
    callsUrl = `${toCallsUrl(engine.url)}/weir`
    processes.push({ name: 'ClickHouse', pid: engine.pid, isByTicks: true })
  }
  await migrateStores({ settings: url, usage: url, calls: callsUrl })
  return { url, callsUrl, processes }
}

/** The tables of ClickHouse, merged as they are by themselves after a while. */
export async function printCallsTables(callsUrl: string): Promise<void> {
  const calls = openClickhouse({ url: callsUrl, statementMsMax: STATEMENT_MS_MAX })
  await calls.run('OPTIMIZE TABLE calls FINAL SETTINGS optimize_skip_merged_partitions = 1')
  const tables = await calls.all<{ name: string; rows: number; bytes: number }>(
    `SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes
      FROM system.parts WHERE database = currentDatabase() AND active GROUP BY table`,
  )
  await calls.close()
  for (const { name, rows, bytes } of tables) {
    console.log(`  ${name}: ${rows} rows, ${(bytes / rows).toFixed(1)} bytes each on disk`)
  }
}
