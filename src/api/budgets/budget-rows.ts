// The API's budget rows for the command line, without the running calls, which only the API knows.

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

export function readBudgets(
  { config, settings, ledgerBook }: BudgetSources,
  clock: Clock,
): Promise<readonly BudgetRow[]> {
  return readBudgetRows({ settings, ledgerBook, slugOf: createSlugOf(config), clock })
}
