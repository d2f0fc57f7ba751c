// A refusal as Claude Code reads it: the status and type that its protocol has for it, and a
// sentence that says what to do next. The code and the record stay the refusal's own.

import { SHOWN_PERIODS } from '../../core/agents/standing.ts'
import type { BudgetPeriod } from '../../core/budget.ts'
import type { WeirErrorCode } from '../../core/weir-error.ts'
import type { RefusedBudget, Refusal, ShownRefusal } from '../../policy/refusal.ts'
import { standingLine } from './agent-headers.ts'

const SIGN_IN_AGAIN = { status: 401, type: 'authentication_error', canRetry: false }
const NOT_ALLOWED = { status: 400, type: 'invalid_request_error', canRetry: false }
const OVERLOADED = { status: 529, type: 'overloaded_error', canRetry: true }

const SHOWN: Readonly<Partial<Record<WeirErrorCode, ShownRefusal>>> = {
  missing_api_key: SIGN_IN_AGAIN,
  invalid_api_key: SIGN_IN_AGAIN,
  expired_api_key: SIGN_IN_AGAIN,
  revoked_api_key: SIGN_IN_AGAIN,
  key_paused: SIGN_IN_AGAIN,
  model_not_allowed: NOT_ALLOWED,
  provider_not_allowed: NOT_ALLOWED,
  overloaded: OVERLOADED,
  journal_full: OVERLOADED,
}

const MESSAGES: Readonly<Partial<Record<WeirErrorCode, string>>> = {
  missing_api_key: 'You are not signed in to this gateway. Sign in with /login.',
  invalid_api_key: 'This sign-in is not valid here, or has ended. Sign in again with /login.',
  expired_api_key: 'Your sign-in has expired. Sign in again with /login.',
  revoked_api_key: 'Your sign-in was ended. Sign in again with /login.',
  key_paused:
    'Your access through this gateway is stopped. Ask your team’s lead or an administrator of Weir.',
}

export function toAgentRefusal(refusal: Refusal, nowMs: number): Refusal {
  const { code, budget } = refusal
  if (code === 'budget_exceeded' && budget !== undefined) return toSpent(refusal, budget, nowMs)
  const shown = SHOWN[code]
  const message = MESSAGES[code]
  return {
    ...refusal,
    ...(shown !== undefined && { shown }),
    ...(message !== undefined && { message }),
  }
}

const PERIOD_WORDS: Readonly<Record<string, string>> = {
  day: 'today',
  week: 'this week',
  month: 'this month',
}

/** The tool prints the message as it stands, since its two headers of a claim are left off. */
function toSpent(refusal: Refusal, budget: RefusedBudget, nowMs: number): Refusal {
  const { each, scope, period, resets_at: resetsAt } = budget
  const isOwn = each === 'person' || each === 'key' || /^(?:person|api_key)=/.test(scope)
  const endMs = Date.parse(resetsAt)
  const seconds = String(Math.round(endMs / 1000))
  const headers = [
    standingLine('status', 'rejected'),
    standingLine('reset', seconds),
    standingLine('overage-reset', seconds),
    standingLine('overage-utilization', '1'),
    standingLine('overage-surpassed-threshold', '1'),
    standingLine('overage-period', SHOWN_PERIODS[period as BudgetPeriod]),
    standingLine('overage-disabled-reason', 'org_spend_cap_reached'),
    ...(isOwn ? [] : [standingLine('overage-scope', 'group_pool')]),
  ]
  return {
    ...refusal,
    message: `${toWords(budget, isOwn)} It resets on ${toDay(endMs)}. To go on before, ask your team’s lead or an administrator of Weir to raise it.`,
    retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1000)),
    shown: { status: 429, type: 'billing_error', canRetry: false, headers },
  }
}

function toWords({ name, period, limit_usd: limit }: RefusedBudget, isOwn: boolean): string {
  const amount = `$${limit.toFixed(2)} ${PERIOD_WORDS[period] ?? ''}`.trim()
  return isOwn
    ? `Your budget of ${amount} is used up.`
    : `The budget "${name}" of ${amount}, which you share with others, is used up.`
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** All periods end at midnight. */
function toDay(endMs: number): string {
  return `${DAY.format(endMs)}, 00:00 UTC`
}
