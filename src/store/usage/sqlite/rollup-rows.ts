// The rollups as rows: which tables there are, and how sums are added to them. Must stay true: dollars and the
// remainder in 1e-12 are kept apart, and the remainder lies in [0, 1) dollar after every addition.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Money } from '../../../core/money.ts'
import type { RollupSum, Rollups } from '../rollup.ts'
import type { Names } from './names.ts'
import { toPeriodNumber } from './question.ts'

const PICO = 10n ** 12n
export const FIGURE_COLUMNS = ['cost_usd', 'cost_pico', 'requests', 'tokens', 'unpriced'] as const

export interface RollupTable {
  readonly name: string
  /** The key's columns. All but the first hold ids of names. */
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

/** `into` is a table of the same columns and primary key. */
export function prepareAddition(
  database: DatabaseSync,
  key: readonly string[],
  into: string,
): StatementSync {
  const columns = [...key, ...FIGURE_COLUMNS]
  return database.prepare(`INSERT INTO ${into} (${columns.join(', ')})
    VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET
      cost_usd = cost_usd + excluded.cost_usd + (cost_pico + excluded.cost_pico) / ${PICO},
      cost_pico = (cost_pico + excluded.cost_pico) % ${PICO},
      requests = requests + excluded.requests,
      tokens = tokens + excluded.tokens,
      unpriced = unpriced + excluded.unpriced`)
}

export function addSum(addition: StatementSync, sum: RollupSum, names: Pick<Names, 'idOf'>): void {
  const [period, ...parts] = sum.key
  const key = [toPeriodNumber(period), ...parts.map((name) => names.idOf(name))]
  addition.run(...key, ...toDollars(sum.cost), sum.requests, sum.tokens, sum.unpriced)
}

/** Rounded down, also below zero: the remainder must not be negative for the carry to work. */
export function toDollars(amount: Money): readonly [dollars: bigint, remainder: bigint] {
  const remainder = ((amount % PICO) + PICO) % PICO
  return [(amount - remainder) / PICO, remainder]
}

export function fromDollars(dollars: bigint, remainder: bigint): Money {
  return dollars * PICO + remainder
}
