// The cluster's ClickHouse: a server of its own that can be killed and comes back on its port.

import { join } from 'node:path'
import { createClient } from '@clickhouse/client'

import { openClickhouseServer } from '../fakes/clickhouse/clickhouse-server.ts'
import type { ClickhouseServer } from '../fakes/clickhouse/clickhouse-server.ts'
import { toCallsUrl } from '../fakes/clickhouse/usage-place.ts'

export interface CallsServer extends Pick<ClickhouseServer, 'pid' | 'kill' | 'restart' | 'close'> {
  /** As `usage.url` has it, with an empty database. */
  readonly callsUrl: string
}

export async function openCallsServer(root: string): Promise<CallsServer> {
  const server = await openClickhouseServer({ folder: join(root, 'clickhouse') })
  const client = createClient({ url: server.url })
  await client.command({ query: 'CREATE DATABASE weir' })
  await client.close()
  return Object.assign(server, { callsUrl: `${toCallsUrl(server.url)}/weir` })
}
