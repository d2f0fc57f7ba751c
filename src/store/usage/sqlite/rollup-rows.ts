// How sums are added to the tables of rollups.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RollupSum } from '../rollup.ts'
import { addColumns, FIGURE_COLUMNS, toColumns } from '../sql/figure-columns.ts'
import type { Names } from './names.ts'
import { toPeriodNumber } from '../sql/periods.ts'

/** `into` is a table with the same columns and primary key. */
export function prepareAddition(
  database: DatabaseSync,
  key: readonly string[],
  into: string,
): StatementSync {
  const columns = [...key, ...FIGURE_COLUMNS]
  return database.prepare(`INSERT INTO ${into} (${columns.join(', ')})
    VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${addColumns()}`)
}

export function addSum(addition: StatementSync, sum: RollupSum, names: Pick<Names, 'idOf'>): void {
  const [period, ...parts] = sum.key
  const key = [toPeriodNumber(period), ...parts.map((name) => names.idOf(name))]
  addition.run(...key, ...toColumns(sum))
}
