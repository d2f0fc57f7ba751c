// Finds newest days whose rollups are not the sums of their records. Must stay true: it changes
// nothing, and whatever it reports is a fault for certain. Damage of its files is the server's to
// find.

import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import type { RecordReader } from '../record-reader.ts'
import { FIGURE_COLUMNS } from '../sql/figure-columns.ts'
import {
  compareDays,
  createDaySummer,
  fromDayRow,
  SELECT_DAY_FIGURES,
  SELECT_DAYS,
  toFirstDay,
} from '../sql/day-faults.ts'
import { readScope } from './scope.ts'

export async function findFaults(
  database: SqlDatabase,
  records: RecordReader,
): Promise<readonly string[]> {
  const faults = await database.readTogether((sql) => compareNewestDays(sql, records))
  return faults.map((text) => `${database.title}: ${text}. Run weir rollups rebuild.`)
}

async function compareNewestDays(sql: Sql, records: RecordReader): Promise<readonly string[]> {
  const scope = await readScope(sql)
  const days = await sql.all<{ period: number }>(SELECT_DAYS, [scope.dayNumber])
  const first = toFirstDay(
    days.map(({ period }) => period),
    scope,
  )
  const summer = createDaySummer()
  for await (const record of records.readSummed(sql, first.fromMs)) summer.add(record)
  const rows = await sql.all<Readonly<Record<string, unknown>>>(SELECT_DAY_FIGURES, [
    first.dayNumber,
  ])
  const columns = ['period', 'provider', ...FIGURE_COLUMNS]
  const stored = rows.map((row) => fromDayRow(columns.map((column) => row[column])))
  return compareDays(new Map(stored), summer.figures())
}
