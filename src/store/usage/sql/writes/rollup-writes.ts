// Sums as additions to the rollups: rows for each table, however many. They may only run under the
// store's lock.

import type { BulkRow, BulkTable, ColumnType, RowsToInsert } from '../../../sql/sql.ts'
import type { Rollups, RollupSum } from '../../rollup.ts'
import { ABOUT_KINDS, MERGE_ABOUT, toAboutColumns } from '../about-columns.ts'
import { addColumns, FIGURE_COLUMNS, toColumns } from '../figure-columns.ts'
import { toPeriodNumber } from '../periods.ts'
import { ROLLUP_TABLES } from '../rollup-tables.ts'
import type { RollupTable } from '../rollup-tables.ts'

/** `idOf` knows every name of the sums. */
export function toRollupAdditions(
  rollups: Rollups,
  idOf: (name: string) => number,
): readonly RowsToInsert[] {
  return ROLLUP_TABLES.flatMap((table) => {
    const sums = table.sumsOf(rollups)
    return sums.length === 0 ? [] : [toAddition(table, toRows(sums, idOf))]
  })
}

const tables = new Map<string, Omit<RowsToInsert, 'rows'>>()

/** To a table with the columns and the key of a rollup. */
export function toAddition(
  { name, key, isOfSessions }: Omit<RollupTable, 'sumsOf'>,
  rows: readonly BulkRow[],
): RowsToInsert {
  const known = tables.get(name)
  if (known !== undefined) return { ...known, rows }
  const into: BulkTable = {
    name,
    key: toTypes(key, 'int'),
    others: { ...toTypes(FIGURE_COLUMNS, 'bigint'), ...(isOfSessions && ABOUT_KINDS) },
  }
  const merged = [addColumns(`${name}.`), ...(isOfSessions ? [MERGE_ABOUT] : [])].join(', ')
  const onConflict = `(${key.join(', ')}) DO UPDATE SET ${merged}`
  tables.set(name, { into, onConflict })
  return { into, onConflict, rows }
}

function toTypes(columns: readonly string[], type: ColumnType): BulkTable['key'] {
  return Object.fromEntries(columns.map((column) => [column, type]))
}

export function toRows(
  sums: readonly RollupSum[],
  idOf: (name: string) => number,
): readonly BulkRow[] {
  let period = ''
  let periodNumber = 0
  return sums.map((sum) => {
    const { key } = sum
    // Sums of a period follow each other.
    if (key[0] !== period) [period, periodNumber] = [key[0], toPeriodNumber(key[0])]
    const row: (number | bigint | string)[] = [periodNumber]
    for (let index = 1; index < key.length; index += 1) row.push(idOf(key[index] as string))
    row.push(...toColumns(sum))
    if (sum.about !== undefined) row.push(...toAboutColumns(sum.about))
    return row
  })
}
