// A PostgreSQL database with the tables of usage, for the suites that specify the store. A test
// gets one that another has left, emptied: to make a database takes longer than most tests.

import { USAGE_SCHEMA } from '../../../src/store/ledger/postgres/schema.ts'
import { openPostgresLedger } from '../../../src/store/ledger/postgres/store.ts'
import { NO_OWNER } from '../../../src/store/ledger/ledger-owner.ts'
import { openPostgresDatabase } from '../../../src/store/postgres/database.ts'
import { LOCKS } from '../../../src/store/postgres/locks.ts'
import { migratePostgres } from '../../../src/store/postgres/migrate.ts'
import type { SqlDatabase } from '../../../src/store/sql/sql.ts'
import type { UsageStoreLocation } from '../../contracts/usage-scene.ts'
import { deferCleanups } from '../servers/shared-server.ts'
import { openTestDatabase } from './test-database.ts'
import type { PostgresPrograms } from './test-database.ts'

export interface PostgresPlace extends UsageStoreLocation {
  readonly url: string
}

/** To be called once in a file; `after` is node:test's. */
export function createPostgresPlaces(
  after: (cleanup: () => unknown) => void,
  programs?: PostgresPrograms,
): () => Promise<PostgresPlace> {
  const idle: string[] = []
  const context = deferCleanups(after)

  return async () => {
    const url = idle.pop() ?? (await openTestDatabase(context, programs))
    await withUsage(url, prepare)
    return {
      url,
      open: (owner = NO_OWNER) => openPostgresLedger({ url, owner }),
      async remove() {
        idle.push(url)
      },
    }
  }
}

async function prepare(database: SqlDatabase): Promise<void> {
  await migratePostgres(database, USAGE_SCHEMA)
  const tables = await database.all<{ name: string }>(`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT IN ('weir_schema', 'names', 'usage_state')`)
  await database.run(tables.map(({ name }) => `DELETE FROM ${name}`).join('; '))
  await database.run(`DELETE FROM names WHERE id > 1; UPDATE usage_state SET records = 0,
    removed_before = NULL, rebuilds = 0, analysis_from = NULL, outbox_seq = 0,
    last_batch = 0, call_sums = NULL, epoch = NULL`)
}

export async function migrateUsage(url: string): Promise<void> {
  await withUsage(url, (database) => migratePostgres(database, USAGE_SCHEMA))
}

/** For what a test asks of the tables themselves. */
export async function withUsage<Result>(
  url: string,
  work: (database: SqlDatabase) => Promise<Result>,
): Promise<Result> {
  const database = openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
