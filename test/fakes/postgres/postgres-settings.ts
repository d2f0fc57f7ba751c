// Settings stores on a real PostgreSQL for tests: one database for the tests of a file, emptied
// between them, which takes 5 ms where a new database takes 400.

import { after } from 'node:test'
import type { Clock } from '../../../src/core/clock.ts'
import { openPostgresDatabase } from '../../../src/store/postgres/database.ts'
import { migratePostgres } from '../../../src/store/postgres/migrate.ts'
import type { SqlDatabase } from '../../../src/store/sql/sql.ts'
import { SETTINGS_SCHEMA } from '../../../src/store/settings/postgres/schema.ts'
import { openPostgresSettings } from '../../../src/store/settings/postgres/store.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import type { SettingsLimits } from '../../../src/store/settings/sql/tools.ts'
import type { OpenSettings } from '../../contracts/settings-scene.ts'
import type { Cleanups } from '../servers/shared-server.ts'
import { openTestDatabase } from './test-database.ts'
import type { PostgresPrograms } from './test-database.ts'

/** For a file's top level. The tests may not run at the same time. */
export function createPostgresSettings(programs?: PostgresPrograms): OpenSettings {
  const cleanups: (() => Promise<void>)[] = []
  // Said here: inside a test it would be done after that test.
  after(async () => {
    for (const cleanup of cleanups) await cleanup()
  })
  async function prepare() {
    const url = await openSettingsDatabase({ after: (each) => cleanups.push(each) }, programs)
    const database = openPostgresDatabase({ url, name: 'settings store', lock: 1 })
    cleanups.unshift(() => database.close())
    return { url, empty: await prepareEmptying(database) }
  }
  let opening: ReturnType<typeof prepare> | null = null
  return async (clock, limits) => {
    opening ??= prepare()
    const { url, empty } = await opening
    await empty()
    const stores: SettingsStore[] = []
    const reopen = async (): Promise<SettingsStore> => {
      const store = await openAtTime(url, clock, limits)
      stores.push(store)
      return store
    }
    const close = async (): Promise<void> => {
      for (const store of stores) await store.close()
    }
    return { store: await reopen(), reopen, close }
  }
}

/** The test's clock counts as the database's. */
function openAtTime(url: string, clock: Clock, limits: SettingsLimits = {}) {
  return openPostgresSettings({ ...limits, url, clock, readTime: async () => clock.now() })
}

/** The URL of a database with empty tables. */
export async function openSettingsDatabase(
  context: Cleanups,
  programs?: PostgresPrograms,
): Promise<string> {
  const url = await openTestDatabase(context, programs)
  const database = openPostgresDatabase({ url, name: 'settings store', lock: 1 })
  await migratePostgres(database, SETTINGS_SCHEMA)
  await database.close()
  return url
}

const ONE_ROW = [
  'settings_revision',
  'price_revision',
  'budget_revision',
  'team_revision',
  'alert_place',
]

/** Without the checks of references, so the order of the tables does not matter. */
async function prepareEmptying(database: SqlDatabase): Promise<() => Promise<number>> {
  const rows = await database.all<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> 'weir_schema'`,
  )
  const names = rows.map(({ name }) => name).filter((name) => !ONE_ROW.includes(name))
  const texts = [
    'SET LOCAL session_replication_role = replica',
    ...names.map((name) => `DELETE FROM ${name}`),
    ...ONE_ROW.map((name) =>
      name === 'alert_place'
        ? 'UPDATE alert_place SET place = 0'
        : `UPDATE ${name} SET revision = 0`,
    ),
  ]
  return () => database.transact((sql) => sql.run(texts.join('; ')))
}
