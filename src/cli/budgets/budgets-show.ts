// weir budgets show

import { readBudgets } from '../../api/budgets/budget-rows.ts'
import { readPeriods } from '../../api/budgets/read-periods.ts'
import { PERIODS_LIMIT_DEFAULT, PERIODS_LIMIT_MAX } from '../../api/contract.ts'
import type { BudgetRow } from '../../api/contract.ts'
import { isPlainTerminal } from '../../config/config.ts'
import { createSlugOf } from '../../config/slug-of.ts'
import { invalidArgument, printJson, textOption } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { noteSilentNodes } from '../nodes/silent-note.ts'
import { formatMoment } from '../table.ts'
import { withStores } from '../with-stores.ts'
import type { Stores } from '../with-stores.ts'
import { findBudgetRow, formatBudgets } from './budget-view.ts'
import { formatPeriods } from './period-view.ts'

export const budgetsShowCommand: CommandBody = {
  usage: 'weir budgets show ID [options]',
  arguments: ['ID'],
  options: {
    limit: {
      type: 'string',
      value: 'N',
      about: `how many periods, newest first (default: ${PERIODS_LIMIT_DEFAULT}, at most ${PERIODS_LIMIT_MAX})`,
    },
  },
  run: showBudget,
}

async function showBudget(input: CommandInput): Promise<number> {
  const id = input.arguments[0] as string
  const rowsMax = parseLimit(textOption(input, 'limit') ?? String(PERIODS_LIMIT_DEFAULT))
  const { row, periods } = await withStores(input, async (stores) => {
    await noteSilentNodes(input)
    const found = findBudgetRow(await readBudgets(stores, input.clock), id)
    return { row: found, periods: await readHistory(input, stores, { row: found, rowsMax }) }
  })
  if (input.isJson) printJson(input, { ...row, periods })
  else {
    const asOf = `As of ${formatMoment(input.clock.now())}. Days, weeks and months are UTC.`
    const isPlain = isPlainTerminal()
    input.out(
      [formatBudgets([row], isPlain), '', formatPeriods(periods, isPlain), '', asOf].join('\n'),
    )
  }
  return 0
}

interface Shown {
  readonly row: BudgetRow
  readonly rowsMax: number
}

async function readHistory(
  { clock }: CommandInput,
  { config, settings, ledgerBook }: Stores,
  { row, rowsMax }: Shown,
) {
  const budget = await settings.budgets.find(row.id)
  const sources = { settings, ledgerBook, slugOf: createSlugOf(config), clock }
  // Deleted at this very moment: it has no history any more.
  return budget === null ? [] : readPeriods(sources, budget, rowsMax)
}

function parseLimit(text: string): number {
  const limit = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= PERIODS_LIMIT_MAX) return limit
  const message = `--limit "${text}" is not a whole number from 1 to ${PERIODS_LIMIT_MAX}.`
  throw invalidArgument(message, 'Give the number of periods to show.')
}
