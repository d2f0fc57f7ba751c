// All calls of a filter, piece by piece. Must stay true: a piece is small, others get a turn after
// each of them, and no more calls are examined than the limits say.

import { setImmediate as turn } from 'node:timers/promises'
import type { SqliteFile } from '../../../sqlite/file.ts'
import { SQLITE } from '../dialect.ts'
import type { RequestFilter } from '../../request-log.ts'
import { SCANNED_ROWS_MAX } from '../../sql/log-limits.ts'
import { fromIdBytes } from '../../sql/record-row.ts'
import { partBelow, partParameters, toParts } from '../../sql/log-parts.ts'
import type { LogPart } from '../../sql/log-parts.ts'

/** SQLite runs on the thread that answers everyone: examining 50,000 calls takes some 10 ms. */
export const CHUNK_ROWS = 50_000

export interface ScanLimits {
  readonly chunkRows: number
  readonly scannedMax: number
}

export const SCAN_LIMITS: ScanLimits = { chunkRows: CHUNK_ROWS, scannedMax: SCANNED_ROWS_MAX }

/** Where it stopped: the id of the last call examined; null when there are no more. */
export type ScanEnd = string | null

/** Calls `use` for each piece, newest first. */
export async function scanLog(
  file: SqliteFile,
  filter: RequestFilter,
  { limits, use }: { readonly limits: ScanLimits; readonly use: (chunk: LogPart) => void },
): Promise<ScanEnd> {
  const { chunkRows, scannedMax } = limits
  let scanned = 0
  let end: ScanEnd = null
  for (const part of toParts(filter, SQLITE)) {
    let rest: LogPart | null = part
    while (rest !== null) {
      if (scanned >= scannedMax && readIdAt(file, rest, 0) !== null) return end
      const last = readIdAt(file, rest, chunkRows - 1)
      const { to } = rest.range
      use(last === null ? rest : { ...rest, range: { from: last, to } })
      if (last === null) break
      scanned += chunkRows
      end = fromIdBytes(last)
      rest = partBelow(rest, last)
      await turn()
    }
  }
  return null
}

function readIdAt(file: SqliteFile, part: LogPart, place: number): Buffer | null {
  const sql = `SELECT id FROM ${part.sql} ORDER BY id DESC LIMIT 1 OFFSET ?`
  const row = file.prepare<{ id: Uint8Array }>(sql).first(...partParameters(part, SQLITE), place)
  return row === null ? null : Buffer.from(row.id)
}
