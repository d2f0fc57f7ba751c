// Repricings as rows: their audit lines, and what each changed of each month.

import { createFigures } from '../../../core/usage-figures.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'
import type { RepricedMonth, Repricing } from '../usage-upkeep.ts'
import { fromDollars } from './figure-columns.ts'
import { fromPeriodNumber } from './periods.ts'

const PICO = 10n ** 12n

/** Takes month, repricing, records, and before and after as dollars and a remainder. */
export const ADD_REPRICED_MONTH = `INSERT INTO repriced_months AS known VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (month, repricing) DO UPDATE SET records = known.records + excluded.records,
    before_usd = known.before_usd + excluded.before_usd
      + (known.before_pico + excluded.before_pico) / ${PICO},
    before_pico = (known.before_pico + excluded.before_pico) % ${PICO},
    after_usd = known.after_usd + excluded.after_usd
      + (known.after_pico + excluded.after_pico) / ${PICO},
    after_pico = (known.after_pico + excluded.after_pico) % ${PICO}`

/** Takes the first and the last month. */
export const SUM_REPRICED = `SELECT month, MAX(at) AS at, SUM(repriced_months.records) AS records,
    SUM(repriced_months.after_usd - repriced_months.before_usd) AS usd,
    SUM(repriced_months.after_pico - repriced_months.before_pico) AS pico
  FROM repriced_months JOIN repricings ON repricings.id = repricing
  WHERE month BETWEEN ? AND ? GROUP BY month ORDER BY month`

export const SELECT_REPRICED_MONTHS =
  'SELECT * FROM repriced_months WHERE repricing = ? ORDER BY month'

/** Each word changes with every step of a repricing: a line grows, also behind a newer one. */
export const COST_CHANGES = "COUNT(*) || '.' || COALESCE(SUM(records), 0)"

type Row = Readonly<Record<string, unknown>>

export function requireRepricedPeriod({ period, keyId }: UsageQuestion): void {
  if (period.grain === 'month' && keyId === null) return
  throw new WeirError('invalid_parameter', 'Repricings are kept by month, for all keys together.')
}

export function fromRepricedSum(row: Row): UsageSum {
  return {
    ...createFigures(),
    label: new Date(Number(row['at'])).toISOString(),
    bucket: fromPeriodNumber(Number(row['month'])),
    model: null,
    cost: fromDollars(toInteger(row['usd']), toInteger(row['pico'])),
    requests: Number(row['records']),
  }
}

export function fromRepricedMonth(row: Row): RepricedMonth {
  return { month: fromPeriodNumber(Number(row['month'])), ...fromChange(row) }
}

export function fromRepricing(row: Row, months: readonly RepricedMonth[]): Repricing {
  return {
    id: Number(row['id']),
    at: Number(row['at']),
    who: row['who'] as string,
    what: row['what'] as string,
    ...fromChange(row),
    months,
  }
}

function fromChange(row: Row): Pick<Repricing, 'records' | 'before' | 'after'> {
  return {
    records: Number(row['records']),
    before: fromDollars(toInteger(row['before_usd']), toInteger(row['before_pico'])),
    after: fromDollars(toInteger(row['after_usd']), toInteger(row['after_pico'])),
  }
}

function toInteger(value: unknown): bigint {
  return BigInt(value as number | bigint)
}
