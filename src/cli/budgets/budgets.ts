// weir budgets create, list, show, members, near, update, delete and test

import type {
  Budget,
  BudgetMemberList,
  BudgetPeriodList,
  NearestMemberList,
} from '../../../client/weir-client.js'
import {
  MEMBERS_LIMIT_DEFAULT,
  MEMBERS_LIMIT_MAX,
  NEAR_PERCENT,
  PERIODS_LIMIT_DEFAULT,
  PERIODS_LIMIT_MAX,
} from '../../api/budgets/budget-contract.ts'
import { findKnownProvider } from '../../api/keys/key-check.ts'
import { isPlainTerminal, loadConfig } from '../../config/config.ts'
import { WeirError } from '../../core/weir-error.ts'
import { BUDGET_FIELDS } from '../../resources/budget.ts'
import { readTargets, refuseKnown, TARGET_OPTIONS, TARGET_REFUSALS } from '../alerts/new-targets.ts'
import { showTested, testTargets } from '../alerts/test-targets.ts'
import { apiCommand, noSuch } from '../api.ts'
import type { Api } from '../api.ts'
import { flag, listOption, option, refused, REPEATED, textOption, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { readFields, toOptions } from '../field-options.ts'
import { KEY, readKeys, requireKey } from '../keys/read-keys.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'
import { formatMoment } from '../table.ts'
import { formatBudgets, showBudget } from './budget-view.ts'
import { formatMembers, formatNearest } from './member-view.ts'
import { formatPeriods } from './period-view.ts'
import { findBudget, readBudgets } from './read-budgets.ts'

const LIMIT = option(
  'N',
  `how many periods, newest first (default: ${PERIODS_LIMIT_DEFAULT}, at most ${PERIODS_LIMIT_MAX})`,
)

const MEMBER_OPTIONS = {
  status: option('S', `near (${NEAR_PERCENT} % of the limit or more) or over (all of it)`),
  limit: option(
    'N',
    `how many, who has used most first (default: ${MEMBERS_LIMIT_DEFAULT}, at most ${MEMBERS_LIMIT_MAX})`,
  ),
}
const READ = { scope: 'read:usage' }
const CHANGE = { scope: 'write:budgets,read:usage' }
const WITH_TARGETS = { ...CHANGE, ...TARGET_REFUSALS }

export const commands: Commands = {
  'budgets create': apiCommand({
    ...WITH_TARGETS,
    canCreate: true,
    options: { ...toOptions(BUDGET_FIELDS, { isNew: true }), ...TARGET_OPTIONS },
    run: create,
  }),
  'budgets list': apiCommand({ ...READ, run: list }),
  'budgets show': apiCommand({
    ...READ,
    arguments: ['ID'],
    options: { limit: LIMIT },
    run: show,
  }),
  'budgets members': apiCommand({
    ...READ,
    arguments: ['ID'],
    options: MEMBER_OPTIONS,
    run: members,
  }),
  'budgets near': apiCommand({ ...READ, options: MEMBER_OPTIONS, run: near }),
  'budgets update': apiCommand({
    ...WITH_TARGETS,
    arguments: ['ID'],
    options: {
      ...toOptions(BUDGET_FIELDS),
      'no-block': flag('no longer refuse calls'),
      'tell-people': flag('send e-mail to whose limit it is and to the leads of the team again'),
      ...TARGET_OPTIONS,
      'remove-target': option(
        'ID',
        'stop sending alerts to it; weir budgets list --json shows the ids',
        REPEATED,
      ),
    },
    run: update,
  }),
  'budgets delete': apiCommand({ ...CHANGE, arguments: ['ID'], run: remove }),
  'budgets test': apiCommand({ ...CHANGE, arguments: ['ID'], run: test }),
}

async function create(input: CommandInput, api: Api): Promise<Shown> {
  const body = { ...readFields(BUDGET_FIELDS, input), targets: readTargets(input) }
  await requireScope(input, api, body.scope)
  const budget = await api.send<Budget>('POST /v1/budgets', body)
  const since = `It counts what is spent since ${budget.period_start.slice(0, 10)}`
  return showBudget(
    budget,
    `Budget ${budget.id} (${toPrintable(budget.name)}) was created. ${since}.`,
  )
}

/** A scope of what is not there is refused by the API, too, but without what may be meant. */
async function requireScope(input: CommandInput, api: Api, scope = ''): Promise<void> {
  const [, provider] = /^provider=(.+)$/.exec(scope) ?? []
  if (provider !== undefined && api.url === null) {
    findKnownProvider(loadConfig({ file: input.configFile }), provider)
  }
  const [, id] = /^api_key=(svc_k_\w+)$/.exec(scope) ?? []
  if (id === undefined) return
  await requireKey(api, id).catch(async (error: unknown) => {
    if (!(error instanceof WeirError) || error.code !== 'not_found') throw error
    throw noSuch(KEY, id, await readKeys(api))
  })
}

async function update(input: CommandInput, api: Api): Promise<Shown> {
  const id = input.arguments[0] as string
  const change = readChange(input)
  const targets = readTargets(input)
  const removed = listOption(input, 'remove-target') ?? []
  if (Object.keys(change).length + targets.length + removed.length === 0) {
    throw new UsageError('No change was given.', 'See weir budgets update --help.')
  }
  const before = findBudget(await readBudgets(api), id)
  checkRemoved(before, removed)
  await requireScope(input, api, change.scope)
  const kept = before.targets.filter((target) => !removed.includes(target.id))
  refuseKnown(targets, kept)
  const budget = await api.send<Budget>(`PATCH /v1/budgets/${id}`, {
    ...change,
    ...(targets.length > 0 && { add_targets: targets }),
    ...(removed.length > 0 && { remove_targets: removed }),
  })
  const what = 'was changed; the ledger checks it again within a second'
  return showBudget(budget, `Budget ${id} (${toPrintable(budget.name)}) ${what}.`)
}

function readChange(input: CommandInput) {
  const { block, 'no-block': noBlock } = input.values
  if (block === true && noBlock === true) {
    throw new UsageError('--block and --no-block contradict each other.', 'Give only one of them.')
  }
  return {
    ...readFields(BUDGET_FIELDS, input),
    ...(noBlock === true && { blocking: false }),
    ...(input.values['tell-people'] === true && { targets_only: false }),
  }
}

function checkRemoved({ id, targets }: Budget, removed: readonly string[]): void {
  const known = targets.map((target) => target.id)
  const wrong = removed.find((each) => !known.includes(each))
  if (wrong === undefined) return
  const hint = suggest(wrong, known) ?? `It has: ${known.join(', ') || 'none'}.`
  throw new WeirError('not_found', `${id} has no target ${toPrintable(wrong)}.`, { hint })
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

async function members(input: CommandInput, api: Api): Promise<Shown> {
  const budget = findBudget(await readBudgets(api), input.arguments[0] as string)
  const path = `/v1/budgets/${budget.id}/members` as const
  const query = { status: textOption(input, 'status'), limit: textOption(input, 'limit') }
  const list = await api.get<BudgetMemberList>(path, query)
  const table = formatMembers(list.rows, budget, isPlainTerminal())
  const more = list.count - list.rows.length
  const rest = more > 0 ? [`${more} more with --limit ${list.count}.`] : []
  const text = [table, '', ...rest, describeMoment(input)].join('\n')
  const none =
    budget.each === 'none'
      ? 'It counts all its calls together: nobody has the limit for themselves.'
      : 'Nobody has spent anything of it in this period.'
  const nobody = query.status === undefined ? none : `Nobody is ${query.status}.`
  return { json: list, text: list.rows.length === 0 ? nobody : text }
}

async function near(input: CommandInput, api: Api): Promise<Shown> {
  const query = { status: textOption(input, 'status'), limit: textOption(input, 'limit') }
  const list = await api.get<NearestMemberList>('/v1/budget-members', query)
  const nobody = 'Nobody has spent anything of a limit that each key, person or team has.'
  const table = formatNearest(list.rows, isPlainTerminal())
  const text = list.rows.length === 0 ? nobody : [table, '', describeMoment(input)].join('\n')
  return { json: list, text }
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
