// The request log on PostgreSQL. Must stay true: a page examines a limited number of rows, whatever
// is asked for, and says where it stopped.

import type { StoredPrice } from '../../../core/usage-record.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import type {
  CallGlance,
  LogExtent,
  RequestFilter,
  RequestLog,
  RequestPage,
} from '../request-log.ts'
import { EXAMINED_MAX, SCANNED_ROWS_MAX, toRowsMax, VERSIONS_MAX } from '../sql/log-limits.ts'
import { partBelow, partParameters, toParts } from '../sql/log-parts.ts'
import type { LogPart } from '../sql/log-parts.ts'
import { fromRecordRow, SELECT_COLUMNS } from '../sql/record-row.ts'
import type { Row } from '../sql/record-row.ts'
import { parsePlace, toConditions, toTimeBytes } from '../sql/request-filter.ts'
import { POSTGRES } from './dialect.ts'
import { splitNewest } from './log/log-newest.ts'
import { readIdAt } from './log/log-scan.ts'
import { sortLog } from './log/log-sort.ts'
import { summarizeLog } from './log/log-summary.ts'

export interface RequestLimits {
  /** Of each part of a page. */
  readonly examinedMax: number
  /** Of one question: beyond it, a count is incomplete and sorting is refused. */
  readonly scannedMax: number
}

const LIMITS: RequestLimits = { examinedMax: EXAMINED_MAX, scannedMax: SCANNED_ROWS_MAX }

export function createPostgresRequests(
  database: SqlDatabase,
  { examinedMax, scannedMax }: RequestLimits = LIMITS,
): RequestLog {
  return {
    async list(filter, { before, rowsMax }) {
      const place = before === null ? null : parsePlace(before)
      const page = {
        parts: toParts(filter, POSTGRES).map((part) =>
          place === null ? part : partBelow(part, place),
        ),
        rowsMax: toRowsMax(rowsMax),
        examinedMax,
      }
      return database.readTogether((sql) => readPage(sql, filter, page))
    },
    async listSorted(filter, { order, after, rowsMax }) {
      const options = { order, after, rowsMax: toRowsMax(rowsMax), scannedMax }
      return database.readTogether((sql) => sortLog(sql, filter, options))
    },
    summarize: async (filter) =>
      database.readTogether((sql) => summarizeLog(sql, filter, scannedMax)),
    glance: (sinceMs, rowsMax) => readGlances(database, sinceMs, rowsMax),
    readExtent: () => database.readTogether(readExtent),
    readPrices: (versions) => readPrices(database, versions),
  }
}

export async function readPrices(
  sql: Sql,
  versions: readonly string[],
): Promise<readonly StoredPrice[]> {
  const isOne = POSTGRES.isOneOf('version', versions.slice(0, VERSIONS_MAX))
  return sql.all<StoredPrice>(
    `SELECT version, sheet FROM prices WHERE ${isOne.sql} ORDER BY version`,
    isOne.parameters,
  )
}

interface PageOptions {
  readonly parts: readonly LogPart[]
  readonly rowsMax: number
  readonly examinedMax: number
}

async function readPage(
  sql: Sql,
  filter: RequestFilter,
  { parts, rowsMax, examinedMax }: PageOptions,
): Promise<RequestPage> {
  const conditions = toConditions(filter, POSTGRES)
  const found: Row[] = []
  let last: string | null = null
  for (const part of await splitNewest(sql, parts)) {
    // One more than wanted shows whether there is another page.
    const text = `SELECT ${SELECT_COLUMNS}
      FROM (SELECT * FROM ${part.sql} ORDER BY id DESC LIMIT ?) AS examined
      WHERE ${conditions.sql} ORDER BY id DESC LIMIT ?`
    const examined = [...partParameters(part, POSTGRES), examinedMax]
    const wanted = rowsMax + 1 - found.length
    found.push(...(await sql.all<Row>(text, [...examined, ...conditions.parameters, wanted])))
    last =
      found.length > rowsMax
        ? (found[rowsMax - 1]?.['id'] as string)
        : await readIdAt(sql, part, examinedMax - 1)
    if (last !== null) break
  }
  return { records: found.slice(0, rowsMax).map(fromRecordRow), next: last }
}

async function readGlances(
  sql: Sql,
  sinceMs: number,
  rowsMax: number,
): Promise<readonly CallGlance[]> {
  return sql.all<CallGlance>(
    `SELECT provider, status, http_status AS "httpStatus", started_at AS "startedAt",
      first_byte_at AS "firstByteAt" FROM records WHERE id >= ? ORDER BY id DESC LIMIT ?`,
    [POSTGRES.toId(toTimeBytes(sinceMs)), rowsMax],
  )
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
