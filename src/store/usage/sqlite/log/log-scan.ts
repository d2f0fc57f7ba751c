// All calls of a filter, part by part. Must stay true: no more calls of a part are examined than
// the limit says.

import type { SqliteFile } from '../../../sqlite/file.ts'
import { SQLITE } from '../dialect.ts'
import type { RequestFilter } from '../../request-log.ts'
import { fromIdBytes } from '../../sql/record-row.ts'
import { partBelow, partParameters, toParts } from '../../sql/log-parts.ts'
import type { LogPart } from '../../sql/log-parts.ts'

/** Where it stopped: the id of the last call examined; null when there are no more. */
export type ScanEnd = string | null

/** Calls `use` for each part, newest first. To be called within one read of the file. */
export function scanLog(
  file: SqliteFile,
  filter: RequestFilter,
  { scannedMax, use }: { readonly scannedMax: number; readonly use: (part: LogPart) => void },
): ScanEnd {
  for (const part of toParts(filter, SQLITE)) {
    const last = readIdAt(file, part, scannedMax - 1)
    use(last === null ? part : { ...part, range: { from: last, to: part.range.to } })
    if (last === null || readIdAt(file, partBelow(part, last), 0) === null) continue
    return fromIdBytes(last)
  }
  return null
}

function readIdAt(file: SqliteFile, part: LogPart, place: number): Buffer | null {
  const sql = `SELECT id FROM ${part.sql} ORDER BY id DESC LIMIT 1 OFFSET ?`
  const row = file.prepare<{ id: Uint8Array }>(sql).first(...partParameters(part, SQLITE), place)
  return row === null ? null : Buffer.from(row.id)
}
