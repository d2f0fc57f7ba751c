// The databases behind the stores: what they are, how large, and their tables. With open-store.ts
// the only file that names an engine.

import type { Clock } from '../core/clock.ts'
import { openClickhouse } from './clickhouse/database.ts'
import { measureClickhouse, readCallsFacts } from './clickhouse/facts.ts'
import type { CallsFacts } from './clickhouse/facts.ts'
import { migrateClickhouse } from './clickhouse/schema.ts'
import { USAGE_SCHEMA } from './ledger/postgres/schema.ts'
import { LIMITS_SCHEMA } from './limits/postgres/schema.ts'
import { NODES_SCHEMA } from './nodes/postgres/schema.ts'
import { openPostgresDatabase } from './postgres/database.ts'
import { readFacts } from './postgres/database-facts.ts'
import type { DatabaseFacts } from './postgres/database-facts.ts'
import { LOCKS } from './postgres/locks.ts'
import { measureTables } from './postgres/measure-tables.ts'
import { migratePostgres } from './postgres/migrate.ts'
import type { StoreName } from './postgres/migrate.ts'
import { SETTINGS_SCHEMA } from './settings/postgres/schema.ts'

export { EXACT_ENGINES } from './clickhouse/facts.ts'
export type { CallsFacts } from './clickhouse/facts.ts'
export type { DatabaseFacts } from './postgres/database-facts.ts'

const SCHEMAS = {
  settings: [SETTINGS_SCHEMA, NODES_SCHEMA, LIMITS_SCHEMA],
  usage: [USAGE_SCHEMA],
} as const

/** Fails where it cannot be reached. */
export async function readDatabaseFacts({
  url,
  clock,
}: {
  readonly url: string
  readonly clock: Clock
}): Promise<DatabaseFacts> {
  const database = openPostgresDatabase({ url, name: 'database', lock: LOCKS.settings })
  try {
    return await readFacts(database, { schemas: [...SCHEMAS.settings, ...SCHEMAS.usage], clock })
  } finally {
    await database.close()
  }
}

/** Of the ClickHouse of calls. Fails where it cannot be reached. */
export async function readClickhouseFacts({
  url,
  clock,
}: {
  readonly url: string
  readonly clock: Clock
}): Promise<CallsFacts> {
  const calls = openClickhouse({ url })
  try {
    return await readCallsFacts(calls, clock)
  } finally {
    await calls.close()
  }
}

const MEASURE_MS_MAX = 5000

/** The bytes of a store's tables in its database; null where there are none. It takes some ms. */
export async function measureStore(
  { url, callsUrl = null }: { readonly url: string; readonly callsUrl?: string | null },
  name: 'settings' | 'usage',
): Promise<number | null> {
  const fixed = { name: `${name} store`, lock: LOCKS[name], statementMsMax: MEASURE_MS_MAX }
  const database = openPostgresDatabase({ url, ...fixed })
  try {
    const bytes = await measureTables(database, SCHEMAS[name])
    return callsUrl === null || bytes === null ? bytes : bytes + (await measureCalls(callsUrl))
  } finally {
    await database.close()
  }
}

/** The bytes of single calls, in ClickHouse. */
async function measureCalls(url: string): Promise<number> {
  const calls = openClickhouse({ url, statementMsMax: MEASURE_MS_MAX })
  try {
    return await measureClickhouse(calls)
  } finally {
    await calls.close()
  }
}

export interface MigratedStore {
  readonly store: StoreName | 'calls'
  /** The versions of its tables; 0 where there were none. */
  readonly before: number
  readonly after: number
}

/** A step may rebuild an index over all calls. */
const MIGRATE_MS_MAX = 6 * 3_600_000

/** Brings the tables of all stores up to date; nodes may be working on them meanwhile. */
export async function migrateStores({
  settings,
  usage,
  calls = null,
}: {
  readonly settings: string
  readonly usage: string
  readonly calls?: string | null
}): Promise<readonly MigratedStore[]> {
  return [
    ...(await migrateDatabase(settings, 'settings')),
    ...(await migrateDatabase(usage, 'usage')),
    ...(calls === null ? [] : [await migrateCalls(calls)]),
  ]
}

/** The table of calls, on ClickHouse. */
async function migrateCalls(url: string): Promise<MigratedStore> {
  const calls = openClickhouse({ url, statementMsMax: MIGRATE_MS_MAX })
  try {
    return { store: 'calls', ...(await migrateClickhouse(calls, url)) }
  } finally {
    await calls.close()
  }
}

async function migrateDatabase(
  url: string,
  name: 'settings' | 'usage',
): Promise<readonly MigratedStore[]> {
  const fixed = { name: `${name} store`, lock: LOCKS[name], statementMsMax: MIGRATE_MS_MAX }
  const database = openPostgresDatabase({ url, ...fixed })
  try {
    const migrated: MigratedStore[] = []
    for (const schema of SCHEMAS[name]) {
      migrated.push({ store: schema.name, ...(await migratePostgres(database, schema)) })
    }
    return migrated
  } finally {
    await database.close()
  }
}
