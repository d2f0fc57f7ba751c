// Finds newest days whose rollups are not the sums of their records. Must stay true: it changes
// nothing, and whatever it reports is a fault for certain.

import { createFigures } from '../../../core/usage-figures.ts'
import type { UsageFigures } from '../../../core/usage-figures.ts'
import type { Sql } from '../../sql/sql.ts'
import type { RecordReader } from '../record-reader.ts'
import { ALL_KEYS, createRollups } from '../rollup.ts'
import { FIGURE_COLUMNS, fromColumns } from './figure-columns.ts'
import type { RebuildScope } from './rebuild-scope.ts'
import { describeDifference, toPeriodText } from './rebuild-words.ts'
import { readScope } from './scope.ts'
import type { SummedRecord } from './summed-record.ts'

/** The newest that are compared. */
const DAYS_MAX = 7
const FAULTS_MAX = 5
const NOTHING = createFigures()

/** By day and provider, all keys together. */
type DayFigures = ReadonlyMap<string, UsageFigures>

/** Takes the first day and how many, see toFirstDay. */
const SELECT_DAYS = `SELECT DISTINCT period FROM total_rollup
  WHERE key_id = 0 AND period > 999999 AND period >= ? ORDER BY period DESC LIMIT ${DAYS_MAX}`
/** Takes the first day; for fromDayRow. */
const SELECT_DAY_FIGURES = `SELECT period,
    (SELECT name FROM names WHERE id = provider) AS provider, ${FIGURE_COLUMNS.join(', ')}
  FROM total_rollup WHERE key_id = 0 AND period > 999999 AND period >= ?`

/** In sentences without an end. To be called within one read of the database. */
export async function findDayFaults(sql: Sql, records: RecordReader): Promise<readonly string[]> {
  const scope = await readScope(sql)
  const days = await sql.all<{ period: number }>(SELECT_DAYS, [scope.dayNumber])
  const first = toFirstDay(
    days.map(({ period }) => period),
    scope,
  )
  const span = { startMs: first.fromMs, endMs: Number.MAX_SAFE_INTEGER }
  const summer = createDaySummer()
  for await (const record of records.readSummed(sql, span)) summer.add(record)
  const stored = await sql.lists(SELECT_DAY_FIGURES, [first.dayNumber])
  return compareDays(new Map(stored.map(fromDayRow)), summer.figures())
}

/**
 * The first of the newest comparable days. Rollups only say which days exist, as their counts may
 * be wrong. Where they have none, there may still be records.
 */
function toFirstDay(
  days: readonly number[],
  scope: RebuildScope,
): Pick<RebuildScope, 'dayNumber' | 'fromMs'> {
  const first = days.at(-1)
  if (first === undefined || days.length < DAYS_MAX) return scope
  return { dayNumber: first, fromMs: Date.parse(`${toPeriodText(first)}T00:00:00Z`) }
}

function fromDayRow([period, provider, ...figures]: readonly unknown[]): [string, UsageFigures] {
  const place = `${toPeriodText(period as number)}, provider ${String(provider)}`
  return [place, fromColumns(figures as (number | bigint)[])]
}

interface DaySummer {
  add(record: SummedRecord): void
  figures(): DayFigures
}

function createDaySummer(): DaySummer {
  const rollups = createRollups()
  return {
    // Only what is compared: memory must not grow with keys, models and dimensions.
    add: ({ event, cost }) =>
      rollups.add({ event: { ...event, keyId: null, model: null, dims: {} }, cost }),
    figures() {
      const days = rollups
        .totalSums()
        .filter(({ key: [period, keyId] }) => period.length > 7 && keyId === ALL_KEYS)
      return new Map(
        days.map(({ key: [day, , provider], ...sum }) => [`${day}, provider ${provider}`, sum]),
      )
    },
  }
}

function compareDays(stored: DayFigures, summed: DayFigures): readonly string[] {
  const faults: string[] = []
  for (const place of new Set([...stored.keys(), ...summed.keys()])) {
    const { records, rollups } = describeDifference(
      summed.get(place) ?? NOTHING,
      stored.get(place) ?? NOTHING,
    )
    if (records === '') continue
    faults.push(`${place} has ${rollups} in the rollups and ${records} in the records`)
  }
  return faults.toSorted().slice(0, FAULTS_MAX)
}
