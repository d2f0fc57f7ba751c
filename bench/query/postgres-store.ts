// A PostgreSQL of the benchmark's own with two years of a company's calls. What is kept in a folder
// is used again by other runs of the same day.

import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { migrateStores } from '../../src/store/databases.ts'
import { LOCKS } from '../../src/store/postgres/locks.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { openPostgresDatabase } from '../../src/store/postgres/database.ts'
import { USAGE_SCHEMA } from '../../src/store/ledger/postgres/schema.ts'
import { openPostgresServer } from '../../test/fakes/postgres/postgres-server.ts'
import type { PostgresServer } from '../../test/fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../../test/fakes/postgres/test-database.ts'
import type { FillOptions } from './filled-store.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import type { MeasuredProcess } from './process-micros.ts'

const run = promisify(execFile)
/** As on a machine of its own, with the defaults of its planner. */
const SETTINGS = [
  'autovacuum=on',
  'jit=on',
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'maintenance_work_mem=256MB',
]

/** Of millions of rows on a busy machine. */
const VACUUM_MS_MAX = 1_800_000

/** Two years of calls on servers of the benchmark's own. */
export interface FilledServers {
  /** Of PostgreSQL. */
  readonly url: string
  /** Of ClickHouse, where single calls are there. */
  readonly callsUrl: string | null
  readonly servers: readonly MeasuredProcess[]
}

/** What is filled beside the sums, or after them. */
export interface FillPlace {
  readonly folder: string
  /** Of a ClickHouse; null where single calls are beside their sums. */
  readonly calls: string | null
  /** Before the store counts as filled. */
  readonly finish?: (url: string) => Promise<void>
}

/** Kept for other runs of the same day, or removed at the end. */
export async function openFolder(
  open: OpenItems,
  { keep, isFull }: FillOptions,
  name: string,
): Promise<string> {
  const day = new Date().toISOString().slice(0, 10)
  const folder =
    keep === undefined
      ? await mkdtemp(join(tmpdir(), `weir-bench-${name}-`))
      : join(keep, `${name}-${isFull ? 'full' : 'tenth'}-${day}`)
  await mkdir(folder, { recursive: true })
  // PostgreSQL runs as another user where this one is root.
  await chmod(folder, 0o755)
  if (keep === undefined) {
    open.add({ close: () => rm(folder, { recursive: true, force: true }) })
  }
  return folder
}

export async function openFilledPostgres(
  open: OpenItems,
  options: FillOptions,
): Promise<FilledServers> {
  const folder = await openFolder(open, options, 'postgres')
  const { url, pid } = await fillOnce(open, options, { folder, calls: null })
  await migrateStores({ settings: url, usage: url })
  return { url, callsUrl: null, servers: [{ name: 'PostgreSQL', pid }] }
}

export async function fillOnce(
  open: OpenItems,
  options: FillOptions,
  { folder, calls, finish }: FillPlace,
): Promise<PostgresServer> {
  const bin = listPostgresPrograms()[0]?.bin ?? ''
  const server = open.add(await openPostgresServer({ bin, folder, settings: SETTINGS }))
  const mark = join(folder, 'filled')
  if (!existsSync(mark)) {
    await fill(server.url, options, calls)
    await finish?.(server.url)
    await writeFile(mark, '')
  }
  return server
}

async function fill(
  url: string,
  { isFull, signal }: FillOptions,
  calls: string | null,
): Promise<void> {
  const database = openPostgresDatabase({
    url,
    name: 'usage store',
    lock: LOCKS.usage,
    statementMsMax: VACUUM_MS_MAX,
  })
  // A run that ended in its midst may have left half of it.
  await database.run('DROP SCHEMA public CASCADE')
  await database.run('CREATE SCHEMA public')
  await migratePostgres(database, USAGE_SCHEMA)
  const entry = fileURLToPath(new URL('./run-fill.ts', import.meta.url))
  const words = [`--url=${url}`, `--end=${Date.now()}`, ...(isFull ? ['--full'] : [])]
  if (calls !== null) words.push(`--calls=${calls}`)
  await run(process.execPath, [entry, ...words], { signal })
  for (const text of ['VACUUM (ANALYZE)', 'CHECKPOINT']) await database.run(text)
  await database.close()
}
