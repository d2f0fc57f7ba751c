// What each repricing changed of each month. Must stay true: written with the costs, so that a
// month's sum less its differences is what it was before. Repricings of older versions have none.

import { createFigures } from '../../../core/usage-figures.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'
import type { RepricedMonth } from '../usage-upkeep.ts'
import { fromDollars, toDollars } from '../sql/figure-columns.ts'
import { fromPeriodNumber, toPeriodNumber } from '../sql/periods.ts'

const PICO = 10n ** 12n

/** Adds to what earlier steps of the repricing changed. */
export function addRepricedMonths(
  file: SqliteFile,
  repricing: number,
  months: readonly RepricedMonth[],
): void {
  const add = file.prepare(`INSERT INTO repriced_months VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (month, repricing) DO UPDATE SET records = records + excluded.records,
      before_usd = before_usd + excluded.before_usd + (before_pico + excluded.before_pico) / ${PICO},
      before_pico = (before_pico + excluded.before_pico) % ${PICO},
      after_usd = after_usd + excluded.after_usd + (after_pico + excluded.after_pico) / ${PICO},
      after_pico = (after_pico + excluded.after_pico) % ${PICO}`)
  for (const { month, records, before, after } of months) {
    const amounts = [...toDollars(before), ...toDollars(after)]
    add.run(toPeriodNumber(month), repricing, records, ...amounts)
  }
}

export function readRepricedMonths(file: SqliteFile, repricing: number): readonly RepricedMonth[] {
  const select = file.database.prepare(
    'SELECT * FROM repriced_months WHERE repricing = ? ORDER BY month',
  )
  select.setReadBigInts(true)
  return select.all(repricing).map((row) => ({
    month: fromPeriodNumber(Number(row['month'])),
    records: Number(row['records']),
    before: fromDollars(row['before_usd'] as bigint, row['before_pico'] as bigint),
    after: fromDollars(row['after_usd'] as bigint, row['after_pico'] as bigint),
  }))
}

/** A row per month of the period that was repriced. */
export function sumRepriced(
  file: SqliteFile,
  { period, keyId }: UsageQuestion,
): readonly UsageSum[] {
  if (period.grain !== 'month' || keyId !== null) {
    throw new WeirError('invalid_parameter', 'Repricings are kept by month, for all keys together.')
  }
  const select = file.database.prepare(`SELECT month, MAX(at) AS at,
      SUM(repriced_months.records) AS records,
      SUM(repriced_months.after_usd - repriced_months.before_usd) AS usd,
      SUM(repriced_months.after_pico - repriced_months.before_pico) AS pico
    FROM repriced_months JOIN repricings ON repricings.id = repricing
    WHERE month BETWEEN ? AND ? GROUP BY month ORDER BY month`)
  select.setReadBigInts(true)
  return select.all(toPeriodNumber(period.from), toPeriodNumber(period.to)).map((row) => ({
    ...createFigures(),
    label: new Date(Number(row['at'])).toISOString(),
    bucket: fromPeriodNumber(Number(row['month'])),
    model: null,
    cost: fromDollars(row['usd'] as bigint, row['pico'] as bigint),
    requests: Number(row['records']),
  }))
}
