// The request log. Must stay true: a page examines a limited number of rows, whatever is asked for,
// and says where it stopped.

import type { CallStatus } from '../../../../core/usage-event.ts'
import type { StoredPrice } from '../../../../core/usage-record.ts'
import type { Sql, SqlDatabase, SqlValue } from '../../../sql/sql.ts'
import type {
  CallGlance,
  LogExtent,
  RequestFilter,
  RequestLog,
  RequestPage,
} from '../../request-log.ts'
import type { Dialect } from '../dialect.ts'
import { fromIdBytes, fromRecordRow, fromStoredId } from '../record-row.ts'
import type { Row } from '../record-row.ts'
import { EXAMINED_MAX, SCANNED_ROWS_MAX, toRowsMax, VERSIONS_MAX } from './log-limits.ts'
import { splitNewest } from './log-newest.ts'
import { partBelow, partParameters, toParts } from './log-parts.ts'
import type { LogPart } from './log-parts.ts'
import { readIdAt } from './log-scan.ts'
import { sortLog } from './log-sort.ts'
import { summarizeLog } from './log-summary.ts'
import { toPageText } from './record-pages.ts'
import { parsePlace, toConditions, toTimeBytes } from './request-filter.ts'

export interface RequestLimits {
  /** Of each part of a page. */
  readonly examinedMax: number
  /** Of one question: beyond it, a count is incomplete and sorting is refused. */
  readonly scannedMax: number
}

const LIMITS: RequestLimits = { examinedMax: EXAMINED_MAX, scannedMax: SCANNED_ROWS_MAX }

export function createRequests(
  database: SqlDatabase,
  dialect: Dialect,
  { examinedMax, scannedMax }: RequestLimits = LIMITS,
): RequestLog {
  return {
    async list(filter, { before, rowsMax }) {
      const place = before === null ? null : parsePlace(before)
      const page = {
        dialect,
        parts: toParts(filter, dialect).map((part) =>
          place === null ? part : partBelow(part, place),
        ),
        rowsMax: toRowsMax(rowsMax),
        examinedMax,
      }
      return database.readSnapshot((sql) => readPage(sql, filter, page))
    },
    async listSorted(filter, { order, after, rowsMax }) {
      const options = { dialect, order, after, rowsMax: toRowsMax(rowsMax), scannedMax }
      return database.readSnapshot((sql) => sortLog(sql, filter, options))
    },
    summarize: (filter) =>
      database.readSnapshot((sql) => summarizeLog(sql, filter, { dialect, scannedMax })),
    glance: (sinceMs, rowsMax) =>
      readGlances(database, [dialect.toId(toTimeBytes(sinceMs)), rowsMax]),
    readExtent: () => database.readSnapshot(readExtent),
    readPrices: (versions) => readPrices(database, versions, dialect),
  }
}

export async function readPrices(
  sql: Sql,
  versions: readonly string[],
  dialect: Dialect,
): Promise<readonly StoredPrice[]> {
  const isOne = dialect.isOneOf('version', versions.slice(0, VERSIONS_MAX))
  const text = `SELECT version, sheet FROM prices WHERE ${isOne.sql} ORDER BY version`
  const rows = await sql.all<StoredPrice>(text, isOne.parameters)
  return rows.map(({ version, sheet }) => ({ version, sheet }))
}

interface PageOptions {
  readonly dialect: Dialect
  readonly parts: readonly LogPart[]
  readonly rowsMax: number
  readonly examinedMax: number
}

async function readPage(
  sql: Sql,
  filter: RequestFilter,
  { dialect, parts, rowsMax, examinedMax }: PageOptions,
): Promise<RequestPage> {
  const conditions = toConditions(filter, dialect)
  const found: Row[] = []
  let last: string | null = null
  for (const part of dialect.isPartitioned ? await splitNewest(sql, parts) : parts) {
    // One more than wanted shows whether there is another page.
    const wanted = rowsMax + 1 - found.length
    const rows = await sql.all<Row>(
      toPageText({ dialect, calls: part.sql, where: conditions.sql, order: 'DESC' }),
      [...partParameters(part, dialect), examinedMax, ...conditions.parameters, wanted],
    )
    found.push(...rows)
    last =
      found.length > rowsMax
        ? fromStoredId(found[rowsMax - 1]?.['id'] as string | Uint8Array)
        : await readLastExamined(sql, part, { dialect, place: examinedMax - 1 })
    if (last !== null) break
  }
  return { records: found.slice(0, rowsMax).map(fromRecordRow), next: last }
}

async function readLastExamined(...asked: Parameters<typeof readIdAt>): Promise<string | null> {
  const bytes = await readIdAt(...asked)
  return bytes === null ? null : fromIdBytes(bytes)
}

type GlanceRow = readonly [string, CallStatus, number | null, number, number | null]

async function readGlances(sql: Sql, place: readonly SqlValue[]): Promise<readonly CallGlance[]> {
  const rows = await sql.lists<GlanceRow>(
    `SELECT provider, status, http_status, started_at, first_byte_at FROM records
      WHERE id >= ? ORDER BY id DESC LIMIT ?`,
    place,
  )
  return rows.map(([provider, status, httpStatus, startedAt, firstByteAt]) => {
    return { provider, status, httpStatus, startedAt, firstByteAt }
  })
}

async function readExtent(sql: Sql): Promise<LogExtent> {
  const state = await sql.first<{ records: number }>('SELECT records FROM usage_state')
  const readStart = async (order: 'ASC' | 'DESC'): Promise<number | null> => {
    const text = `SELECT started_at AS at FROM records ORDER BY id ${order} LIMIT 1`
    return (await sql.first<{ at: number }>(text))?.at ?? null
  }
  return {
    records: state?.records ?? 0,
    oldestAt: await readStart('ASC'),
    newestAt: await readStart('DESC'),
  }
}
