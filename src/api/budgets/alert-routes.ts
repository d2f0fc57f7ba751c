// Alert targets and the alert log over HTTP. A secret is only in the answer that creates its
// target; paging gives every alert that was there at the start, and none twice.

import type { AlertTarget } from '../../core/alert.ts'
import { assert } from '../../core/assert.ts'
import type { Caller } from '../../core/caller.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { toIso } from '../iso-time.ts'
import {
  ALERTS_LIMIT_DEFAULT,
  alertPageSchema,
  alertParametersSchema,
  newTargetSchema,
  TARGET_ID_EXAMPLE,
  targetListSchema,
  targetRowSchema,
  testOutcomeSchema,
} from './alert-contract.ts'
import type { NewTarget, TargetRow } from './alert-contract.ts'
import { newTargetsSchema } from './budget-contract.ts'
import { formatAlertCursor, parseAlertCursor } from './alert-cursor.ts'
import { toAlertRow } from './alert-row.ts'
import { checkTargets } from './parse-budget.ts'
import { toShownAddress, toShownAlert, toShownDetail } from './shown-to.ts'

const defineRoute = routesOf('Budgets')
const TARGET = {
  noun: 'target',
  description: 'The id of a target, `tgt_…`.',
  example: TARGET_ID_EXAMPLE,
}

export const ALERT_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/targets', {
    name: 'listTargets',
    summary: 'Whom alerts go to',
    description: 'Of all budgets, and those for the alerts that concern no budget.',
    access: withScope('read:usage'),
    sight: 'scoped',
    answer: ok('The targets.', targetListSchema),
    handle: async ({ services, caller }) => {
      const targets = await services.settings.targets.list()
      return { rows: targets.map((target) => toTargetRow(target, caller)) }
    },
  }),
  defineRoute('POST /v1/targets', {
    name: 'addTarget',
    summary: 'Send the alerts that concern no budget somewhere',
    description:
      'These are the anomalies. The secret of a webhook is in this answer and in no other.',
    access: withScope('write:budgets'),
    sight: 'company',
    body: { schema: newTargetSchema },
    answer: created('The target.', targetRowSchema),
    handle: async ({ services, caller, body }) => {
      const [row] = await addTargets(services, caller, [body])
      assert(row !== undefined, 'a target that was added has no row')
      return row
    },
  }),
  defineRoute('POST /v1/targets/batch', {
    name: 'addTargets',
    summary: 'Send the alerts that concern no budget to several',
    description: 'All of them are added, or none. As above, secrets are in this answer only.',
    access: withScope('write:budgets'),
    sight: 'company',
    body: { schema: newTargetsSchema },
    answer: created('The targets.', targetListSchema),
    handle: async ({ services, caller, body }) => ({
      rows: await addTargets(services, caller, body.targets),
    }),
  }),
  defineRoute('DELETE /v1/targets/{id}', {
    name: 'deleteTarget',
    summary: 'Send no more alerts there',
    description: 'What was still to be delivered to it is given up.',
    access: withScope('write:budgets'),
    sight: 'scoped',
    id: TARGET,
    answer: ok('The target as it was.', targetRowSchema),
    handle: async ({ services, caller, id, missing }) =>
      toTargetRow((await services.settings.targets.remove(id)) ?? missing(), caller),
  }),
  defineRoute('POST /v1/targets/{id}/test', {
    name: 'testTarget',
    summary: 'Send a test alert there',
    description:
      'It is sent once and waited for; whether it arrived is the answer. It takes no body.',
    access: withScope('write:budgets'),
    sight: 'scoped',
    id: TARGET,
    answer: ok('What came of it.', testOutcomeSchema),
    handle: async ({ services, caller, id, missing }) => {
      const target = (await services.settings.targets.find(id)) ?? missing()
      const result = await services.sendTest(target)
      const detail = toShownDetail(result, caller)
      return { target_id: target.id, delivered: result.isDelivered, detail }
    },
  }),
  defineRoute('GET /v1/alerts', {
    name: 'listAlerts',
    summary: 'The log of alerts, newest first',
    description:
      'With every attempt to deliver them. Pages follow each other by next_cursor until it is null.',
    access: withScope('read:usage'),
    sight: 'scoped',
    query: alertParametersSchema,
    answer: ok('A page of alerts.', alertPageSchema),
    handle: async ({ services, caller, query: { budget, limit, cursor } }) => {
      const asked = budget ?? null
      const nowMs = services.clock.now()
      const { alerts, next } = await services.settings.alerts.list({
        before: cursor === undefined ? null : parseAlertCursor(cursor, asked),
        rowsMax: limit ?? ALERTS_LIMIT_DEFAULT,
        ...(budget !== undefined && { budgetId: budget }),
      })
      return {
        rows: alerts.map((alert) => toShownAlert(toAlertRow(alert, nowMs), caller)),
        next_cursor: next === null ? null : formatAlertCursor(next, asked),
      }
    },
  }),
]

async function addTargets(
  services: ApiServices,
  caller: Caller,
  asked: readonly NewTarget[],
): Promise<TargetRow[]> {
  const { targets } = services.settings
  const known = (await targets.list()).filter(({ budgetId }) => budgetId === null)
  await checkTargets(asked, { ...services, known, caller })
  const made = await targets.createAll(asked, null)
  return made.map((target) => ({
    ...toTargetRow(target, caller),
    ...(target.secret !== null && { secret: target.secret }),
  }))
}

function toTargetRow(target: AlertTarget, caller: Caller): TargetRow {
  return {
    id: target.id,
    kind: target.kind,
    address: toShownAddress(target, caller),
    budget_id: target.budgetId,
    created_at: toIso(target.createdAt),
  }
}
