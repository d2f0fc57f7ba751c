// Repricings as rows: their audit lines, and what each changed of each month.

import { createFigures } from '../../../core/usage-figures.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql } from '../../sql/sql.ts'
import { addMonths } from '../changed-months.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'
import type { RepricedMonth, Repricing, UsageUpkeep } from '../usage-upkeep.ts'
import { fromDollars, toDollars } from './figure-columns.ts'
import { fromPeriodNumber, toPeriodNumber } from './periods.ts'

const PICO = 10n ** 12n

/** Takes month, repricing, records, and before and after as dollars and a remainder. */
const ADD_REPRICED_MONTH = `INSERT INTO repriced_months AS known VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (month, repricing) DO UPDATE SET records = known.records + excluded.records,
    before_usd = known.before_usd + excluded.before_usd
      + (known.before_pico + excluded.before_pico) / ${PICO},
    before_pico = (known.before_pico + excluded.before_pico) % ${PICO},
    after_usd = known.after_usd + excluded.after_usd
      + (known.after_pico + excluded.after_pico) / ${PICO},
    after_pico = (known.after_pico + excluded.after_pico) % ${PICO}`

/** Takes the first and the last month. */
const SUM_REPRICED = `SELECT month, MAX(at) AS at, SUM(repriced_months.records) AS records,
    SUM(repriced_months.after_usd - repriced_months.before_usd) AS usd,
    SUM(repriced_months.after_pico - repriced_months.before_pico) AS pico
  FROM repriced_months JOIN repricings ON repricings.id = repricing
  WHERE month BETWEEN ? AND ? GROUP BY month ORDER BY month`

const SELECT_REPRICED_MONTHS = 'SELECT * FROM repriced_months WHERE repricing = ? ORDER BY month'

/** Each word changes with every step of a repricing: a line grows, also behind a newer one. */
export const COST_CHANGES = "COUNT(*) || '.' || COALESCE(SUM(records), 0)"

type Row = Readonly<Record<string, unknown>>

/** A row per month of the period that was repriced. */
export async function sumRepriced(
  sql: Sql,
  { period, keyId }: UsageQuestion,
): Promise<readonly UsageSum[]> {
  if (period.grain !== 'month' || keyId !== null) {
    throw new WeirError('invalid_parameter', 'Repricings are kept by month, for all keys together.')
  }
  const months = [toPeriodNumber(period.from), toPeriodNumber(period.to)]
  return (await sql.all<Row>(SUM_REPRICED, months)).map(fromRepricedSum)
}

function fromRepricedSum(row: Row): UsageSum {
  return {
    ...createFigures(),
    label: new Date(Number(row['at'])).toISOString(),
    bucket: fromPeriodNumber(Number(row['month'])),
    model: null,
    cost: fromDollars(toInteger(row['usd']), toInteger(row['pico'])),
    requests: Number(row['records']),
  }
}

export type ChangeLine = Parameters<UsageUpkeep['changeCosts']>[1]

/** Only within the transaction that changes the costs. */
export async function writeLine(
  sql: Sql,
  { repricing, at, who, what }: ChangeLine,
  months: readonly RepricedMonth[],
): Promise<Repricing> {
  const id = repricing ?? (await createLine(sql, { at, who, what }))
  const [known] = await listRepricings(sql, 'WHERE id = ?', id)
  if (known === undefined) throw new WeirError('not_found', `There is no repricing ${id}.`)
  const { records, before, after } = addMonths(known, months)
  await sql.run(
    `UPDATE repricings SET records = ?, before_usd = ?, before_pico = ?, after_usd = ?,
      after_pico = ? WHERE id = ?`,
    [records, ...toDollars(before), ...toDollars(after), id],
  )
  for (const month of months) {
    const amounts = [...toDollars(month.before), ...toDollars(month.after)]
    await sql.run(ADD_REPRICED_MONTH, [toPeriodNumber(month.month), id, month.records, ...amounts])
  }
  return { ...known, records, before, after, months: await readMonths(sql, id) }
}

async function createLine(
  sql: Sql,
  { at, who, what }: Pick<ChangeLine, 'at' | 'who' | 'what'>,
): Promise<number> {
  const row = await sql.first<{ id: number }>(
    `INSERT INTO repricings
      (at, who, what, records, before_usd, before_pico, after_usd, after_pico)
      VALUES (?, ?, ?, 0, 0, 0, 0, 0) RETURNING id`,
    [at, who, what],
  )
  return row?.id ?? 0
}

export async function listRepricings(
  sql: Sql,
  which: 'WHERE id = ?' | 'ORDER BY id DESC LIMIT ?',
  value: number,
): Promise<readonly Repricing[]> {
  const lines: Repricing[] = []
  for (const row of await sql.all<Row>(`SELECT * FROM repricings ${which}`, [value])) {
    lines.push(fromRepricing(row, await readMonths(sql, Number(row['id']))))
  }
  return lines
}

async function readMonths(sql: Sql, repricing: number): Promise<readonly RepricedMonth[]> {
  return (await sql.all<Row>(SELECT_REPRICED_MONTHS, [repricing])).map(fromRepricedMonth)
}

function fromRepricedMonth(row: Row): RepricedMonth {
  return { month: fromPeriodNumber(Number(row['month'])), ...fromChange(row) }
}

function fromRepricing(row: Row, months: readonly RepricedMonth[]): Repricing {
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
