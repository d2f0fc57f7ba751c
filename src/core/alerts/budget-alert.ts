// The alerts of budgets as webhooks send them. Receivers rely on the format: names are only added,
// never changed.

import { createAlertId } from '../alert.ts'
import type { Alert } from '../alert.ts'
import type { Budget, BudgetSpan } from '../budget.ts'
import { formatScope } from '../budget-scope.ts'
import { ruleIdOf } from '../budgets/each-budget.ts'
import { toAnswerUsd } from '../money.ts'
import type { Money } from '../money.ts'

export interface ThresholdCrossing {
  readonly span: BudgetSpan
  readonly percent: number
  readonly spent: Money
  readonly at: number
}

export function toThresholdAlert(budget: Budget, crossing: ThresholdCrossing): Alert {
  const { span, percent, spent, at } = crossing
  return {
    id: createAlertId('budget.threshold', ...nameJudgement(budget, span), percent),
    kind: 'budget.threshold',
    budgetId: ruleIdOf(budget.id),
    at,
    body: toBody('budget.threshold', at, {
      ...describeBudget(budget),
      threshold_percent: percent,
      spent_usd: toAnswerUsd(spent),
      ...describeSpan(span),
      blocking: budget.isBlocking,
    }),
  }
}

export interface ForecastCrossing {
  readonly span: BudgetSpan
  readonly spent: Money
  readonly forecast: Money
  readonly at: number
}

export function toForecastAlert(budget: Budget, crossing: ForecastCrossing): Alert {
  const { span, spent, forecast, at } = crossing
  return {
    id: createAlertId('budget.forecast', ...nameJudgement(budget, span)),
    kind: 'budget.forecast',
    budgetId: ruleIdOf(budget.id),
    at,
    body: toBody('budget.forecast', at, {
      ...describeBudget(budget),
      spent_usd: toAnswerUsd(spent),
      forecast_usd: toAnswerUsd(forecast),
      ...describeSpan(span),
      blocking: budget.isBlocking,
    }),
  }
}

/** A budget alerts once as it is; one whose limit, scope or period changed is checked again. */
function nameJudgement({ id, scope, period, limit }: Budget, { startMs }: BudgetSpan) {
  return [id, formatScope(scope), period, startMs, limit]
}

export function toBody(type: Alert['kind'], at: number, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
}

/** A member's name is added where the alert is put into the log. */
function describeBudget({ id, name, scope, period, limit, each, member }: Budget): object {
  const own = { name, scope: formatScope(scope), period, limit_usd: toAnswerUsd(limit) }
  return {
    budget: { id: ruleIdOf(id), ...own, ...(each !== 'none' && { each }) },
    ...(member !== undefined && { member: { kind: each, id: member, name: null } }),
  }
}

function describeSpan({ startMs, endMs }: BudgetSpan): object {
  return {
    period_start: new Date(startMs).toISOString(),
    period_end: new Date(endMs).toISOString(),
  }
}
