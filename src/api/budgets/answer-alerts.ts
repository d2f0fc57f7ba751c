// GET /v1/alerts: the log of alerts with every attempt to deliver them. Must stay true: following the cursors gives
// every alert that was there at the beginning, and none twice.

import type { Context } from 'hono'
import { formatAlertCursor, parseAlertCursor } from './alert-cursor.ts'
import { toAlertRow } from './alert-row.ts'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import { ALERTS_LIMIT_DEFAULT, alertParametersSchema } from '../contract.ts'
import type { AlertPageAnswer } from '../contract.ts'
import { parseParameters } from '../parse-parameters.ts'
import { toShownAlert } from './shown-to.ts'

export async function answerAlerts(context: Context, options: ApiOptions): Promise<Response> {
  const token = await authorize(context, options, 'read:usage')
  const { searchParams } = new URL(context.req.url)
  const { budget, limit, cursor } = parseParameters(searchParams, alertParametersSchema)
  const asked = budget ?? null
  const { alerts, next } = await options.settings.alerts.list({
    before: cursor === undefined ? null : parseAlertCursor(cursor, asked),
    rowsMax: limit ?? ALERTS_LIMIT_DEFAULT,
    ...(budget !== undefined && { budgetId: budget }),
  })
  const answer: AlertPageAnswer = {
    rows: alerts.map((alert) => toShownAlert(toAlertRow(alert), token)),
    next_cursor: next === null ? null : formatAlertCursor(next, asked),
  }
  return context.json(answer)
}
