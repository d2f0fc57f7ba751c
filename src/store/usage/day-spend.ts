// What was spent in a day by each key, model and dimension value: what the search for anomalies
// goes by. Days that are over are summed once and kept.

import type { Money } from '../../core/money.ts'

export type SpenderKind = 'api_key' | 'model' | 'dim'

export interface DaySpend {
  readonly kind: SpenderKind
  /** The key's id, `provider/model` as recorded, or `dimension=value`. */
  readonly name: string
  readonly spent: Money
}

export interface DaySpendStore {
  /**
   * Those that were charged something, most expensive first, at most SPENDERS_MAX of a kind.
   * `dayMs` lies in the UTC day.
   */
  read(dayMs: number, options: { readonly isOver: boolean }): Promise<readonly DaySpend[]>
}

export const SPENDERS_MAX = 10_000
