// Whole records, by their ids or page by page. Must stay true: a statement examines a limited
// number of rows, however rare the matches.

import type { UsageRecord } from '../../../../core/usage-record.ts'
import type { Sql, SqlValue } from '../../../sql/sql.ts'
import type { UsageUpkeep } from '../../usage-upkeep.ts'
import type { Dialect } from '../dialect.ts'
import {
  fromRecordRow,
  fromStoredId,
  parseIdBytes,
  toIdBytes,
  toReadColumns,
} from '../record-row.ts'
import type { Row } from '../record-row.ts'
import { parsePlace, toConditions, toIdRange, toSessionCondition } from './request-filter.ts'

/** About a second's work. */
const EXAMINED_MAX = 500_000

/** Those of these ids that are on record. */
export async function findRecords(
  sql: Sql,
  ids: readonly string[],
  dialect: Dialect,
): Promise<ReadonlyMap<string, UsageRecord>> {
  const wanted = ids.filter((id) => parseIdBytes(id) !== null)
  if (wanted.length === 0) return new Map()
  const hasId = dialect.hasId(wanted)
  const text = `SELECT ${toReadColumns(dialect)} FROM records WHERE ${hasId.sql}`
  const rows = await sql.all<Row>(text, hasId.parameters)
  return new Map(rows.map(fromRecordRow).map((record) => [record.event.id, record]))
}

export interface PageText {
  readonly dialect: Dialect
  /** Behind FROM, with a WHERE. */
  readonly calls: string
  readonly where: string
  readonly order: 'ASC' | 'DESC'
}

/** Takes those of the calls, how many are examined, those of `where`, and how many are wanted. */
export function toPageText({ dialect, calls, where, order }: PageText): string {
  const columns = toReadColumns(dialect)
  const examined = `(SELECT * FROM ${calls} ORDER BY id ${order} LIMIT ?) AS examined
    WHERE ${where}`
  // SQLite would put together every row that is examined, not only those of the page.
  return dialect.isPartitioned
    ? `SELECT ${columns} FROM ${examined} ORDER BY id ${order} LIMIT ?`
    : `SELECT ${columns} FROM records WHERE id IN (SELECT id FROM ${examined} LIMIT ?)
        ORDER BY id ${order}`
}

/** Oldest first. */
export async function readRecords(
  sql: Sql,
  dialect: Dialect,
  ...[filter, { after, rowsMax }]: Parameters<UsageUpkeep['readRecords']>
): Promise<readonly UsageRecord[]> {
  const range = toIdRange(filter)
  const conditions = toConditions(filter, dialect)
  const named = filter.session === null ? null : toSessionCondition(filter.session, dialect)
  const calls = `records WHERE id > ? AND id < ?${named === null ? '' : ` AND ${named.sql}`}`
  const page = toPageText({ dialect, calls, where: conditions.sql, order: 'ASC' })
  // No call has the id that a range begins with: it is a time and nothing else.
  const first = after === null ? range.from : parsePlace(after)
  let behind: Buffer | null = Buffer.compare(first, range.from) > 0 ? first : range.from
  const found: Row[] = []
  while (behind !== null) {
    const ids: readonly SqlValue[] = [dialect.toId(behind), dialect.toId(range.to)]
    const place = [...ids, ...(named?.parameters ?? [])]
    const wanted = [EXAMINED_MAX, ...conditions.parameters, rowsMax - found.length]
    found.push(...(await sql.all<Row>(page, [...place, ...wanted])))
    if (found.length >= rowsMax) break
    const last: { id: string | Uint8Array } | null = await sql.first(
      `SELECT id FROM ${calls} ORDER BY id LIMIT 1 OFFSET ${EXAMINED_MAX - 1}`,
      place,
    )
    behind = last === null ? null : toIdBytes(fromStoredId(last.id))
  }
  return found.map(fromRecordRow)
}
