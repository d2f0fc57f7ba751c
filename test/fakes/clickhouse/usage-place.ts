// A ClickHouse database for calls beside a PostgreSQL database for their book and sums, for the
// suites that specify the store. A test gets what another has left, emptied.

import { openClickhouse } from '../../../src/store/clickhouse/database.ts'
import { migrateClickhouse } from '../../../src/store/clickhouse/schema.ts'
import { NO_OWNER } from '../../../src/store/ledger/ledger-owner.ts'
import { openPostgresLedger } from '../../../src/store/ledger/postgres/store.ts'
import { openClickhouseRecords } from '../../../src/store/usage/clickhouse/open-records.ts'
import { createPostgresPlaces } from '../postgres/usage-place.ts'
import type { PostgresPlace } from '../postgres/usage-place.ts'
import { deferCleanups } from '../servers/shared-server.ts'
import type { Cleanups } from '../servers/shared-server.ts'
import { openTestClickhouse } from './test-clickhouse.ts'

export interface ClickhouseLocation extends PostgresPlace {
  readonly callsUrl: string
}

/** To be called once in a file; `after` is node:test's. */
export function createClickhousePlaces(
  after: (cleanup: () => unknown) => void,
): () => Promise<ClickhouseLocation> {
  const createBook = createPostgresPlaces(after)
  const idle: string[] = []
  const context = deferCleanups(after)

  return async () => {
    const book = await createBook()
    const callsUrl = await takeEmpty(idle.pop() ?? null, context)
    const { url } = book
    return {
      url,
      callsUrl,
      open: (owner = NO_OWNER) =>
        openPostgresLedger({ url, owner, openRecords: openClickhouseRecords(callsUrl) }),
      async remove() {
        idle.push(callsUrl)
        await book.remove()
      },
    }
  }
}

/** As `usage.url` has it. */
export function toCallsUrl(httpUrl: string): string {
  return httpUrl.replace(/^http:/, 'clickhouse:')
}

/** One that a test has left is emptied; a new one gets its tables. */
async function takeEmpty(left: string | null, context: Cleanups): Promise<string> {
  const url = left ?? toCallsUrl(await openTestClickhouse(context))
  const calls = openClickhouse({ url })
  try {
    if (left === null) {
      await migrateClickhouse(calls, url)
      return url
    }
    for (const table of ['calls', 'month_sums']) await calls.run(`TRUNCATE TABLE ${table}`)
    return url
  } finally {
    await calls.close()
  }
}
