// The upkeep of a usage store: each job has a file of its own.

import { WeirError } from '../../../core/weir-error.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { RecordEngine } from '../record-engine.ts'
import type { UsageUpkeep } from '../usage-upkeep.ts'
import type { Dialect } from './dialect.ts'
import { rebuildRollups } from './rebuild/rebuild.ts'
import { listRepricings } from './repricings.ts'
import { listUnpriced } from './unpriced.ts'
import type { RecordChanges } from './writes/record-changes.ts'

export interface UpkeepOptions {
  readonly dialect: Dialect
  readonly canWrite: boolean
  readonly records: RecordEngine
  readonly changes: RecordChanges
  /** Faults of files, in sentences. A server's are its own to find. */
  readonly findDamage?: () => Promise<readonly string[]>
}

export function createUpkeep(
  database: SqlDatabase,
  { canWrite, records, changes, dialect, findDamage = async () => [] }: UpkeepOptions,
): UsageUpkeep {
  function requireWriter(): void {
    if (canWrite) return
    throw new WeirError('store_unusable', `${database.title} is open for reading only.`)
  }

  return {
    async removeRecords(beforeMs, rowsMax) {
      requireWriter()
      return records.remove(beforeMs, rowsMax)
    },
    async rebuildRollups(options) {
      if (!options.isTrial) requireWriter()
      return rebuildRollups(database, { records, dialect }, options)
    },
    listUnpriced: () => listUnpriced(database),
    readRecords: (filter, page) => records.readPage(filter, page),
    async changeCosts(wanted, line) {
      requireWriter()
      return changes.changeCosts(wanted, line)
    },
    async bookToTeams(bookings) {
      requireWriter()
      return changes.bookToTeams(bookings)
    },
    listRepricings: (rowsMax) =>
      database.readSnapshot((sql) => listRepricings(sql, 'ORDER BY id DESC LIMIT ?', rowsMax)),
    findDamage,
  }
}
