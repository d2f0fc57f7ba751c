// What each key, model and dimension value spent in a day, for the search for anomalies. Days that
// are over are summed once and kept.

import type { Spender } from '../../core/alerts/incident.ts'
import type { Money } from '../../core/money.ts'

export interface DaySpend extends Spender {
  readonly spent: Money
}

/** What the calls cost that belong to exactly these spenders, of those that were asked about. */
export interface SharedSpend {
  /** Places in the list that was asked about, ascending. */
  readonly spenders: readonly number[]
  readonly spent: Money
}

export interface DaySpendStore {
  /** What cost something, most expensive first, at most SPENDERS_MAX of a kind, in a UTC day. */
  read(dayMs: number, options: { readonly isOver: boolean }): Promise<readonly DaySpend[]>
  /**
   * How the spend of these spenders overlaps in a UTC day: every charged call of any of them is in
   * one row. Of more than SHARES_MAX combinations, the first that are found.
   */
  readShared(dayMs: number, spenders: readonly Spender[]): Promise<readonly SharedSpend[]>
}

export const SPENDERS_MAX = 10_000
export const SHARES_MAX = 10_000
