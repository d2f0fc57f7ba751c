// The request log on SQLite. Must stay true: a page examines a limited number of rows, whatever is
// asked for, and says where it stopped.

import type { CallStatus } from '../../../core/usage-event.ts'
import type { StoredPrice } from '../../../core/usage-record.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { SELECT_RECORDS, SQLITE } from './dialect.ts'
import type {
  CallGlance,
  LogExtent,
  RequestFilter,
  RequestLog,
  RequestPage,
} from '../request-log.ts'
import { fromIdBytes, fromRecordRow } from '../sql/record-row.ts'
import type { Row } from '../sql/record-row.ts'
import { EXAMINED_MAX, SCANNED_ROWS_MAX, toRowsMax, VERSIONS_MAX } from '../sql/log-limits.ts'
import { partBelow, partParameters, toParts } from '../sql/log-parts.ts'
import type { LogPart } from '../sql/log-parts.ts'
import { sortLog } from './log/log-sort.ts'
import { summarizeLog } from './log/log-summary.ts'
import { parsePlace, toConditions, toTimeBytes } from '../sql/request-filter.ts'
import { readTogether } from '../../sqlite/read-together.ts'

export interface RequestLimits {
  readonly examinedMax: number
  readonly scannedMax: number
}

export function createSqliteRequests(
  file: SqliteFile,
  limits: RequestLimits = { examinedMax: EXAMINED_MAX, scannedMax: SCANNED_ROWS_MAX },
): RequestLog {
  const { examinedMax, scannedMax } = limits
  return {
    async list(filter, { before, rowsMax }) {
      const place = before === null ? null : parsePlace(before)
      const page = {
        parts: toParts(filter, SQLITE).map((part) =>
          place === null ? part : partBelow(part, place),
        ),
        rowsMax: toRowsMax(rowsMax),
        examinedMax,
      }
      return readTogether(file, () => readPage(file, filter, page))
    },
    listSorted: async (filter, page) => {
      const options = { ...page, rowsMax: toRowsMax(page.rowsMax), scannedMax }
      return readTogether(file, () => sortLog(file, filter, options))
    },
    summarize: async (filter) => readTogether(file, () => summarizeLog(file, filter, scannedMax)),
    async glance(sinceMs, rowsMax) {
      return readGlances(file, sinceMs, rowsMax)
    },
    async readExtent() {
      return readTogether(file, () => readExtent(file))
    },
    readPrices: async (versions) => readPrices(file, versions),
  }
}

export function readPrices(file: SqliteFile, versions: readonly string[]): readonly StoredPrice[] {
  const wanted = JSON.stringify(versions.slice(0, VERSIONS_MAX))
  const sql = `SELECT version, sheet FROM prices
    WHERE version IN (SELECT value FROM json_each(?)) ORDER BY version`
  const rows = file.prepare<StoredPrice>(sql).all(wanted)
  return rows.map(({ version, sheet }) => ({ version, sheet }))
}

interface IdRow {
  readonly id: Uint8Array
}

type GlanceRow = readonly [
  provider: string,
  status: CallStatus,
  httpStatus: number | null,
  startedAt: number,
  firstByteAt: number | null,
]

interface PageOptions {
  readonly parts: readonly LogPart[]
  readonly rowsMax: number
  /** Of each part. */
  readonly examinedMax: number
}

function readPage(file: SqliteFile, filter: RequestFilter, options: PageOptions): RequestPage {
  const { parts, rowsMax, examinedMax } = options
  const conditions = toConditions(filter, SQLITE)
  const found: IdRow[] = []
  let last: IdRow | undefined
  for (const part of parts) {
    // First the ids, using few columns: whole rows are read for the page alone. One more than
    // wanted shows whether there is another page.
    const sql = `SELECT id FROM (SELECT * FROM ${part.sql} ORDER BY id DESC LIMIT ?)
      WHERE ${conditions.sql} LIMIT ?`
    const examined = [...partParameters(part, SQLITE), examinedMax]
    const wanted = rowsMax + 1 - found.length
    found.push(...file.prepare<IdRow>(sql).all(...examined, ...conditions.parameters, wanted))
    last = found.length > rowsMax ? found[rowsMax - 1] : readLastExamined(file, part, examinedMax)
    if (last !== undefined) break
  }
  const select = file.prepare<Row>(`${SELECT_RECORDS} WHERE id = ?`)
  const records = found.slice(0, rowsMax).map(({ id }) => fromRecordRow(select.first(id) as Row))
  return { records, next: last === undefined ? null : fromIdBytes(last.id) }
}

function readGlances(file: SqliteFile, sinceMs: number, rowsMax: number): readonly CallGlance[] {
  const select = file.database.prepare(`SELECT provider, status, http_status, started_at,
    first_byte_at FROM records WHERE id >= ? ORDER BY id DESC LIMIT ?`)
  // A row as an array takes half the time of an object.
  select.setReturnArrays(true)
  const rows = file.guard(() => select.all(toTimeBytes(sinceMs), rowsMax))
  return (rows as unknown as readonly GlanceRow[]).map(
    ([provider, status, httpStatus, startedAt, firstByteAt]) => {
      return { provider, status, httpStatus, startedAt, firstByteAt }
    },
  )
}

function readExtent(file: SqliteFile): LogExtent {
  const records = file.prepare<{ records: number }>('SELECT records FROM usage_state').first()
  const readStart = (order: string): number | null => {
    const sql = `SELECT started_at AS at FROM records ORDER BY id ${order} LIMIT 1`
    return file.prepare<{ at: number }>(sql).first()?.at ?? null
  }
  return {
    records: records?.records ?? 0,
    oldestAt: readStart('ASC'),
    newestAt: readStart('DESC'),
  }
}

/** Undefined when the part has fewer rows than a page may examine. */
function readLastExamined(file: SqliteFile, part: LogPart, examinedMax: number): IdRow | undefined {
  const sql = `SELECT id FROM ${part.sql} ORDER BY id DESC LIMIT 1 OFFSET ?`
  return (
    file.prepare<IdRow>(sql).first(...partParameters(part, SQLITE), examinedMax - 1) ?? undefined
  )
}
