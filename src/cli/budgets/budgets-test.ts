// weir budgets test

import { readBudgets } from '../../api/budgets/budget-rows.ts'
import { findBudgetRow } from './budget-view.ts'
import { printJson, refused } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatTested, testTargets, toTestedJson } from '../alerts/test-targets.ts'
import { withStores } from '../with-stores.ts'

export const budgetsTestCommand: CommandBody = {
  usage: 'weir budgets test ID [options]',
  arguments: ['ID'],
  options: {},
  run: testBudget,
}

async function testBudget(input: CommandInput): Promise<number> {
  const id = input.arguments[0] as string
  const tested = await withStores(input, async (stores) => {
    findBudgetRow(await readBudgets(stores, input.clock), id)
    const all = await stores.settings.targets.list()
    const targets = all.filter(({ budgetId }) => budgetId === id)
    if (targets.length === 0) {
      throw refused(
        `${id} has no target to send a test to.`,
        `Add one: weir budgets update ${id} --webhook URL`,
      )
    }
    return testTargets(targets, stores.config)
  })
  if (input.isJson) printJson(input, { budget_id: id, deliveries: tested.map(toTestedJson) })
  else input.out(formatTested(tested))
  return tested.every(({ isDelivered }) => isDelivered) ? 0 : 1
}
