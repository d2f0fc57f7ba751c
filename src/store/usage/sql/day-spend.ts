// What each key, model and dimension value spent in a day. A day that is over is summed once, by
// whichever node is first; later cost changes are ignored, as days are compared by size, not
// billed.

import type { SpenderKind } from '../../../core/alerts/incident.ts'
import { spanOf } from '../../../core/budget.ts'
import type { BudgetSpan } from '../../../core/budget.ts'
import type { BulkTable, Sql, SqlDatabase } from '../../sql/sql.ts'
import type { DaySpend, DaySpendStore } from '../day-spend.ts'
import { byCost, createDaySums, DAYS_KEPT, NAMES_MAX, SUMMED } from '../day-sums.ts'
import type { RecordReader } from '../record-reader.ts'
import { createSharedSpend } from '../shared-spend.ts'
import type { Dialect } from './dialect.ts'
import { toPeriodNumber } from './periods.ts'

const DAY_MS = 86_400_000
const TABLE: BulkTable = {
  name: 'day_spend',
  key: { day: 'int', kind: 'text', name: 'text' },
  others: { spent: 'text' },
}

export interface DaySpendOptions {
  /** A store that is open for reading sums every time. */
  readonly canWrite: boolean
  readonly records: RecordReader
  readonly namesMax?: number
}

export function createDaySpend(
  database: SqlDatabase,
  { canWrite, records, namesMax = NAMES_MAX }: DaySpendOptions,
): DaySpendStore {
  function sumDay(span: BudgetSpan): Promise<readonly DaySpend[]> {
    return database.readSnapshot(async (sql) => {
      const sums = createDaySums(namesMax)
      for await (const record of records.readSpan(sql, span)) sums.add(record)
      return sums.list()
    })
  }

  return {
    async read(dayMs, { isOver }) {
      const span = spanOf('day', dayMs)
      const kept = isOver ? await readKept(database, span.startMs) : null
      if (kept !== null) return kept
      const spends = await sumDay(span)
      if (!isOver || !canWrite) return spends
      return database.transact((sql) => keep(sql, span.startMs, spends))
    },
    readShared: (dayMs, spenders) =>
      database.readSnapshot(async (sql) => {
        const sums = createSharedSpend(spenders)
        for await (const record of records.readSpan(sql, spanOf('day', dayMs))) sums.add(record)
        return sums.list()
      }),
  }
}

interface KeptRow {
  readonly kind: string
  readonly name: string
  readonly spent: string
}

/** Null for a day that was not summed yet. */
async function readKept(sql: Sql, startMs: number): Promise<readonly DaySpend[] | null> {
  const text = 'SELECT kind, name, spent FROM day_spend WHERE day = ?'
  const rows = await sql.all<KeptRow>(text, [toDayNumber(startMs)])
  if (!rows.some(({ kind }) => kind === SUMMED)) return null
  return rows
    .filter(({ kind }) => kind !== SUMMED)
    .map(({ kind, name, spent }) => ({ kind: kind as SpenderKind, name, spent: BigInt(spent) }))
    .toSorted(byCost)
}

/** Within a transaction: what another node has kept meanwhile stays. */
async function keep(
  sql: Sql,
  startMs: number,
  spends: readonly DaySpend[],
): Promise<readonly DaySpend[]> {
  const kept = await readKept(sql, startMs)
  if (kept !== null) return kept
  const day = toDayNumber(startMs)
  await sql.run('DELETE FROM day_spend WHERE day < ?', [toDayNumber(startMs - DAYS_KEPT * DAY_MS)])
  const rows = spends.map(({ kind, name, spent }) => [day, kind, name, String(spent)])
  await sql.insertMany({ into: TABLE, rows: [...rows, [day, SUMMED, '', '0']] })
  return spends
}

/** Days with calls that ended then are summed again when they are next asked for. */
export async function forgetDays(
  sql: Sql,
  endsMs: readonly number[],
  { isAmong }: Pick<Dialect, 'isAmong'>,
): Promise<void> {
  const { sql: isOne, parameters } = isAmong('day', [...new Set(endsMs.map(toDayNumber))])
  await sql.run(`DELETE FROM day_spend WHERE ${isOne}`, parameters)
}

function toDayNumber(startMs: number): number {
  return toPeriodNumber(new Date(startMs).toISOString().slice(0, 10))
}
