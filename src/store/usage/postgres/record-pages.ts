// Records oldest first, page by page. Must stay true: a statement examines a limited number of
// rows, however rare the matches.

import type { UsageRecord } from '../../../core/usage-record.ts'
import type { Sql } from '../../sql/sql.ts'
import { fromRecordRow, SELECT_COLUMNS } from '../sql/record-row.ts'
import type { Row } from '../sql/record-row.ts'
import { parsePlace, toConditions, toIdRange } from '../sql/request-filter.ts'
import type { UsageUpkeep } from '../usage-upkeep.ts'
import { POSTGRES } from './dialect.ts'

/** About a second's work. */
const EXAMINED_MAX = 500_000

export async function readRecords(
  sql: Sql,
  ...[filter, { after, rowsMax }]: Parameters<UsageUpkeep['readRecords']>
): Promise<readonly UsageRecord[]> {
  const range = toIdRange(filter)
  const conditions = toConditions(filter, POSTGRES)
  const within = 'FROM records WHERE id > ? AND id >= ? AND id < ? ORDER BY id'
  const page = `SELECT ${SELECT_COLUMNS} FROM (SELECT * ${within} LIMIT ${EXAMINED_MAX}) AS examined
    WHERE ${conditions.sql} ORDER BY id LIMIT ?`
  // Ids are compared as bytes: 16 zeros sort first.
  let behind: string | null = after === null ? null : String(POSTGRES.toId(parsePlace(after)))
  const found: Row[] = []
  do {
    const place = [behind ?? NO_ID, POSTGRES.toId(range.from), POSTGRES.toId(range.to)]
    const wanted = rowsMax - found.length
    const rows = await sql.all<Row>(page, [...place, ...conditions.parameters, wanted])
    found.push(...rows)
    if (found.length >= rowsMax) break
    const last = `SELECT id ${within} LIMIT 1 OFFSET ${EXAMINED_MAX - 1}`
    behind = (await sql.first<{ id: string }>(last, place))?.id ?? null
  } while (behind !== null)
  return found.map(fromRecordRow)
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
