// weir budgets delete

import { readBudgets } from '../../api/budgets/budget-rows.ts'
import { findBudgetRow } from './budget-view.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { withStores } from '../with-stores.ts'

export const budgetsDeleteCommand: CommandBody = {
  usage: 'weir budgets delete ID [options]',
  arguments: ['ID'],
  options: {},
  run: deleteBudget,
}

async function deleteBudget(input: CommandInput): Promise<number> {
  const id = input.arguments[0] as string
  const row = await withStores(input, async (stores) => {
    const found = findBudgetRow(await readBudgets(stores, input.clock), id)
    await stores.settings.budgets.remove(id)
    return found
  })
  if (input.isJson) printJson(input, row)
  else {
    const kept = 'Its alerts stay in the log; it sends no more.'
    const freed = row.blocking ? ' Calls that it blocked are allowed again within two seconds.' : ''
    input.out(`Budget ${id} (${toPrintable(row.name)}) was deleted. ${kept}${freed}`)
  }
  return 0
}
