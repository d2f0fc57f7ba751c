// What deserves a look on the first page, in words. Must stay true: calls without a price and
// estimated calls are named wherever there are any, for no figure shows them.

import type { AlertRow, BudgetRow, Overview } from '../../../../src/api/contract.ts'
import { toAlertWords } from '../../data/alerts/alert-words.ts'
import { formatCounted, formatShare } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { toHref } from '../../data/search-values.ts'
import { NEAR_PERCENT, toCountedPart } from '../budgets/budget-words.ts'

/** More are one line. */
const BUDGETS_NAMED_MAX = 5

export interface Notice {
  readonly id: string
  readonly tone: 'neutral' | 'warning' | 'bad'
  readonly title: string
  readonly text: string
  readonly href: string
  readonly linkText: string
  /** Where it is an incident, of which users can say something. */
  readonly incident?: AlertRow
  /** Of a budget. */
  readonly spentPercent?: number
}

/** What the page says beside its figures. */
export type OverviewState = Omit<Overview, 'figures' | 'breakdown'>

export interface NoticeFacts {
  /** Those near their limit, or beyond it. */
  readonly budgets: readonly BudgetRow[]
  /** Those that are open. */
  readonly incidents: readonly AlertRow[]
  readonly keyNames: ReadonlyMap<string, string>
}

export function toNotices(overview: OverviewState, facts: NoticeFacts): Notice[] {
  const { budgets, incidents, keyNames } = facts
  const near = budgets.toSorted((one, other) => toCountedPart(other) - toCountedPart(one))
  return [
    ...incidents.map((incident) => toIncidentNotice(incident, keyNames)),
    ...near.slice(0, BUDGETS_NAMED_MAX).map(toBudgetNotice),
    ...toFurther(near.length - BUDGETS_NAMED_MAX),
    ...toUnpriced(overview),
    ...toEstimated(overview),
  ]
}

function toIncidentNotice(alert: AlertRow, keyNames: ReadonlyMap<string, string>): Notice {
  const { title, text, callsHref } = toAlertWords(alert, keyNames)
  return {
    id: alert.id,
    tone: 'bad',
    title,
    text,
    href: callsHref ?? toHref('/budgets', { tab: 'alerts' }),
    linkText: callsHref === undefined ? 'See the alert' : 'See the calls',
    incident: alert,
  }
}

function toBudgetNotice(budget: BudgetRow): Notice {
  const { id, name, limit_usd, spent_usd, spent_percent, forecast_usd, is_exceeded } = budget
  const isRefusing = budget.blocking && toCountedPart(budget) >= 1
  const isBad = is_exceeded || isRefusing
  const spent = `${formatUsd(spent_usd)} of ${formatUsd(limit_usd)} per ${budget.period}`
  const course =
    forecast_usd === null || forecast_usd <= limit_usd
      ? ''
      : `, forecast ${formatUsd(forecast_usd)}`
  const blocked = isRefusing ? ' Its calls are refused.' : ''
  return {
    id,
    tone: isBad ? 'bad' : 'warning',
    title: `${name}: ${isBad ? 'the limit is reached' : `${formatShare(spent_percent / 100)} spent`}`,
    text: `${spent}${course}.${blocked}`,
    href: `/budgets#${id}`,
    linkText: 'See the budget',
    spentPercent: spent_percent,
  }
}

function toFurther(count: number): Notice[] {
  if (count <= 0) return []
  const title = `${formatCounted(count, 'more budget')} ${count === 1 ? 'is' : 'are'} near the limit`
  const text = `${NEAR_PERCENT} % or more of it is spent.`
  return [
    { id: 'budgets', tone: 'warning', title, text, href: '/budgets', linkText: 'See all budgets' },
  ]
}

function toUnpriced({
  unpriced_requests: calls,
  unpriced_models: models,
}: OverviewState): Notice[] {
  if (calls === 0) return []
  const verb = calls === 1 ? 'has' : 'have'
  return [
    {
      id: 'unpriced',
      tone: 'warning',
      title: `${formatCounted(calls, 'call')} of ${formatCounted(models, 'model')} ${verb} no price`,
      text: `${calls === 1 ? 'Its' : 'Their'} cost is missing from every figure this month.`,
      href: toHref('/prices', { tab: 'missing' }),
      linkText: models === 1 ? 'Set its price' : 'Set their prices',
    },
  ]
}

function toEstimated({ estimated_requests: calls, asOf }: OverviewState): Notice[] {
  if (calls === 0) return []
  return [
    {
      id: 'estimated',
      tone: 'neutral',
      title: `${formatCounted(calls, 'call')} ${calls === 1 ? 'is' : 'are'} estimated`,
      text: `The provider did not report all usage this month, so some tokens were counted from the text.`,
      href: toHref('/requests', { from: `${asOf.slice(0, 7)}-01`, usage: 'estimated' }),
      linkText: 'See the requests',
    },
  ]
}
