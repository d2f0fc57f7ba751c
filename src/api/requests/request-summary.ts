// How many calls match, and what they cost, as the API says it.

import { formatMoney } from '../../core/money.ts'
import type { RequestSummary } from '../../store/usage/request-log.ts'
import type { RequestSummaryAnswer } from './request-contract.ts'

export function toRequestSummary(summary: RequestSummary): Omit<RequestSummaryAnswer, 'as_of'> {
  const { calls, denied, unpriced, cost, isComplete } = summary
  return { calls, denied, unpriced, cost_usd: formatMoney(cost), is_complete: isComplete }
}
