// The request log on ClickHouse. Must stay true: a page examines a limited number of rows, whatever
// is asked for, and says where it stopped.

import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import type { CallBatches } from '../../ledger/call-batches.ts'
import type { Sql } from '../../sql/sql.ts'
import type { RecordReader } from '../record-reader.ts'
import type { CallGlance, RequestLog, RequestSummary } from '../request-log.ts'
import { EXAMINED_MAX, SCANNED_ROWS_MAX, toRowsMax } from '../sql/log/log-limits.ts'
import { toTimeBytes } from '../sql/log/request-filter.ts'
import { selectCurrent, selectFirst } from './current-calls.ts'
import { toFilter, toIdLiteral, toWithin } from './log-filter.ts'
import { readLogPage } from './log-page.ts'
import { sortCalls } from './log-sort.ts'
import { readBatchCondition } from './batch-condition.ts'

interface RequestLimits {
  /** Of a page. */
  readonly examinedMax: number
  /** Beyond it, sorting is refused. */
  readonly scannedMax: number
}

const LIMITS: RequestLimits = { examinedMax: EXAMINED_MAX, scannedMax: SCANNED_ROWS_MAX }

export interface RequestsOptions {
  readonly callBatches: CallBatches
  readonly reader: RecordReader
  readonly limits?: RequestLimits
}

export function createClickhouseRequests(
  calls: ClickhouseDatabase,
  { callBatches, reader, limits: { examinedMax, scannedMax } = LIMITS }: RequestsOptions,
): RequestLog {
  /** Of one moment: an id that was found has a record. */
  const read = <Answer>(work: (sql: Sql) => Promise<Answer>) => callBatches.readSnapshot(work)

  return {
    list: async (filter, { before, rowsMax }) =>
      read(async (sql) =>
        readLogPage(calls, filter, {
          moment: await readBatchCondition(callBatches, sql),
          order: 'DESC',
          behind: before,
          rowsMax: toRowsMax(rowsMax),
          examinedMax,
          find: (ids) => reader.find(sql, ids),
        }),
      ),
    listSorted: async (filter, page) =>
      read(async (sql) => {
        const asked = {
          ...toFilter(filter),
          moment: await readBatchCondition(callBatches, sql),
          within: toWithin(filter),
        }
        const options = { ...page, rowsMax: toRowsMax(page.rowsMax), scannedMax }
        return sortCalls(calls, asked, { ...options, find: (ids) => reader.find(sql, ids) })
      }),
    summarize: async (filter) =>
      read(async (sql) => {
        const { sql: where, values } = toFilter(filter)
        const [row] = await calls.all<SummaryRow>(
          `SELECT ${SUMMARY} FROM calls
            WHERE ${await readBatchCondition(callBatches, sql)} AND ${toWithin(filter)} AND ${where}`,
          values,
        )
        return toSummary(row)
      }),
    glance: async (sinceMs, rowsMax) =>
      read(async (sql) =>
        calls.all<CallGlance>(
          selectCurrent({
            moment: await readBatchCondition(callBatches, sql),
            columns: GLANCE,
            where: `id >= ${toIdLiteral(toTimeBytes(sinceMs))}`,
            rowsMax,
          }),
        ),
      ),
    readExtent: () =>
      read(async (sql) => {
        const moment = await readBatchCondition(callBatches, sql)
        const readStart = async (order: 'ASC' | 'DESC'): Promise<number | null> => {
          const asked = { moment, columns: 'started_at AS at', where: 'TRUE', order }
          return (await calls.all<{ at: number }>(selectFirst(asked)))[0]?.at ?? null
        }
        // The number of all rows is known to the table; few do not count, and few are taken back.
        const [row] = await calls.all<{ records: number }>(
          `SELECT (SELECT count() FROM calls) - (SELECT count() FROM calls WHERE NOT (${moment}))
            - 2 * (SELECT count() FROM calls WHERE sign = -1 AND ${moment}) AS records`,
        )
        return {
          records: row?.records ?? 0,
          oldestAt: await readStart('ASC'),
          newestAt: await readStart('DESC'),
        }
      }),
    readPrices: (versions) => callBatches.readPrices(versions),
  }
}

const GLANCE = `provider, status, http_status AS httpStatus, started_at AS startedAt,
  first_byte_at AS firstByteAt`
const IS_COUNTED = "status != 'denied'"
// A row that was taken back cancels the one that it takes back.
const SUMMARY = `sum(sign) AS calls, sumIf(sign, NOT (${IS_COUNTED})) AS denied,
  sumIf(sign, ${IS_COUNTED} AND cost_pico IS NULL) AS unpriced,
  toString(sumIf(ifNull(cost_pico, 0) * sign, ${IS_COUNTED})) AS cost`

interface SummaryRow {
  readonly calls: number
  readonly denied: number
  readonly unpriced: number
  readonly cost: string
}

function toSummary(row: SummaryRow | undefined): RequestSummary {
  const { calls = 0, denied = 0, unpriced = 0, cost = '0' } = row ?? {}
  return { calls, denied, unpriced, cost: BigInt(cost), isComplete: true }
}
