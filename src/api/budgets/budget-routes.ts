// Budgets over HTTP. A budget is created with all its targets, or not at all.

import type { AlertTarget } from '../../core/alert.ts'
import { assert } from '../../core/assert.ts'
import type { Budget } from '../../core/budget.ts'
import { BUDGET_CODEC } from '../../resources/codecs.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute, Call } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { newTargetSchema } from './alert-contract.ts'
import {
  BUDGET_ID_EXAMPLE,
  budgetChangeSchema,
  budgetListSchema,
  budgetMemberListSchema,
  budgetParametersSchema,
  budgetPeriodListSchema,
  budgetSchema,
  changedBudgetSchema,
  memberParametersSchema,
  nearestMemberListSchema,
  newBudgetSchema,
  PERIODS_LIMIT_DEFAULT,
  periodParametersSchema,
} from './budget-contract.ts'
import type { BudgetRow } from './budget-contract.ts'
import { showSecrets } from './budget-row.ts'
import { checkTargets, resolveScope, toBudgetChange } from './parse-budget.ts'
import { readBudgetRows } from './read-budgets.ts'
import { readMembers, readNearest } from './read-members.ts'
import { readPeriods } from './read-periods.ts'
import { toChangedBudget, toShownBudget, toShownMember } from './shown-to.ts'

const defineRoute = routesOf('Budgets')
const BUDGET = {
  noun: 'budget',
  description: 'The id of a budget, `bud_…`.',
  example: BUDGET_ID_EXAMPLE,
}
const CHANGE = {
  access: withScope('write:budgets'),
  sight: 'scoped',
  id: BUDGET,
  precondition: 'version',
} as const
const SECRET_ONCE = 'The secret of a webhook is in this answer and in no other.'
const SPEND_HIDDEN = 'What was spent and what runs is null without scope read:usage.'

