// Budgets over HTTP: listed, made, changed, deleted. Must stay true: caller and scope come before anything is read of a
// body, and a budget is made whole or not at all.

import type { Context } from 'hono'
import { assert } from '../../core/assert.ts'
import type { Budget } from '../../core/budget.ts'
import { toActor } from '../../core/caller.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import { showSecrets } from './budget-row.ts'
import { budgetChangeSchema, newBudgetSchema, newTargetSchema } from '../contract.ts'
import type { BudgetList, BudgetRow } from '../contract.ts'
import { readBody } from '../parse-body.ts'
import { checkScope, checkTargets, toBudgetChange, toBudgetSettings } from './parse-budget.ts'
import { refuseParameters } from '../parse-parameters.ts'
import { readBudgetRows } from './read-budgets.ts'
import { toShownBudget } from './shown-to.ts'

export async function answerBudgets(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'read:usage')
  refuseParameters(new URL(context.req.url).searchParams)
  const rows = await readBudgetRows(options)
  const answer: BudgetList = { rows: rows.map((row) => toShownBudget(row, caller)) }
  return context.json(answer)
}

export async function answerBudget(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'read:usage')
  refuseParameters(new URL(context.req.url).searchParams)
  const row = await readRow(options, await findBudget(context, options))
  return context.json(toShownBudget(row, caller))
}

export async function answerNewBudget(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'write:budgets')
  refuseParameters(new URL(context.req.url).searchParams)
  const given = await readBody(context, newBudgetSchema)
  const settings = toBudgetSettings(given)
  const targets = given.targets ?? []
  await checkScope(settings.scope, options)
  await checkTargets(targets, [], options)
  const budget = await options.settings.as(toActor(caller)).budgets.create(settings, targets)
  const made = (await options.settings.targets.list()).filter(
    ({ budgetId }) => budgetId === budget.id,
  )
  return context.json(showSecrets(await readRow(options, budget), made), 201)
}

export async function answerBudgetChange(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'write:budgets')
  refuseParameters(new URL(context.req.url).searchParams)
  const change = toBudgetChange(await readBody(context, budgetChangeSchema))
  if (change.scope !== undefined) await checkScope(change.scope, options)
  const { budgets } = options.settings.as(toActor(caller))
  const budget = await budgets.update(context.req.param('id') ?? '', change)
  if (budget === null) throw noBudget()
  return context.json(await readRow(options, budget))
}

/** Answers with the budget as it was. */
export async function answerBudgetEnd(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'write:budgets')
  refuseParameters(new URL(context.req.url).searchParams)
  const row = await readRow(options, await findBudget(context, options))
  const { budgets } = options.settings.as(toActor(caller))
  if ((await budgets.remove(row.id)) === null) throw noBudget()
  return context.json(row)
}

/** Answers with the budget, the new target in it. */
export async function answerBudgetTarget(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'write:budgets')
  refuseParameters(new URL(context.req.url).searchParams)
  const given = await readBody(context, newTargetSchema)
  const budget = await findBudget(context, options)
  const known = await options.settings.targets.list()
  await checkTargets(
    [given],
    known.filter(({ budgetId }) => budgetId === budget.id),
    options,
  )
  const { targets } = options.settings.as(toActor(caller))
  const made = await targets.create({ ...given, budgetId: budget.id })
  return context.json(showSecrets(await readRow(options, budget), [made]), 201)
}

async function findBudget(context: Context, { settings }: ApiOptions): Promise<Budget> {
  const budget = await settings.budgets.find(context.req.param('id') ?? '')
  if (budget === null) throw noBudget()
  return budget
}

async function readRow(options: ApiOptions, budget: Budget): Promise<BudgetRow> {
  const [row] = await readBudgetRows(options, [budget])
  assert(row !== undefined, 'a budget has no row')
  return row
}

function noBudget(): WeirError {
  return new WeirError('not_found', 'There is no such budget.', {
    hint: 'GET /v1/budgets lists them.',
  })
}
