// weir budgets list, show, delete and test

import type { Budget, BudgetPeriodList } from '../../../client/weir-client.js'
import { PERIODS_LIMIT_DEFAULT, PERIODS_LIMIT_MAX } from '../../api/budgets/budget-contract.ts'
import { isPlainTerminal } from '../../config/config.ts'
import { showTested, testTargets } from '../alerts/test-targets.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { option, refused, textOption } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { formatMoment } from '../table.ts'
import { formatBudgets } from './budget-view.ts'
import { formatPeriods } from './period-view.ts'
import { findBudget, readBudgets } from './read-budgets.ts'

const LIMIT = option(
  'N',
  `how many periods, newest first (default: ${PERIODS_LIMIT_DEFAULT}, at most ${PERIODS_LIMIT_MAX})`,
)

const CHANGE = { scope: 'write:budgets,read:usage', arguments: ['ID'] }

export const commands: Commands = {
  'budgets list': apiCommand({ scope: 'read:usage', run: list }),
  'budgets show': apiCommand({
    scope: 'read:usage',
    arguments: ['ID'],
    options: { limit: LIMIT },
    run: show,
  }),
  'budgets delete': apiCommand({ ...CHANGE, run: remove }),
  'budgets test': apiCommand({ ...CHANGE, run: test }),
}

async function list(input: CommandInput, api: Api): Promise<Shown> {
  const budgets = await readBudgets(api)
  const call = 'weir budgets create --name NAME --limit-usd 100 --period month --scope global'
  const text =
    budgets.length === 0
      ? `There are no budgets yet. Create one: ${call}`
      : [formatBudgets(budgets, isPlainTerminal()), '', describeMoment(input)].join('\n')
  return { json: { budgets }, text }
}

async function show(input: CommandInput, api: Api): Promise<Shown> {
  const budget = findBudget(await readBudgets(api), input.arguments[0] as string)
  const path = `/v1/budgets/${budget.id}/periods` as const
  const query = { limit: textOption(input, 'limit') }
  const { rows: periods } = await api.get<BudgetPeriodList>(path, query)
  const isPlain = isPlainTerminal()
  const tables = [formatBudgets([budget], isPlain), '', formatPeriods(periods, isPlain)]
  return {
    json: { ...budget, periods },
    text: [...tables, '', describeMoment(input)].join('\n'),
  }
}

function describeMoment({ clock }: CommandInput): string {
  return `As of ${formatMoment(clock.now())}. Days, weeks and months are UTC.`
}

async function remove({ arguments: [id = ''] }: CommandInput, api: Api): Promise<Shown> {
  findBudget(await readBudgets(api), id)
  const budget = await api.send<Budget>(`DELETE /v1/budgets/${id}`)
  const kept = 'Its alerts stay in the log; it sends no more.'
  const freed = budget.blocking
    ? ' Calls that it blocked are allowed again within two seconds.'
    : ''
  const text = `Budget ${id} (${toPrintable(budget.name)}) was deleted. ${kept}${freed}`
  return { json: budget, text }
}

async function test({ arguments: [id = ''] }: CommandInput, api: Api): Promise<Shown> {
  const { targets } = findBudget(await readBudgets(api), id)
  if (targets.length === 0) {
    const hint = `Add one: weir budgets update ${id} --webhook URL`
    throw refused(`${id} has no target to send a test to.`, hint)
  }
  const tested = await testTargets(api, targets)
  return showTested(tested, { budget_id: id, deliveries: tested })
}
