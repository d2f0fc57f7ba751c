// Budgets over stores that are open, for the command line: the rows of the API, so that both tell the same. What runs
// at the moment is known to the API alone, and left out here.

import type { BudgetRow } from '../contract.ts'
import { readBudgetRows } from './read-budgets.ts'
import type { Clock } from '../../core/clock.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import type { Config } from '../../config/config.ts'
import { createSlugOf } from '../../config/slug-of.ts'

export interface BudgetSources {
  readonly config: Config
  readonly settings: SettingsStore
  readonly usage: UsageStore
}

export { showSecrets } from './budget-row.ts'

/** All there are, by their age. */
export function readBudgets(
  { config, settings, usage }: BudgetSources,
  clock: Clock,
): Promise<readonly BudgetRow[]> {
  return readBudgetRows({ settings, usage, slugOf: createSlugOf(config), clock })
}
