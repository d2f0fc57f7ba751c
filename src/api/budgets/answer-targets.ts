// Whom alerts go to, over HTTP. Must stay true: a secret is in the answer that makes its target, and in no other.

import type { Context } from 'hono'
import type { AlertTarget } from '../../core/alert.ts'
import { toActor } from '../../core/caller.ts'
import type { Caller } from '../../core/caller.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import { newTargetSchema } from '../contract.ts'
import type { TargetList, TargetRow, TestOutcome } from '../contract.ts'
import { readBody } from '../parse-body.ts'
import { checkTargets } from './parse-budget.ts'
import { refuseParameters } from '../parse-parameters.ts'
import { toShownAddress } from './shown-to.ts'

export async function answerTargets(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'read:usage')
  refuseParameters(new URL(context.req.url).searchParams)
  const targets = await options.settings.targets.list()
  const answer: TargetList = { rows: targets.map((target) => toTargetRow(target, caller)) }
  return context.json(answer)
}

/** One for the alerts that concern no budget. */
export async function answerNewTarget(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'write:budgets')
  refuseParameters(new URL(context.req.url).searchParams)
  const given = await readBody(context, newTargetSchema)
  const { targets } = options.settings.as(toActor(caller))
  const known = (await targets.list()).filter(({ budgetId }) => budgetId === null)
  await checkTargets([given], known, options)
  const made = await targets.create({ ...given, budgetId: null })
  const row = toTargetRow(made, caller)
  return context.json(made.secret === null ? row : { ...row, secret: made.secret }, 201)
}

/** Answers with the target as it was. */
export async function answerTargetEnd(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'write:budgets')
  refuseParameters(new URL(context.req.url).searchParams)
  const { targets } = options.settings.as(toActor(caller))
  const removed = await targets.remove(context.req.param('id') ?? '')
  if (removed === null) throw noTarget()
  return context.json(toTargetRow(removed, caller))
}

/** The outcome is the answer, also where nothing was delivered. */
export async function answerTargetTest(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'write:budgets')
  refuseParameters(new URL(context.req.url).searchParams)
  const target = await options.settings.targets.find(context.req.param('id') ?? '')
  if (target === null) throw noTarget()
  const { isDelivered, detail } = await options.sendTest(target)
  const answer: TestOutcome = { target_id: target.id, delivered: isDelivered, detail }
  return context.json(answer)
}

function toTargetRow(target: AlertTarget, caller: Caller): TargetRow {
  return {
    id: target.id,
    kind: target.kind,
    address: toShownAddress(target, caller),
    budget_id: target.budgetId,
    created_at: new Date(target.createdAt).toISOString(),
  }
}

function noTarget(): WeirError {
  return new WeirError('not_found', 'There is no such target.', {
    hint: 'GET /v1/targets lists them.',
  })
}