export const BUDGET_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/budgets', {
    name: 'listBudgets',
    summary: 'Every budget and what it has spent',
    access: withScope('read:usage'),
    sight: 'scoped',
    query: budgetParametersSchema,
    answer: ok('The budgets.', budgetListSchema),
    handle: async ({ services, caller, query: { min_percent: min = 0 } }) => {
      const all = await readBudgetRows(services)
      const rows = all.filter(
        ({ spent_usd: spent, unknown_cost_usd: unknown, limit_usd: limit, members, ...row }) =>
          members === null
            ? 100 * (spent + (unknown ?? 0)) >= min * limit
            : row.spent_percent >= min,
      )
      return { rows: rows.map((row) => toShownBudget(row, caller)) }
    },
  }),
  defineRoute('POST /v1/budgets', {
    name: 'createBudget',
    summary: 'Make a budget',
    description: `It counts from the beginning of the period that runs. ${SECRET_ONCE} ${SPEND_HIDDEN}`,
    access: withScope('write:budgets'),
    sight: 'scoped',
    body: { schema: newBudgetSchema },
    answer: created('The budget.', changedBudgetSchema),
    handle: async (call) => {
      const { services, caller, body } = call
      const given = BUDGET_CODEC.fromNew(body)
      const settings = { ...given, scope: await resolveScope(given.scope, services) }
      const targets = body.targets ?? []
      await checkTargets(targets, { ...services, known: [], caller })
      const budget = await services.settings.budgets.create(settings, targets)
      const row = showSecrets(await readRow(call, budget), await targetsOf(services, budget))
      return toChangedBudget(row, caller)
    },
  }),
  defineRoute('GET /v1/budgets/{id}', {
    name: 'getBudget',
    summary: 'One budget and what it has spent',
    access: withScope('read:usage'),
    sight: 'scoped',
    id: BUDGET,
    answer: ok('The budget.', budgetSchema),
    handle: async (call) => toShownBudget(await readRow(call, await findBudget(call)), call.caller),
  }),
  defineRoute('GET /v1/budgets/{id}/periods', {
    name: 'listBudgetPeriods',
    summary: 'What a budget spent in each of its periods',
    description:
      'The one that runs, and those before it, back to when the budget was made, or its scope or period was last changed. Each has the limit that it ended with.',
    access: withScope('read:usage'),
    sight: 'scoped',
    id: BUDGET,
    query: periodParametersSchema,
    answer: ok('The periods.', budgetPeriodListSchema),
    handle: async (call) => {
      const { limit = PERIODS_LIMIT_DEFAULT } = call.query
      return { rows: [...(await readPeriods(call.services, await findBudget(call), limit))] }
    },
  }),
  defineRoute('GET /v1/budgets/{id}/members', {
    name: 'listBudgetMembers',
    summary: 'What each key, person or team has spent of a limit that is for each',
    description:
      'Of the period that runs; empty for a budget that counts all its calls together. Who has spent nothing is not in it.',
    access: withScope('read:usage'),
    sight: 'scoped',
    id: BUDGET,
    query: memberParametersSchema,
    answer: ok('The members.', budgetMemberListSchema),
    handle: async (call) => {
      const { rows, count } = await readMembers(call.services, await findBudget(call), call.query)
      return { rows: rows.map((row) => toShownMember(row, call.caller)), count }
    },
  }),
  defineRoute('GET /v1/budget-members', {
    name: 'listNearestMembers',
    summary: 'Who is near a limit that each key, person or team has, over all budgets',
    description: 'Of the periods that run. Who has spent nothing is not in it.',
    access: withScope('read:usage'),
    sight: 'scoped',
    query: memberParametersSchema,
    answer: ok('The members.', nearestMemberListSchema),
    handle: async ({ services, caller, query }) => {
      const { rows, count } = await readNearest(services, query)
      return { rows: rows.map((row) => ({ ...row, ...toShownMember(row, caller) })), count }
    },
  }),
  defineRoute('PATCH /v1/budgets/{id}', {
    name: 'changeBudget',
    summary: 'Change a budget',
    description: `What is left out stays. A limit that is changed is judged again at once. ${SECRET_ONCE} ${SPEND_HIDDEN}`,
    ...CHANGE,
    body: { schema: budgetChangeSchema, example: { limit_usd: 1500, thresholds: [80, 100] } },
    answer: ok('The budget as it is now.', changedBudgetSchema),
    handle: async (call) => {
      const { services, caller, id, body, expected, missing } = call
      const { scope, ...others } = toBudgetChange(body)
      const resolved = scope === undefined ? {} : { scope: await resolveScope(scope, services) }
      const { add_targets: added = [], remove_targets: removed = [] } = body
      const known = await targetsOf(services, await findBudget(call))
      requireTargets(removed, known)
      const kept = known.filter((target) => !removed.includes(target.id))
      await checkTargets(added, { ...services, known: kept, caller })
      const { budgets } = services.settings
      const changes = { ...others, ...resolved, targets: { added, removed } }
      const budget = (await budgets.update(id, changes, expected)) ?? missing()
      const made = (await targetsOf(services, budget)).filter((target) => !isAmong(known, target))
      return toChangedBudget(showSecrets(await readRow(call, budget), made), caller)
    },
  }),
  defineRoute('DELETE /v1/budgets/{id}', {
    name: 'deleteBudget',
    summary: 'Delete a budget and its targets',
    description: `Its alerts stay in the log. ${SPEND_HIDDEN}`,
    ...CHANGE,
    answer: ok('The budget as it was.', changedBudgetSchema),
    handle: async (call) => {
      const { services, caller, expected, missing } = call
      const row = await readRow(call, await findBudget(call))
      const removed = await services.settings.budgets.remove(row.id, expected)
      return removed === null ? missing() : toChangedBudget(row, caller)
    },
  }),
  defineRoute('POST /v1/budgets/{id}/targets', {
    name: 'addBudgetTarget',
    summary: 'Send the alerts of a budget somewhere else as well',
    description: `${SECRET_ONCE} ${SPEND_HIDDEN}`,
    access: withScope('write:budgets'),
    sight: 'scoped',
    id: BUDGET,
    body: { schema: newTargetSchema },
    answer: created('The budget, with the new target.', changedBudgetSchema),
    handle: async (call) => {
      const { services, caller, body } = call
      const budget = await findBudget(call)
      const known = await targetsOf(services, budget)
      await checkTargets([body], { ...services, known, caller })
      const made = await services.settings.targets.create({ ...body, budgetId: budget.id })
      return toChangedBudget(showSecrets(await readRow(call, budget), [made]), caller)
    },
  }),
]

type Target = Pick<AlertTarget, 'id'>

const isAmong = (targets: readonly Target[], { id }: Target): boolean =>
  targets.some((target) => target.id === id)

/** Throws `invalid_parameter` where one of the ids is of no target of the budget. */
function requireTargets(ids: readonly string[], known: readonly Target[]): void {
  if (ids.every((id) => isAmong(known, { id }))) return
  throw invalidParameter('remove_targets names a target that the budget does not have.')
}

async function targetsOf({ settings }: ApiServices, { id }: Budget) {
  return (await settings.targets.list()).filter(({ budgetId }) => budgetId === id)
}

type AnyCall = Call<unknown, unknown, unknown>

async function findBudget({ services, id, missing }: AnyCall): Promise<Budget> {
  return (await services.settings.budgets.find(id)) ?? missing()
}

async function readRow({ services }: AnyCall, budget: Budget): Promise<BudgetRow> {
  const [row] = await readBudgetRows(services, [budget])
  assert(row !== undefined, 'a budget has no row')
  return row
}
