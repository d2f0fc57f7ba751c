// What each key, model and dimension value spent in a day, on SQLite. A day that is over is summed
// once; later cost changes are ignored, as days are compared by size, not billed.

import type { SpenderKind } from '../../../core/alerts/incident.ts'
import { spanOf } from '../../../core/budget.ts'
import type { BudgetSpan } from '../../../core/budget.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { byCost, createDaySums, DAYS_KEPT, NAMES_MAX, SUMMED } from '../day-sums.ts'
import type { DaySpend, DaySpendStore } from '../day-spend.ts'
import { toPeriodNumber } from '../sql/periods.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { createSharedSpend } from '../shared-spend.ts'
import type { CallCost } from '../sql/span-record.ts'
import { readSpanRecords } from './span-records.ts'

const DAY_MS = 86_400_000

export interface DaySpendOptions {
  /** A store that is open for reading sums every time. */
  readonly canWrite: boolean
  readonly namesMax?: number
  /** Gives the calls of a day, where they are not in the file. */
  readonly forEachCall?: ForEachCall
}

type ForEachCall = (span: BudgetSpan, use: (call: CallCost) => void) => Promise<void>

export function createSqliteDaySpend(
  file: SqliteFile,
  { canWrite, namesMax = NAMES_MAX, forEachCall = createForEachCall(file) }: DaySpendOptions,
): DaySpendStore {
  return {
    async read(dayMs, { isOver }) {
      const span = spanOf('day', dayMs)
      const day = toDayNumber(span.startMs)
      const kept = isOver ? readKept(file, day) : null
      if (kept !== null) return kept
      const sums = createDaySums(namesMax)
      await forEachCall(span, (call) => sums.add(call))
      const spends = sums.list()
      if (isOver && canWrite) keep(file, span.startMs, spends)
      return spends
    },
    async readShared(dayMs, spenders) {
      const sums = createSharedSpend(spenders)
      await forEachCall(spanOf('day', dayMs), (call) => sums.add(call))
      return sums.list()
    },
  }
}

function createForEachCall(file: SqliteFile): ForEachCall {
  return async (span, use) =>
    readTogether(file, () => {
      for (const call of readSpanRecords(file, span)) use(call)
    })
}

interface KeptRow {
  readonly kind: string
  readonly name: string
  readonly spent: string
}

/** Null for a day that was not summed yet. */
function readKept(file: SqliteFile, day: number): readonly DaySpend[] | null {
  const select = file.prepare<KeptRow>('SELECT kind, name, spent FROM day_spend WHERE day = ?')
  const rows = select.all(day)
  if (!rows.some(({ kind }) => kind === SUMMED)) return null
  const spends = rows
    .filter(({ kind }) => kind !== SUMMED)
    .map(({ kind, name, spent }) => ({ kind: kind as SpenderKind, name, spent: BigInt(spent) }))
  return spends.toSorted(byCost)
}

function keep(file: SqliteFile, startMs: number, spends: readonly DaySpend[]): void {
  const day = toDayNumber(startMs)
  const put = file.prepare('INSERT OR REPLACE INTO day_spend VALUES (?, ?, ?, ?)')
  const removal = file.prepare('DELETE FROM day_spend WHERE day < ?')
  file.transact(() => {
    removal.run(toDayNumber(startMs - DAYS_KEPT * DAY_MS))
    for (const { kind, name, spent } of spends) put.run(day, kind, name, String(spent))
    put.run(day, SUMMED, '', '0')
  })
}

function toDayNumber(startMs: number): number {
  return toPeriodNumber(new Date(startMs).toISOString().slice(0, 10))
}
