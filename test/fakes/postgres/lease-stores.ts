// Stores of limits on a real database: one for each node that a test needs.

import type { TestContext } from 'node:test'
import { openPostgresDatabase } from '../../../src/store/postgres/database.ts'
import type { PostgresDatabase } from '../../../src/store/postgres/database.ts'
import { LOCKS } from '../../../src/store/postgres/locks.ts'
import { migratePostgres } from '../../../src/store/postgres/migrate.ts'
import { LIMITS_SCHEMA } from '../../../src/store/limits/postgres/schema.ts'
import { createPostgresLeases } from '../../../src/store/limits/postgres/store.ts'
import type { LeaseStore } from '../../../src/store/limits/lease-store.ts'
import { openTestDatabase } from './test-database.ts'
import type { PostgresPrograms } from './test-database.ts'

export interface LeaseDatabase {
  /** As an operator would look into it. */
  readonly database: PostgresDatabase
  /** Its statements are not counted. */
  readonly onlooker: LeaseStore
  /** Another node's. Statements are counted over all of them. */
  openStore(): LeaseStore
  statements(): number
}

export async function openLeaseDatabase(
  context: Pick<TestContext, 'after'>,
  programs?: PostgresPrograms,
): Promise<LeaseDatabase> {
  return openLeasesAt(context, await openTestDatabase(context, programs))
}

export async function openLeasesAt(
  context: Pick<TestContext, 'after'>,
  url: string,
): Promise<LeaseDatabase> {
  let statements = 0
  const open = (): PostgresDatabase => {
    const database = openPostgresDatabase({ url, name: 'store of limits', lock: LOCKS.limits })
    let closing: Promise<void> | null = null
    const close = (): Promise<void> => (closing ??= database.close())
    context.after(close)
    return { ...database, close }
  }
  const database = open()
  await migratePostgres(database, LIMITS_SCHEMA)
  return {
    database,
    onlooker: createPostgresLeases(database),
    openStore() {
      const own = open()
      const count = (): PostgresDatabase => {
        statements++
        return own
      }
      return createPostgresLeases({
        ...own,
        all: (text, values) => count().all(text, values),
        first: (text, values) => count().first(text, values),
        run: (text, values) => count().run(text, values),
      })
    },
    statements: () => statements,
  }
}
