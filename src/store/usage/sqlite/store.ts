// The usage store in one SQLite file.

import { findDamage } from '../../sqlite/damage.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import { ROWS_MERGED_MAX } from '../block-tiers.ts'
import type { RecordEngine } from '../record-engine.ts'
import type { NameReader } from '../sql/name-reader.ts'
import { createUsage } from '../sql/store.ts'
import { createRecordChanges } from '../sql/writes/record-changes.ts'
import type { UsageStore } from '../usage-store.ts'
import { SQLITE } from './dialect.ts'

export interface SqliteUsageOptions {
  /** Of the same file. */
  readonly database: SqlDatabase
  readonly canWrite: boolean
  readonly records: RecordEngine
  readonly names: NameReader
}

export function createSqliteUsage(file: SqliteFile, options: SqliteUsageOptions): UsageStore {
  const { database, records } = options
  return createUsage(database, {
    ...options,
    dialect: SQLITE,
    changes: createRecordChanges(database, {
      records,
      dialect: SQLITE,
      rowsMax: ROWS_MERGED_MAX,
    }),
    findDamage: async () => {
      const damage = findDamage(file.database)
      return damage.map((text) => `${file.title}: ${text}. Put the last backup in its place.`)
    },
  })
}
