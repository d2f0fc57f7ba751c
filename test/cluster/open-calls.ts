// The cluster's ClickHouse: a server of its own that can be killed and comes back on its port.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'

import { openClickhouseServer } from '../fakes/clickhouse/clickhouse-server.ts'
import type { ClickhouseServer } from '../fakes/clickhouse/clickhouse-server.ts'
import { toCallsUrl } from '../fakes/clickhouse/usage-place.ts'
import type { Cleanups } from '../fakes/servers/shared-server.ts'

export interface CallsServer extends Pick<ClickhouseServer, 'kill' | 'restart'> {
  /** As `usage.url` has it, with an empty database. */
  readonly callsUrl: string
}

export async function openCallsServer(context: Cleanups): Promise<CallsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'weir-cluster-calls-'))
  const server = await openClickhouseServer({ folder })
  context.after(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const client = createClient({ url: server.url })
  await client.command({ query: 'CREATE DATABASE weir' })
  await client.close()
  return {
    callsUrl: `${toCallsUrl(server.url)}/weir`,
    kill: () => server.kill(),
    restart: () => server.restart(),
  }
}
