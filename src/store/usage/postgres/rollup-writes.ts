// Sums as additions to the rollups on PostgreSQL: one statement for each table, however many rows.
// They may only run under the store's lock.

import type { Statement } from '../../sql/sql.ts'
import { toNumberArray } from '../../postgres/array-text.ts'
import type { Rollups, RollupSum } from '../rollup.ts'
import { addColumns, FIGURE_COLUMNS, toColumns } from '../sql/figure-columns.ts'
import { toPeriodNumber } from '../sql/periods.ts'
import { ROLLUP_TABLES } from '../sql/rollup-tables.ts'

const TABLES = ROLLUP_TABLES.map(({ name, key, sumsOf }) => ({
  text: toAddition(name, key),
  width: key.length,
  sumsOf,
}))

/** `idOf` knows every name of the sums. */
export function toRollupAdditions(
  rollups: Rollups,
  idOf: (name: string) => number,
): readonly Statement[] {
  return TABLES.flatMap(({ text, width, sumsOf }) => {
    const sums = sumsOf(rollups)
    return sums.length === 0 ? [] : [{ text, values: toValues(sums, width, idOf) }]
  })
}

/** In the order of the key, which keeps the index's pages close together. */
export function toAddition(name: string, key: readonly string[]): string {
  const columns = [...key, ...FIGURE_COLUMNS]
  const arrays = [...key.map(() => '?::int[]'), ...FIGURE_COLUMNS.map(() => '?::bigint[]')]
  return `INSERT INTO ${name} AS kept (${columns.join(', ')})
    SELECT * FROM unnest(${arrays.join(', ')}) AS added (${columns.join(', ')})
    ORDER BY ${key.join(', ')}
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${addColumns('kept.')}`
}

export function toValues(
  sums: readonly RollupSum[],
  width: number,
  idOf: (name: string) => number,
): readonly string[] {
  const columns: (number | bigint)[][] = Array.from(
    { length: width + FIGURE_COLUMNS.length },
    () => [],
  )
  const put = (column: number, value: number | bigint): void => void columns[column]?.push(value)
  let period = ''
  let periodNumber = 0
  for (const sum of sums) {
    const { key } = sum
    // Sums of a period follow each other.
    if (key[0] !== period) [period, periodNumber] = [key[0], toPeriodNumber(key[0])]
    put(0, periodNumber)
    for (let index = 1; index < width; index += 1) put(index, idOf(key[index] as string))
    const figures = toColumns(sum)
    for (let index = 0; index < figures.length; index += 1) {
      put(width + index, figures[index] as number | bigint)
    }
  }
  return columns.map(toNumberArray)
}
