// Budgets among the settings. The ledger polls them, as proxies poll the keys.

import type { Budget, BudgetSettings } from '../../core/budget.ts'
import type { Money } from '../../core/money.ts'
import type { Expected } from './changed-meanwhile.ts'
import type { NewTarget } from './target-store.ts'

export interface BudgetChanges {
  /** To be passed to the next call. */
  readonly revision: number
  /** All there are, oldest first. */
  readonly budgets: readonly Budget[]
}

export interface TargetChange {
  readonly added: readonly NewTarget[]
  /** Ids of its own. */
  readonly removed: readonly string[]
}

export interface BudgetStore {
  /**
   * With its targets or not at all: an alert that it raises at once must reach them. `defaultOf`:
   * the team that gives it to each of its keys, once.
   */
  create(
    settings: BudgetSettings,
    targets?: readonly NewTarget[],
    defaultOf?: string,
  ): Promise<Budget>
  list(): Promise<readonly Budget[]>
  /** Null when there is no such budget; the same below. */
  find(id: string): Promise<Budget | null>
  /** Throws `ChangedMeanwhile` at another version; the same below. Whose a default is stays. */
  update(
    id: string,
    /** Targets change together with it: an alert that it raises at once must reach them. */
    change: Partial<BudgetSettings> & { readonly targets?: TargetChange },
    expected?: Expected,
  ): Promise<Budget | null>
  /** Of one member of a rule; null: that of the others. Throws where too many have one. */
  setOwnLimit(id: string, member: string, limit: Money | null): Promise<Budget | null>
  /** With its targets. Its spend and its alerts stay on record. */
  remove(id: string, expected?: Expected): Promise<Budget | null>
  /** Null when nothing changed since the revision (-1: none yet). Polled, so it is cheap then. */
  readChanges(revision: number): Promise<BudgetChanges | null>
}
