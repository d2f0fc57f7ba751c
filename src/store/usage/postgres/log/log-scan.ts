// All calls of a filter, up to a limit. Must stay true: no more calls of a part are examined than
// it says; all parts but one are small.

import type { Sql, SqlValue } from '../../../sql/sql.ts'
import type { RequestFilter } from '../../request-log.ts'
import { partBelow, partParameters, toParts } from '../../sql/log-parts.ts'
import type { LogPart } from '../../sql/log-parts.ts'
import { toIdBytes } from '../../sql/record-row.ts'
import { POSTGRES } from '../dialect.ts'

export interface ScanOptions {
  readonly scannedMax: number
  /** Of more calls than that, none is used. */
  readonly isAllOrNone: boolean
  /** Called for each part with what stands behind FROM, and its parameters. */
  readonly use: (calls: string, parameters: readonly SqlValue[]) => Promise<void>
}

/** Where it stopped: the id of the last call examined; null when there are no more. */
export async function scanLog(
  sql: Sql,
  filter: RequestFilter,
  { scannedMax, isAllOrNone, use }: ScanOptions,
): Promise<string | null> {
  for (const part of toParts(filter, POSTGRES)) {
    const calls = `(SELECT * FROM ${part.sql} ORDER BY id DESC LIMIT ?) AS examined`
    const end = await readEnd(sql, part, scannedMax)
    if (end !== null && isAllOrNone) return end
    await use(calls, [...partParameters(part, POSTGRES), scannedMax])
    if (end !== null) return end
  }
  return null
}

/** The last that may be examined; null where no more follow. */
async function readEnd(sql: Sql, part: LogPart, scannedMax: number): Promise<string | null> {
  const last = await readIdAt(sql, part, scannedMax - 1)
  if (last === null) return null
  const rest = partBelow(part, toIdBytes(last))
  return (await readIdAt(sql, rest, 0)) === null ? null : last
}

/** Null when the part has no more rows than that. */
export async function readIdAt(sql: Sql, part: LogPart, place: number): Promise<string | null> {
  const text = `SELECT id FROM ${part.sql} ORDER BY id DESC LIMIT 1 OFFSET ?`
  const row = await sql.first<{ id: string }>(text, [...partParameters(part, POSTGRES), place])
  return row?.id ?? null
}
