// The audit lines of repricings.

import { WeirError } from '../../../core/weir-error.ts'
import type { Sql } from '../../sql/sql.ts'
import { addMonths } from '../changed-months.ts'
import { toDollars } from '../sql/figure-columns.ts'
import { toPeriodNumber } from '../sql/periods.ts'
import {
  ADD_REPRICED_MONTH,
  fromRepricedMonth,
  fromRepricing,
  SELECT_REPRICED_MONTHS,
} from '../sql/repricings.ts'
import type { RepricedMonth, Repricing, UsageUpkeep } from '../usage-upkeep.ts'

export type ChangeLine = Parameters<UsageUpkeep['changeCosts']>[1]

type Row = Readonly<Record<string, unknown>>

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
