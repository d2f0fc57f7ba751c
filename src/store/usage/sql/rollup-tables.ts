// Which tables of rollups there are.

import type { RollupSum, Rollups } from '../rollup.ts'

export interface RollupTable {
  readonly name: string
  /** All but the first are ids of names. */
  readonly key: readonly string[]
  readonly sumsOf: (rollups: Rollups) => readonly RollupSum[]
  /** What else its rows have: see ABOUT_COLUMNS. */
  readonly isOfSessions?: true
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
  {
    name: 'session_rollup',
    key: ['period', 'key_id', 'session', 'team', 'person', 'part'],
    sumsOf: (rollups) => rollups.sessionSums(),
    isOfSessions: true,
  },
]
