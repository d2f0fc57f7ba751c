// The limiter's refusals: a budget that is used up, a key that calls too often or too much at once.
// Must stay true: each names its limit, and when or by whom that can change.

import type { BudgetPeriod } from '../core/budget.ts'
import { formatScope } from '../core/budget-scope.ts'
import { unknownSum, usedOf } from '../core/budget-state.ts'
import type { BudgetState } from '../core/budget-state.ts'
import { ruleIdOf } from '../core/budgets/each-budget.ts'
import { formatMoney, toAnswerUsd } from '../core/money.ts'
import type { Money } from '../core/money.ts'
import type { ReservationVerdict } from './limit-bank.ts'
import type { LimitedCall } from './limited-call.ts'
import { refuse } from '../policy/refusal.ts'
import type { Refusal } from '../policy/refusal.ts'

const PERIODS: Readonly<Record<BudgetPeriod, string>> = {
  day: 'UTC day',
  week: 'ISO week',
  month: 'UTC month',
}
const DECIMALS_MIN = 2
/** A running call may end at any time, so a short wait may be enough. */
const PARALLEL_RETRY_SECONDS = 1
const UNANSWERED_RETRY_SECONDS = 1

/** What is used up, and until when. */
export function describeUsedUp(state: BudgetState): string {
  const { budget, spent } = state
  const { name, period, limit, each } = budget
  const id = ruleIdOf(budget.id)
  const whose = each === 'none' ? '' : ` for this ${each}`
  const decimals = countDecimals(limit)
  const [has, of] = [toUsd(spent, decimals), toUsd(limit, decimals)]
  const unknown = spent < limit ? describeUnknown(state, decimals) : ''
  const running =
    usedOf(state) < limit ? ', and the calls that run now are expected to take the rest' : ''
  return `The budget "${name}" (${id}) is used up${whose}: $${has} of $${of} spent in this ${PERIODS[period]} (${formatScope(budget.scope)})${unknown}${running}.`
}

export function toResetTime({ span }: BudgetState): string {
  return new Date(span.endMs).toISOString().replace('.000Z', 'Z')
}

/** `unread` is why it could not be determined whether the call is covered. */
export function refuseBudget(state: BudgetState, unread: string | null = null): Refusal {
  const { budget, span, spent } = state
  const doubt =
    unread === null ? '' : ` Whether this request is covered could not be determined: ${unread}.`
  const message = `${describeUsedUp(state)}${doubt} It resets at ${toResetTime(state)}. Ask an operator of Weir to raise it.`
  return {
    ...refuse('budget_exceeded', message),
    budget: {
      id: ruleIdOf(budget.id),
      name: budget.name,
      scope: formatScope(budget.scope),
      ...(budget.each !== 'none' && { each: budget.each }),
      period: budget.period,
      limit_usd: toAnswerUsd(budget.limit),
      spent_usd: toAnswerUsd(spent),
      resets_at: new Date(span.endMs).toISOString(),
    },
  }
}

/** Null where the call may go on. */
export function toRefusal(verdict: ReservationVerdict, keyId: string): Refusal | null {
  switch (verdict.kind) {
    case 'granted':
      return null
    case 'budget':
      return refuseBudget(verdict.state)
    case 'rpm': {
      const { rpm, retryAfterSeconds } = verdict
      const message = `The key ${keyId} may make ${rpm} ${rpm === 1 ? 'call' : 'calls'} a minute (rate_limit_rpm). Try again in ${retryAfterSeconds} s.`
      return { ...refuse('rate_limited', message), retryAfterSeconds }
    }
    case 'parallel': {
      const { maxParallel } = verdict
      const message = `The key ${keyId} may have ${maxParallel} ${maxParallel === 1 ? 'call' : 'calls'} running at once (max_parallel). Try again when one has ended.`
      return { ...refuse('rate_limited', message), retryAfterSeconds: PARALLEL_RETRY_SECONDS }
    }
    case 'unanswered':
      return refuseUnchecked(keyId, verdict.limit)
  }
}

/** The supervisor is too busy or stopped: whether the call is within its limits is not known. */
export function refuseUnanswered({ keyId, rpm }: LimitedCall): Refusal {
  return refuseUnchecked(keyId, rpm === null ? 'max_parallel' : 'rate_limit_rpm')
}

function refuseUnchecked(keyId: string, limit: string): Refusal {
  const message = `Weir could not check in time whether the key ${keyId} may make this call (${limit}). Try again in a moment.`
  return { ...refuse('overloaded', message), retryAfterSeconds: UNANSWERED_RETRY_SECONDS }
}

/** It is not spent, as far as anybody knows. */
function describeUnknown(state: BudgetState, decimals: number): string {
  const { unpriced } = state
  if (unpriced === 0) return ''
  const calls = unpriced === 1 ? 'a call' : `${unpriced} calls`
  return `, and $${toUsd(unknownSum(state), decimals)} counted for ${calls} whose cost is not known`
}

function countDecimals(limit: Money): number {
  return Math.max(DECIMALS_MIN, formatMoney(limit).split('.')[1]?.length ?? 0)
}

/** Cut, not rounded: it never shows more than there is. */
function toUsd(amount: Money, decimals: number): string {
  const [whole = '0', fraction = ''] = formatMoney(amount).split('.')
  return `${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`
}
