// Stores of limits on a real database: one for each node that a test needs.

import type { TestContext } from 'node:test'
import { openPostgresDatabase } from '../../../src/store/postgres/database.ts'
import type { PostgresDatabase } from '../../../src/store/postgres/database.ts'
import { LOCKS } from '../../../src/store/postgres/locks.ts'
import { migratePostgres } from '../../../src/store/postgres/migrate.ts'
import { LIMITS_SCHEMA } from '../../../src/store/limits/postgres/schema.ts'
import { createPostgresLeases } from '../../../src/store/limits/postgres/store.ts'
import type { LeaseStore } from '../../../src/store/limits/lease-store.ts'
import { atEndOfProcess } from '../../by-room/end-of-process.ts'
import { openTestDatabase } from './test-database.ts'
import type { PostgresPrograms } from './test-database.ts'

const TABLES = ['limit_owners', 'limit_budgets', 'budget_leases', 'rate_permits', 'call_slots']

export interface LeaseDatabase {
  /** As an operator would look into it. */
  readonly database: PostgresDatabase
  /** Its statements are not counted. */
  readonly onlooker: LeaseStore
  /** Another node's. Statements are counted over all of them. */
  openStore(): LeaseStore
  statements(): number
}

/** What tests have left: to make a database takes longer than most of them. */
const idle: string[] = []

/** A test gets a database that another has left, emptied. */
export async function openLeaseDatabase(
  context: Pick<TestContext, 'after'>,
  programs?: PostgresPrograms,
): Promise<LeaseDatabase> {
  if (programs !== undefined) {
    return openLeasesAt(context, await openTestDatabase(context, programs))
  }
  const url = idle.pop() ?? (await openTestDatabase({ after: atEndOfProcess }))
  const leases = await openLeasesAt(context, url)
  context.after(() => void idle.push(url))
  await leases.database.run(`TRUNCATE ${TABLES.join(', ')}`)
  return leases
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
