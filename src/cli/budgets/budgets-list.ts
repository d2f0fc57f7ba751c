// weir budgets list

import type { Budget } from '../../../client/weir-client.js'
import { readBudgets } from '../../api/budgets/budget-rows.ts'
import { isPlainTerminal } from '../../config/config.ts'
import { formatBudgets } from './budget-view.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { noteSilentNodes } from '../nodes/silent-note.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { formatMoment } from '../table.ts'
import { withStores } from '../with-stores.ts'

export const budgetsListCommand: CommandBody = {
  usage: 'weir budgets list [options]',
  options: URL_OPTION,
  run: listBudgets,
}

async function listBudgets(input: CommandInput): Promise<number> {
  const rows = await readFrom<readonly Budget[]>(input, {
    scope: 'read:usage',
    here: () =>
      withStores(input, async (stores) => {
        await noteSilentNodes(input)
        return readBudgets(stores, input.clock)
      }),
    there: async (client) => (await client.budgets()).rows,
  })
  if (input.isJson) printJson(input, { budgets: rows })
  else if (rows.length > 0) {
    const asOf = `As of ${formatMoment(input.clock.now())}. Days, weeks and months are UTC.`
    input.out([formatBudgets(rows, isPlainTerminal()), '', asOf].join('\n'))
  } else {
    const call = 'weir budgets create --name NAME --limit-usd 100 --period month --scope global'
    input.out(`There are no budgets yet. Create one: ${call}`)
  }
  return 0
}
