// A real ClickHouse for tests: one server for all test files of a run, a database for each test. It
// ends with the run, also when that is killed. A file asks NEEDS_CLICKHOUSE first.

import { createClient } from '@clickhouse/client'
import { randomUUID } from 'node:crypto'
import { openSharedServer } from '../servers/shared-server.ts'
import type { Cleanups } from '../servers/shared-server.ts'
import { findClickhouseUrl } from './find-clickhouse.ts'

/** The URL of an empty database, `http://name:password@host:port/database`, removed afterwards. */
export async function openTestClickhouse(context: Cleanups): Promise<string> {
  const server = findClickhouseUrl() ?? (await openRunServer())
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await ask(server, `CREATE DATABASE ${name}`)
  context.after(() => ask(server, `DROP DATABASE IF EXISTS ${name} SYNC`))
  const url = new URL(server)
  url.pathname = name
  return url.href
}

function openRunServer(): Promise<string> {
  const entry = new URL('./run-server.ts', import.meta.url)
  return openSharedServer({ name: 'clickhouse', entry })
}

async function ask(url: string, query: string): Promise<void> {
  const client = createClient({ url })
  try {
    await client.command({ query })
  } finally {
    await client.close()
  }
}
