// The rollups as rows: which tables there are, and how sums are added to them.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RollupSum, Rollups } from '../rollup.ts'
import { addColumns, FIGURE_COLUMNS, toColumns } from './figure-columns.ts'
import type { Names } from './names.ts'
import { toPeriodNumber } from './question.ts'

export interface RollupTable {
  readonly name: string
  /** All but the first are ids of names. */
  readonly key: readonly string[]
  readonly sumsOf: (rollups: Rollups) => readonly RollupSum[]
}

export const ROLLUP_TABLES: readonly RollupTable[] = [
  {
    name: 'total_rollup',
    key: ['period', 'key_id', 'provider'],
    sumsOf: (rollups) => rollups.totalSums(),
  },
  {
    name: 'model_rollup',
    key: ['period', 'key_id', 'provider', 'model'],
    sumsOf: (rollups) => rollups.modelSums(),
  },
  {
    name: 'dim_rollup',
    key: ['period', 'key_id', 'dim_key', 'dim_value', 'model'],
    sumsOf: (rollups) => rollups.dimSums(),
  },
  {
    name: 'usage_rollup',
    key: ['period', 'usage'],
    sumsOf: (rollups) => rollups.usageSums(),
  },
  {
    name: 'dim_key_rollup',
    key: ['period', 'dim_key'],
    sumsOf: (rollups) => rollups.dimKeySums(),
  },
]

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
