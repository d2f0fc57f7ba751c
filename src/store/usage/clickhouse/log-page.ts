// A page of the request log, newest first, or of records, oldest first.

import type { UsageRecord } from '../../../core/usage-record.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import type { RequestFilter, RequestPage } from '../request-log.ts'
import { parsePlace } from '../sql/log/request-filter.ts'
import { fromIdHex } from './call-columns.ts'
import { selectCurrent } from './current-calls.ts'
import { FILTER_COLUMNS, toFilter, toIdLiteral, toWithin } from './log-filter.ts'
import type { BatchCondition } from './batch-condition.ts'

export interface PageOptions {
  readonly moment: BatchCondition
  readonly order: 'ASC' | 'DESC'
  /** The id of the last call of the page before. */
  readonly behind: string | null
  readonly rowsMax: number
  readonly examinedMax: number
  /** In the same moment. */
  readonly find: (ids: readonly string[]) => Promise<ReadonlyMap<string, UsageRecord>>
}

export async function readLogPage(
  calls: ClickhouseDatabase,
  filter: RequestFilter,
  { moment, order, behind, rowsMax, examinedMax, find }: PageOptions,
): Promise<RequestPage> {
  const [isBehind, within] = [order === 'ASC' ? '>' : '<', toWithin(filter)]
  const rest = behind === null ? 'TRUE' : `id ${isBehind} ${toIdLiteral(parsePlace(behind))}`
  const where = `${within} AND ${rest}`
  const end = await readEnd()
  const examined = selectCurrent({
    moment,
    columns: FILTER_COLUMNS,
    where:
      end === null ? where : `${where} AND NOT (id ${isBehind} ${toIdLiteral(parsePlace(end))})`,
    order,
  })
  const { sql, values } = toFilter(filter)
  // One more than wanted shows whether there is another page.
  const found = await calls.all<{ hex: string }>(
    `SELECT hex(id) AS hex FROM (${examined}) WHERE ${sql} ORDER BY id ${order}
      LIMIT ${rowsMax + 1}`,
    values,
  )
  const ids = found.slice(0, rowsMax).map(({ hex }) => fromIdHex(hex))
  const records = await find(ids)
  return {
    records: ids.flatMap((id) => records.get(id) ?? []),
    next: found.length > rowsMax ? (ids.at(-1) ?? null) : end,
  }

  /**
   * The last to be examined; null where there are fewer. Rows come in the order on the disk, so
   * that no others are read: with the newest row of each call alone, all would be.
   */
  async function readEnd(): Promise<string | null> {
    const [last] = await calls.all<{ hex: string }>(
      `SELECT hex(id) AS hex FROM calls WHERE ${moment} AND sign = 1 AND ${where}
        ORDER BY id ${order} LIMIT 1 OFFSET ${examinedMax - 1}`,
    )
    return last === undefined ? null : fromIdHex(last.hex)
  }
}
