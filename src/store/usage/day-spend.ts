// What each key, model and dimension value spent in a day, for the search for anomalies. Days that
// are over are summed once and kept.

import type { Money } from '../../core/money.ts'

export type SpenderKind = 'api_key' | 'model' | 'dim'

export interface DaySpend {
  readonly kind: SpenderKind
  /** The key's id, `provider/model` as recorded, or `dimension=value`. */
  readonly name: string
  readonly spent: Money
}

export interface DaySpendStore {
  /** What cost something, most expensive first, at most SPENDERS_MAX of a kind, in a UTC day. */
  read(dayMs: number, options: { readonly isOver: boolean }): Promise<readonly DaySpend[]>
}

export const SPENDERS_MAX = 10_000
