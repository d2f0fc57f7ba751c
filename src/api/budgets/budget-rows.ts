// Budgets over stores that are open, for the command line: the rows of the API, so that both show
// the same. What runs at the moment is known to the API alone, and left out here.

import type { BudgetRow } from '../contract.ts'
import { readBudgetRows } from './read-budgets.ts'
import type { Clock } from '../../core/clock.ts'
import type { LedgerBook } from '../../store/ledger/ledger-book.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { Config } from '../../config/config.ts'
import { createSlugOf } from '../../config/slug-of.ts'

export interface BudgetSources {
  readonly config: Config
  readonly settings: SettingsStore
  readonly ledgerBook: LedgerBook
}

export { showSecrets } from './budget-row.ts'

/** All there are, by their age. */
export function readBudgets(
  { config, settings, ledgerBook }: BudgetSources,
  clock: Clock,
): Promise<readonly BudgetRow[]> {
  return readBudgetRows({ settings, ledgerBook, slugOf: createSlugOf(config), clock })
}
