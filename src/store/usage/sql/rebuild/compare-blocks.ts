// Compares the sums for analysis of a month with those of its calls. What differs becomes a part of
// its own: added to the store, it makes the sums right, however batches have divided and merged
// theirs meanwhile.

import type { BudgetSpan } from '../../../../core/budget.ts'
import type { Sql } from '../../../sql/sql.ts'
import { decodePart } from '../../block-bytes.ts'
import { createPartTable } from '../../block-table.ts'
import type { BlockColumns, BlockTable } from '../../block-table.ts'
import { toNumber } from '../period-ranges.ts'
import type { RebuildScope } from '../rebuild-scope.ts'

/** The records' sums of an hour or month minus the stored ones. */
export interface BlockChange {
  readonly period: number
  readonly difference: BlockColumns
}

export interface BlockComparison {
  readonly changes: readonly BlockChange[]
  /** The days of a month, one after the other. */
  compareDay(day: BudgetSpan, hours: ReadonlyMap<number, BlockTable>): Promise<void>
  /** After its days. */
  compareMonth(): Promise<void>
}

const LIST = 'SELECT id, period FROM analysis_parts WHERE period BETWEEN ? AND ?'
const READ = 'SELECT part FROM analysis_parts WHERE id = ?'
const LAST_HOUR = 23

export function comparePartsOf(
  sql: Sql,
  { month, scope }: { readonly month: number; readonly scope: RebuildScope },
): BlockComparison {
  const changes: BlockChange[] = []
  const ofMonth = createPartTable()
  const isMonthWhole = month >= scope.monthNumber

  async function compare(
    [from, to]: readonly [number, number],
    summed: ReadonlyMap<number, BlockTable>,
  ): Promise<void> {
    const tables = new Map(summed)
    // One at a time: a part may be large.
    for (const { id, period } of await sql.all<{ id: number; period: number }>(LIST, [from, to])) {
      const table = tables.get(period) ?? createPartTable()
      tables.set(period, table)
      const row = await sql.first<{ part: Uint8Array }>(READ, [id])
      if (row !== null) table.addAll(decodePart(row.part), -1)
    }
    for (const [period, table] of tables) {
      const difference = table.columns()
      if (difference.rows > 0) changes.push({ period, difference })
    }
  }

  return {
    changes,
    async compareDay({ startMs }, hours) {
      if (isMonthWhole) for (const table of hours.values()) ofMonth.addAll(table.columns(), 1)
      const first = toNumber(startMs, 'hour')
      await compare([first, first + LAST_HOUR], hours)
    },
    async compareMonth() {
      if (isMonthWhole) await compare([month, month], new Map([[month, ofMonth]]))
    },
  }
}
