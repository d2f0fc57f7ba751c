// The upkeep of a usage store on SQLite: each job has a file of its own.

import type { UsageRecord } from '../../../core/usage-record.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { SELECT_RECORDS, SQLITE } from './dialect.ts'
import { changeCosts, listRepricings } from './cost-changes.ts'
import { findFaults } from './faults.ts'
import { rebuildRollups } from './rebuild.ts'
import { fromRecordRow } from '../sql/record-row.ts'
import type { Row } from '../sql/record-row.ts'
import { parsePlace, toConditions, toIdRange } from '../sql/request-filter.ts'
import { removeRecords } from './retention.ts'
import { listUnpriced } from './unpriced.ts'
import type { UsageUpkeep } from '../usage-upkeep.ts'

export function createSqliteUpkeep(file: SqliteFile): UsageUpkeep {
  return {
    removeRecords: async (beforeMs, rowsMax) => removeRecords(file, beforeMs, rowsMax),
    rebuildRollups: async (options) => rebuildRollups(file, options),
    listUnpriced: async () => listUnpriced(file),
    readRecords: async (filter, page) => readRecords(file, filter, page),
    changeCosts: async (changes, line) => changeCosts(file, changes, line),
    listRepricings: async (rowsMax) => listRepricings(file, rowsMax),
    findFaults: async () => findFaults(file),
  }
}

function readRecords(
  file: SqliteFile,
  ...[filter, { after, rowsMax }]: Parameters<UsageUpkeep['readRecords']>
): readonly UsageRecord[] {
  const range = toIdRange(filter)
  const { sql, parameters } = toConditions(filter, SQLITE)
  // Of two lower bounds SQLite would look up one and read all rows to the other. No call has the
  // id that a range begins with: it is a time and nothing else.
  const place = after === null ? range.from : parsePlace(after)
  const behind = Buffer.compare(place, range.from) > 0 ? place : range.from
  return file
    .prepare<Row>(`${SELECT_RECORDS} WHERE id > ? AND id < ? AND ${sql} ORDER BY id LIMIT ?`)
    .all(behind, range.to, ...parameters, rowsMax)
    .map(fromRecordRow)
}
