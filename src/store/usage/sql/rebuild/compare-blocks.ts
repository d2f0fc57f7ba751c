// Compares the sums for analysis of a month with those of its calls. What differs becomes a part of
// its own: added to the store, it makes the sums right, however batches have divided and merged
// theirs meanwhile.

import type { BudgetSpan } from '../../../../core/budget.ts'
import type { Sql } from '../../../sql/sql.ts'
import { decodePart } from '../../block-bytes.ts'
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
  /** In memory, without those of the day that is compared. */
  rowsBuffered(): number
  /** The days of a month, one after the other. */
  compareDay(day: BudgetSpan, hours: ReadonlyMap<number, BlockTable>): Promise<void>
  /** After its days. */
  compareMonth(): Promise<void>
}

export interface ComparedBlocks {
  readonly month: number
  readonly scope: RebuildScope
  readonly createTable: () => BlockTable
  /** Told how many rows of hours or of the month are in memory. */
  readonly onBuffered: (rows: number) => void
}

const LIST = 'SELECT id, period FROM analysis_parts WHERE period BETWEEN ? AND ?'
const READ = 'SELECT part FROM analysis_parts WHERE id = ?'
const LAST_HOUR = 23

export function comparePartsOf(
  sql: Sql,
  { month, scope, createTable, onBuffered }: ComparedBlocks,
): BlockComparison {
  const changes: BlockChange[] = []
  let ofMonth = createTable()
  let rowsChanged = 0
  const isMonthWhole = month >= scope.monthNumber

  async function compare(
    [from, to]: readonly [number, number],
    summed: ReadonlyMap<number, BlockTable>,
  ): Promise<void> {
    const tables = new Map(summed)
    // One at a time: a part may be large.
    for (const { id, period } of await sql.all<{ id: number; period: number }>(LIST, [from, to])) {
      const table = tables.get(period) ?? createTable()
      tables.set(period, table)
      const row = await sql.first<{ part: Uint8Array }>(READ, [id])
      if (row !== null) table.addAll(decodePart(row.part), -1)
      onBuffered(countRows(tables))
    }
    for (const [period, table] of tables) {
      const difference = table.columns()
      if (difference.rows > 0) changes.push({ period, difference })
      rowsChanged += difference.rows
    }
  }

  return {
    changes,
    rowsBuffered: () => ofMonth.rows + rowsChanged,
    async compareDay({ startMs }, hours) {
      if (isMonthWhole) for (const table of hours.values()) ofMonth.addAll(table.columns(), 1)
      const first = toNumber(startMs, 'hour')
      await compare([first, first + LAST_HOUR], hours)
    },
    async compareMonth() {
      const summed = ofMonth
      ofMonth = createTable()
      if (isMonthWhole) await compare([month, month], new Map([[month, summed]]))
    },
  }
}

export function countRows(tables: ReadonlyMap<number, BlockTable>): number {
  return tables.values().reduce((sum, { rows }) => sum + rows, 0)
}
