// What sums, budgets and upkeep read of single calls in ClickHouse, in the moment of the ledger
// database.

import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import type { CallBatches } from '../../ledger/call-batches.ts'
import type { RecordReader } from '../record-reader.ts'
import { parseIdBytes } from '../sql/record-row.ts'
import { listPieces } from '../sql/spans/span-pieces.ts'
import { toCallCost } from '../sql/spans/span-record.ts'
import { toSummedColumns, toSummedRecord } from '../sql/summed-record.ts'
import { DIMS_TEXT, fromCallRow, SELECT_COLUMNS, toIdNumber } from './call-columns.ts'
import type { CallRow } from './call-columns.ts'
import { selectCurrent, selectFirst, toEnded } from './current-calls.ts'
import { readBatchCondition } from './batch-condition.ts'
import { readSpend } from './spend.ts'

const IS_FORWARDED = "status != 'denied'"
/** In the order of toCallCost. A call whose cost is not known adds nothing. */
const COST_COLUMNS = `key_id, provider, model, ${DIMS_TEXT}, toString(sum(ifNull(cost_pico, 0) * sign))`
const SUMMED_COLUMNS = toSummedColumns({
  dims: DIMS_TEXT,
  marketCost: "JSONExtract(billing, 'marketCost', 'Nullable(String)')",
}).replace('CAST(cost_pico AS TEXT)', 'toString(cost_pico)')

export function createClickhouseReader(
  calls: ClickhouseDatabase,
  callBatches: CallBatches,
): RecordReader {
  return {
    async *readSpan(sql, span) {
      const moment = await readBatchCondition(callBatches, sql)
      for (const { startMs, endMs } of await listPieces(sql, span)) {
        const text = `SELECT ${COST_COLUMNS} FROM calls WHERE ${moment}
          AND ${toEnded(startMs, endMs)} AND ${IS_FORWARDED}
          GROUP BY key_id, provider, model, dims`
        for await (const row of calls.stream(text)) yield toCallCost(row)
      }
    },
    async *readSpend(sql, span, groups) {
      const pieces = await listPieces(sql, span)
      yield* readSpend(calls, {
        moment: await readBatchCondition(callBatches, sql),
        pieces,
        groups,
      })
    },
    async sumSpan(sql, { startMs, endMs }) {
      const [row] = await calls.all<{ cost: string }>(
        `SELECT toString(sum(ifNull(cost_pico, 0) * sign)) AS cost FROM calls
          WHERE ${await readBatchCondition(callBatches, sql)} AND ${toEnded(startMs, endMs)} AND ${IS_FORWARDED}`,
      )
      return BigInt(row?.cost ?? 0)
    },
    async *readSummed(sql, { startMs, endMs }) {
      const text = selectCurrent({
        moment: await readBatchCondition(callBatches, sql),
        columns: SUMMED_COLUMNS,
        where: toEnded(startMs, endMs),
      })
      for await (const row of calls.stream(text)) yield toSummedRecord(row)
    },
    async listMonths(sql) {
      const text = `SELECT DISTINCT month FROM calls WHERE ${await readBatchCondition(callBatches, sql)}`
      return (await calls.all<{ month: number }>(text)).map(({ month }) => month)
    },
    async readFirstStart(sql) {
      const moment = await readBatchCondition(callBatches, sql)
      const asked = { moment, columns: 'started_at AS at', where: IS_FORWARDED }
      const [row] = await calls.all<{ at: number }>(selectFirst({ ...asked, order: 'ASC' }))
      return row?.at ?? null
    },
    async find(sql, ids) {
      const wanted = ids.filter((id) => parseIdBytes(id) !== null)
      if (wanted.length === 0) return new Map()
      // As texts: a number of that size would be read as a floating-point one.
      const where = `id IN (${wanted.map((id) => `'${toIdNumber(id)}'`).join(', ')})`
      const asked = {
        moment: await readBatchCondition(callBatches, sql),
        columns: SELECT_COLUMNS,
        where,
      }
      const rows = await calls.all<CallRow>(selectCurrent(asked))
      return new Map(rows.map(fromCallRow).map((record) => [record.event.id, record]))
    },
  }
}
