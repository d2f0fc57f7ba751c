// weir budgets create

import { createTargetCheck } from '../../alerts/alert-targets.ts'
import { readBudgets } from '../../api/budgets/budget-rows.ts'
import type { BudgetSettings } from '../../core/budget.ts'
import { BUDGET_FIELDS } from '../../resources/budget.ts'
import { BUDGET_CODEC } from '../../resources/codecs.ts'
import {
  checkScope,
  checkTargets,
  readBudgetSettings,
  readTargets,
  TARGET_OPTIONS,
} from './budget-options.ts'
import { findBudgetRow, printBudget } from './budget-view.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toOptions } from '../field-options.ts'
import { toPrintable } from '../printable.ts'
import { withStores } from '../with-stores.ts'

export const budgetsCreateCommand: CommandBody = {
  usage: 'weir budgets create --name N --limit-usd X --period P --scope S [options]',
  options: { ...toOptions(BUDGET_FIELDS, { isNew: true }), ...TARGET_OPTIONS },
  run: createBudget,
}

async function createBudget(input: CommandInput): Promise<number> {
  const given = readBudgetSettings(input)
  const settings = { ...BUDGET_CODEC.defaults, ...given } as BudgetSettings
  const targets = readTargets(input)
  await withStores(
    input,
    async (stores) => {
      await checkScope(settings.scope, stores)
      await checkTargets(targets, [], createTargetCheck(stores.config))
      const { id } = await stores.settings.budgets.create(settings, targets)
      const all = await stores.settings.targets.list()
      const made = all.filter(({ budgetId }) => budgetId === id)
      const row = findBudgetRow(await readBudgets(stores, input.clock), id)
      const headline = `Budget ${id} (${toPrintable(row.name)}) was created. It counts what is spent since ${row.period_start.slice(0, 10)}.`
      printBudget(input, row, { headline, made })
    },
    { canCreate: true },
  )
  return 0
}
