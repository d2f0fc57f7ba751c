// What each repricing changed of each month. Must stay true: written with the costs, so that a
// month's sum less its differences is what it was before. Repricings of older versions have none.

import type { SqliteFile } from '../../sqlite/file.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'
import type { RepricedMonth } from '../usage-upkeep.ts'
import { toDollars } from '../sql/figure-columns.ts'
import { toPeriodNumber } from '../sql/periods.ts'
import {
  ADD_REPRICED_MONTH,
  fromRepricedMonth,
  fromRepricedSum,
  requireRepricedPeriod,
  SELECT_REPRICED_MONTHS,
  SUM_REPRICED,
} from '../sql/repricings.ts'

/** Adds to what earlier steps of the repricing changed. */
export function addRepricedMonths(
  file: SqliteFile,
  repricing: number,
  months: readonly RepricedMonth[],
): void {
  const add = file.prepare(ADD_REPRICED_MONTH)
  for (const { month, records, before, after } of months) {
    const amounts = [...toDollars(before), ...toDollars(after)]
    add.run(toPeriodNumber(month), repricing, records, ...amounts)
  }
}

export function readRepricedMonths(file: SqliteFile, repricing: number): readonly RepricedMonth[] {
  const select = file.database.prepare(SELECT_REPRICED_MONTHS)
  select.setReadBigInts(true)
  return select.all(repricing).map(fromRepricedMonth)
}

/** A row per month of the period that was repriced. */
export function sumRepriced(file: SqliteFile, question: UsageQuestion): readonly UsageSum[] {
  requireRepricedPeriod(question)
  const { period } = question
  const select = file.database.prepare(SUM_REPRICED)
  select.setReadBigInts(true)
  return select
    .all(toPeriodNumber(period.from), toPeriodNumber(period.to))
    .map((row) => fromRepricedSum(row))
}
