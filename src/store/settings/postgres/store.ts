// The settings store in a PostgreSQL database that all nodes share. Must stay true: opening changes
// no table, as programs of another version may be using them; `weir migrate` does.

import type { Clock } from '../../../core/clock.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { openDatabaseClock } from '../../postgres/database-clock.ts'
import type { DatabaseClockOptions } from '../../postgres/database-clock.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { requireSchema } from '../../postgres/migrate.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SettingsStore } from '../settings-store.ts'
import { createSettings } from '../sql/store.ts'
import type { SettingsLimits } from '../sql/tools.ts'
import { createSharedCounters } from './counters.ts'
import { SETTINGS_SCHEMA } from './schema.ts'

export interface PostgresSettingsOptions extends SettingsLimits {
  readonly url: string
  readonly clock: Clock
  /** How the database's time is read. */
  readonly readTime?: DatabaseClockOptions['readTime']
}

export async function openPostgresSettings(
  options: PostgresSettingsOptions,
): Promise<SettingsStore> {
  const { url, clock: localClock, readTime, ...limits } = options
  const database = openPostgresDatabase({ url, name: 'settings store', lock: LOCKS.settings })
  try {
    await requireSchema(database, SETTINGS_SCHEMA)
    const clock = await openDatabaseClock(database, localClock, {
      ...(readTime !== undefined && { readTime }),
    })
    return createSettings(
      { ...limits, database, clock },
      {
        counters: createSharedCounters({ database, clock }),
        check: () => check(database),
        // PostgreSQL does this by itself.
        checkpoint: async () => {},
        close: async () => {
          clock.close()
          await database.close()
        },
      },
    )
  } catch (error) {
    await database.close()
    throw error
  }
}

async function check(database: SqlDatabase): Promise<string | null> {
  try {
    await requireSchema(database, SETTINGS_SCHEMA)
    const row = await database.first<{ is_read_only: boolean; can_write: boolean }>(
      `SELECT current_setting('transaction_read_only') = 'on' AS is_read_only,
        has_table_privilege('settings_revision', 'UPDATE')
          AND has_table_privilege('audit', 'INSERT') AS can_write`,
    )
    if (row?.is_read_only === true) {
      return `${database.title} is read-only: it is a standby, or was set so.`
    }
    if (row?.can_write !== true) return `${database.title} may not be changed by the URL's user.`
    return null
  } catch (error) {
    if (error instanceof WeirError) return error.message
    throw error
  }
}
