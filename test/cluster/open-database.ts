// The cluster's PostgreSQL: a server of its own that can be killed and comes back on its port.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import { openPostgresServer } from '../fakes/postgres/postgres-server.ts'
import type { PostgresServer } from '../fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../fakes/postgres/test-database.ts'

/** After a kill its children use its memory for a moment longer. */
const START_MS_MAX = 20_000
const RETRY_MS = 200

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
      const until = systemClock.monotonic() + START_MS_MAX
      for (;;) {
        try {
          server = await openPostgresServer({ bin, folder, port, settings })
          return
        } catch (error) {
          if (systemClock.monotonic() > until) throw error
          await pause(RETRY_MS)
        }
      }
    },
    close: () => server.close(),
  }
}
