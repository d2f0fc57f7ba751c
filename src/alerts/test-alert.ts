// The alert that shows a person whether a target works. It is in no outbox and in no log.

import { createAlertId } from '../core/alert.ts'
import type { Alert, AlertTarget } from '../core/alert.ts'
import { toBody } from '../core/alerts/budget-alert.ts'

export function toTestAlert({ id, budgetId }: AlertTarget, at: number): Alert {
  return {
    id: createAlertId('alert.test', id, at),
    kind: 'alert.test',
    budgetId,
    at,
    body: toBody('alert.test', at, { target_id: id, budget_id: budgetId }),
  }
}
