// weir budgets update

import type { BudgetRow } from '../../api/contract.ts'
import { createTargetCheck } from '../../alerts/alert-targets.ts'
import { readBudgets } from '../../api/budgets/budget-rows.ts'
import { WeirError } from '../../core/weir-error.ts'
import { BUDGET_FIELDS } from '../../resources/budget.ts'
import {
  checkScope,
  checkTargets,
  readBudgetSettings,
  readTargets,
  TARGET_OPTIONS,
} from './budget-options.ts'
import { findBudgetRow, printBudget } from './budget-view.ts'
import { listOption, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toOptions } from '../field-options.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'
import { withStores } from '../with-stores.ts'

export const budgetsUpdateCommand: CommandBody = {
  usage: 'weir budgets update ID [options]',
  arguments: ['ID'],
  options: {
    ...toOptions(BUDGET_FIELDS),
    'no-block': { type: 'boolean', about: 'no longer refuse calls' },
    ...TARGET_OPTIONS,
    'remove-target': {
      type: 'string',
      multiple: true,
      value: 'ID',
      about: 'stop sending alerts to it; weir budgets list --json shows the ids',
    },
  },
  run: updateBudget,
}

async function updateBudget(input: CommandInput): Promise<number> {
  const id = input.arguments[0] as string
  const change = readBudgetSettings(input)
  const added = readTargets(input)
  const removed = listOption(input, 'remove-target') ?? []
  if (Object.keys(change).length + added.length + removed.length === 0) {
    throw new UsageError('No change was given.', 'See weir budgets update --help.')
  }
  await withStores(input, async (stores) => {
    const { settings } = stores
    const before = findBudgetRow(await readBudgets(stores, input.clock), id)
    checkRemoved(before, removed)
    await checkScope(change.scope, stores)
    const kept = before.targets.filter((target) => !removed.includes(target.id))
    await checkTargets(added, kept, createTargetCheck(stores.config))
    // The targets first: a changed limit may send alerts at once, and they must reach them.
    const made = await settings.targets.createAll(added, id)
    for (const target of removed) await settings.targets.remove(target)
    if (Object.keys(change).length > 0) await settings.budgets.update(id, change)
    const row = findBudgetRow(await readBudgets(stores, input.clock), id)
    const headline = `Budget ${id} (${toPrintable(row.name)}) was changed; the ledger checks it again within a second.`
    printBudget(input, row, { headline, made })
  })
  return 0
}

function checkRemoved({ id, targets }: BudgetRow, removed: readonly string[]): void {
  const known = targets.map((target) => target.id)
  const wrong = removed.find((each) => !known.includes(each))
  if (wrong === undefined) return
  const hint = suggest(wrong, known) ?? `It has: ${known.join(', ') || 'none'}.`
  throw new WeirError('not_found', `${id} has no target ${toPrintable(wrong)}.`, { hint })
}
