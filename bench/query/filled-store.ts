// Two years of a company's calls in any store: a file, a PostgreSQL of the benchmark's own, or a
// ClickHouse beside it. What is kept in a folder is used again by other runs of the same day.

import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { openPostgresDatabase } from '../../src/store/postgres/database.ts'
import { LOCKS } from '../../src/store/postgres/locks.ts'
import type { OpenItems } from '../harness/benchmark.ts'
import { openChild } from '../../test/fakes/servers/child.ts'
import { keep } from '../harness/options.ts'
import type { StoreName } from '../harness/options.ts'
import { openServers } from '../harness/servers.ts'
import type { Servers } from '../harness/servers.ts'
import type { ToFill } from './run-fill.ts'

export interface FillOptions {
  readonly store: StoreName
  /** All ten million calls, which takes a quarter of an hour, or a tenth of them. */
  readonly isFull: boolean
}

export interface FilledStore extends Omit<Servers, 'url'> {
  /** Of PostgreSQL; null where the store is a file. */
  readonly url: string | null
  /** With the file. */
  readonly dataDir: string
}

const NO_SERVERS = { url: null, callsUrl: null, processes: [] } as const
/** Of millions of rows on a busy machine. */
const STATEMENT_MS_MAX = 1_800_000

export async function openFilledStore(open: OpenItems, options: FillOptions): Promise<FilledStore> {
  const { store, isFull } = options
  const day = new Date().toISOString().slice(0, 10)
  const folder =
    keep === undefined
      ? await open.addFolder()
      : join(keep, `${store}-${isFull ? 'full' : 'tenth'}-${day}`)
  const mark = join(folder, 'filled')
  // A run that ended in its midst may have left half of it.
  if (keep !== undefined && !existsSync(mark)) await rm(folder, { recursive: true, force: true })
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { recursive: true })
  const servers =
    store === 'sqlite' ? NO_SERVERS : await openServers(open, folder, store === 'clickhouse')
  if (!existsSync(mark)) {
    const child = open.add(openChild<ToFill, unknown>(new URL('./run-fill.ts', import.meta.url)))
    const { url, callsUrl } = servers
    await child.ask({ dataDir, url, callsUrl, endMs: Date.now(), isFull })
    await child.close()
    if (url !== null) await vacuum(url)
    await writeFile(mark, '')
  }
  return { dataDir, ...servers }
}

/** As the server does by itself after a while. */
async function vacuum(url: string): Promise<void> {
  const fixed = { name: 'usage store', lock: LOCKS.usage, statementMsMax: STATEMENT_MS_MAX }
  const database = openPostgresDatabase({ url, ...fixed })
  for (const text of ['VACUUM (ANALYZE)', 'CHECKPOINT']) await database.run(text)
  await database.close()
}
