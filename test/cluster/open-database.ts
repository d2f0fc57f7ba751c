// The cluster's PostgreSQL: a server of its own that can be killed and comes back on its port.

import { join } from 'node:path'

import { openPostgresServer } from '../fakes/postgres/postgres-server.ts'
import type { PostgresServer } from '../fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../fakes/postgres/test-database.ts'

export interface ClusterDatabase {
  readonly url: string
  /** As a crash would. */
  kill(): Promise<void>
  start(): Promise<void>
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
  return {
    url,
    kill: () => server.kill(),
    start: async () => {
      server = await openPostgresServer({ bin, folder, port, settings })
    },
    close: () => server.close(),
  }
}
