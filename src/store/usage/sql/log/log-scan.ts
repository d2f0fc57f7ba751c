// All calls of a filter, up to a limit. Must stay true: no more calls of a part are examined than
// it says; all parts but one are small.

import type { Sql } from '../../../sql/sql.ts'
import type { RequestFilter } from '../../request-log.ts'
import type { Dialect } from '../dialect.ts'
import { fromIdBytes, fromStoredId, toIdBytes } from '../record-row.ts'
import { partBelow, partParameters, toParts } from './log-parts.ts'
import type { LogPart } from './log-parts.ts'

export interface ScanOptions {
  readonly dialect: Dialect
  readonly scannedMax: number
  /** Of more calls than that, none is used. */
  readonly isAllOrNone: boolean
  /** Called for each part, newest first. */
  readonly use: (part: LogPart) => Promise<void>
}

/** Where it stopped: the id of the last call examined; null when there are no more. */
export async function scanLog(
  sql: Sql,
  filter: RequestFilter,
  { dialect, scannedMax, isAllOrNone, use }: ScanOptions,
): Promise<string | null> {
  for (const part of toParts(filter, dialect)) {
    const last = await readIdAt(sql, part, { dialect, place: scannedMax - 1 })
    const rest = last === null ? null : partBelow(part, last)
    const isEnd = rest !== null && (await readIdAt(sql, rest, { dialect, place: 0 })) !== null
    if (!isEnd || !isAllOrNone) {
      await use(last === null ? part : { ...part, range: { from: last, to: part.range.to } })
    }
    if (isEnd && last !== null) return fromIdBytes(last)
  }
  return null
}

/** Null when the part has no more rows than that. */
export async function readIdAt(
  sql: Sql,
  part: LogPart,
  { dialect, place }: { readonly dialect: Dialect; readonly place: number },
): Promise<Buffer | null> {
  const row = await sql.first<{ id: string | Uint8Array }>(
    `SELECT id FROM ${part.sql} ORDER BY id DESC LIMIT 1 OFFSET ?`,
    [...partParameters(part, dialect), place],
  )
  return row === null ? null : toIdBytes(fromStoredId(row.id))
}
