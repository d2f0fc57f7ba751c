// The usage store in a PostgreSQL database that all nodes share.

import type { PostgresDatabase } from '../../postgres/database.ts'
import type { RecordEngine } from '../record-engine.ts'
import type { NameReader } from '../sql/name-reader.ts'
import { createRecords } from '../sql/records.ts'
import { createUsage } from '../sql/store.ts'
import type { UsageStore } from '../usage-store.ts'
import { createRecordChanges } from '../sql/writes/record-changes.ts'
import { LOCKED_ROWS_MAX, POSTGRES } from './dialect.ts'
import { removeWithMonths } from './old-months.ts'

export function createPostgresRecords(
  database: PostgresDatabase,
  { names }: { readonly names: NameReader },
): RecordEngine {
  return createRecords(database, {
    dialect: POSTGRES,
    names,
    remove: (beforeMs, rowsMax) => removeWithMonths(database, beforeMs, { rowsMax }),
  })
}

export interface PostgresUsageOptions {
  readonly canWrite: boolean
  readonly records: RecordEngine
  readonly names: NameReader
}

export function createPostgresUsage(
  database: PostgresDatabase,
  options: PostgresUsageOptions,
): UsageStore {
  const { records } = options
  return createUsage(database, {
    ...options,
    dialect: POSTGRES,
    changes: createRecordChanges(database, {
      records,
      dialect: POSTGRES,
      rowsMax: LOCKED_ROWS_MAX,
    }),
  })
}
