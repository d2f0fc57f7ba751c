// Finds damage to a usage store's file, and newest days whose rollups are not the sums of their
// records. Must stay true: it changes nothing, and whatever it reports is a fault for certain.

import { findDamage } from '../../sqlite/damage.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import {
  compareDays,
  createDaySummer,
  fromDayRow,
  SELECT_DAY_FIGURES,
  SELECT_DAYS,
  toFirstDay,
} from '../sql/day-faults.ts'
import type { DayFigures } from '../sql/day-faults.ts'
import type { SummedRecord } from '../sql/summed-record.ts'
import { readScope } from './rebuild-scope.ts'
import { readSummedRecords } from './summed-records.ts'

export function findFaults(file: SqliteFile): readonly string[] {
  const damage = findFileFaults(file)
  if (damage.length > 0) return damage
  return readTogether(file, () => {
    const comparison = beginComparison(file)
    for (const record of readSummedRecords(file.database, comparison.fromMs)) comparison.add(record)
    return comparison.finish()
  })
}

export function findFileFaults(file: SqliteFile): readonly string[] {
  const damage = findDamage(file.database)
  return damage.map((text) => `${file.title}: ${text}. Put the last backup in its place.`)
}

export interface DayComparison {
  readonly fromMs: number
  /** For each call that ended then or later. */
  add(record: SummedRecord): void
  finish(): readonly string[]
}

/** Of the newest days. Until `finish`, the transaction stays in which the records are read. */
export function beginComparison(file: SqliteFile): DayComparison {
  const scope = readScope(file)
  const days = file.prepare<{ period: number }>(SELECT_DAYS).all(scope.dayNumber)
  const first = toFirstDay(
    days.map(({ period }) => period),
    scope,
  )
  const summer = createDaySummer()
  return {
    fromMs: first.fromMs,
    add: (record) => summer.add(record),
    finish: () =>
      compareDays(readDayFigures(file, first.dayNumber), summer.figures()).map(
        (text) => `${file.title}: ${text}. Run weir rollups rebuild.`,
      ),
  }
}

function readDayFigures(file: SqliteFile, since: number): DayFigures {
  const select = file.database.prepare(SELECT_DAY_FIGURES)
  select.setReadBigInts(true)
  select.setReturnArrays(true)
  return new Map((select.all(since) as unknown as unknown[][]).map(fromDayRow))
}
