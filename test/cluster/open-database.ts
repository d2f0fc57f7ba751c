// The cluster's PostgreSQL: a server of its own that can be killed and comes back on its port, as
// it was, as it was before, or empty.

import { join } from 'node:path'
import pg from 'pg'

import { restoreData, saveData } from '../fakes/postgres/past-server.ts'
import { openPostgresServer } from '../fakes/postgres/postgres-server.ts'
import type { PostgresServer } from '../fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../fakes/postgres/test-database.ts'

export interface ClusterDatabase {
  readonly url: string
  /** As a crash would. */
  kill(): Promise<void>
  start(): Promise<void>
  /** What `goBack` leads to. It is away for a moment. */
  save(): Promise<void>
  /** A server over the saved data in its place, as a replica that lagged, or a restore. */
  goBack(): Promise<void>
  /** Without tables, on the same server. */
  empty(): Promise<void>
  close(): Promise<void>
}

export async function openClusterDatabase(
  root: string,
  settings: readonly string[] = [],
): Promise<ClusterDatabase> {
  const [{ bin } = { bin: '' }] = listPostgresPrograms()
  const folder = join(root, 'postgres')
  let server: PostgresServer = await openPostgresServer({ bin, folder, settings })
  const { port, url } = server
  const start = async (): Promise<void> => {
    server = await openPostgresServer({ bin, folder, port, settings })
  }
  return {
    url,
    kill: () => server.kill(),
    start,
    save: async () => {
      await server.close()
      await saveData(folder)
      await start()
    },
    goBack: async () => {
      await server.close()
      await restoreData(folder)
      await start()
    },
    empty: async () => {
      const client = new pg.Client(url)
      await client.connect()
      await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      await client.end()
    },
    close: () => server.close(),
  }
}
