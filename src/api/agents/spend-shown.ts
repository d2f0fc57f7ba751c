// GET /api/oauth/usage: the dollars behind the share that answers to calls show. The caps are the
// blocking budgets that count every call of the key; without one, what its person has spent.

import { createBudgetCovers } from '../../limits/budget-cover.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { percentOf, severityOf, SHOWN_PERIODS } from '../../core/agents/standing.ts'
import { spanOf } from '../../core/budget.ts'
import type { BudgetPeriod } from '../../core/budget.ts'
import { usedOf } from '../../core/budget-state.ts'
import type { BudgetState } from '../../core/budget-state.ts'
import type { Money } from '../../core/money.ts'
import { readBudgetStates } from '../../ledger/usual-call.ts'
import type { ApiServices } from '../api-options.ts'
import { toOwnBudget } from '../budgets/budgets-of-keys.ts'
import { json } from './agent-answers.ts'

/** Of one person; the newest. */
const KEYS_MAX = 100
/** Money is in units of 1e-12 USD. */
const MONEY_PER_CENT = 10_000_000_000n
const PERIODS = ['month', 'day', 'week'] as const

export async function answerUsage(key: ApiKey, services: ApiServices): Promise<Response> {
  const { settings, ledgerProgress, slugOf, clock } = services
  const covering = createBudgetCovers(await settings.budgets.list())(key)
  const caps = covering
    .filter(({ budget, cover }) => budget.isBlocking && cover === 'all')
    .map(({ budget }) => toOwnBudget(budget, key))
  const { budgets } = ledgerProgress
  const states = await readBudgetStates(caps, { budgets, slugOf, nowMs: clock.now() })
  const active = fullestOf(states)
  return json(active === null ? await toSpend(key, services) : toCaps(states, active))
}

function toCaps(states: readonly BudgetState[], active: BudgetState): object {
  return {
    extra_usage: {
      is_enabled: true,
      monthly_limit: toCents(active.budget.limit),
      used_credits: toCents(usedOf(active)),
      utilization: toPercent(active),
      currency: 'USD',
    },
    limits: states.map((state) => ({
      kind: 'spend',
      group: SHOWN_PERIODS[state.budget.period],
      percent: toPercent(state),
      resets_at: new Date(state.span.endMs).toISOString(),
      severity: severityOf(toPercent(state)),
      is_active: state === active,
    })),
  }
}

function toPercent(state: BudgetState): number {
  return percentOf(usedOf(state), state.budget.limit)
}

/** Of caps that are used up, the one that resets last. */
function fullestOf(states: readonly BudgetState[]): BudgetState | null {
  const [first = null] = states.toSorted(
    (one, other) => toPercent(other) - toPercent(one) || other.span.endMs - one.span.endMs,
  )
  return first
}

async function toSpend(key: ApiKey, services: ApiServices): Promise<object> {
  const [monthly, daily, weekly] = await readSpent(key, services)
  const plain = (used: Money = 0n) => ({
    limit: null,
    used_credits: toCents(used),
    utilization: null,
  })
  return {
    extra_usage: {
      is_enabled: true,
      monthly_limit: null,
      used_credits: toCents(monthly ?? 0n),
      utilization: null,
      currency: 'USD',
      daily: plain(daily),
      weekly: plain(weekly),
    },
    limits: [],
  }
}

/** In this month, day and week, by all keys of the person. */
async function readSpent(key: ApiKey, services: ApiServices): Promise<readonly Money[]> {
  const { keyDirectory, usage, clock } = services
  const { newestFirst } = await keyDirectory.read()
  const own = newestFirst
    .map((listed) => listed.key)
    .filter(({ id, personId }) => id === key.id || (personId !== null && personId === key.personId))
    .slice(0, KEYS_MAX)
  const nowMs = clock.now()
  const questions = PERIODS.flatMap((period) =>
    own.map(({ id: keyId }) => {
      const grouping = { by: 'total' } as const
      return { period: toDays(period, nowMs), grouping, keyId, isCostOnly: true }
    }),
  )
  const { sums } = await usage.readSnapshot({ questions, spans: [] })
  return PERIODS.map((_, place) =>
    sums
      .slice(place * own.length, (place + 1) * own.length)
      .flat()
      .reduce((sum, { cost }) => sum + cost, 0n),
  )
}

function toDays(period: BudgetPeriod, nowMs: number) {
  const toDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
  return { grain: 'day', from: toDay(spanOf(period, nowMs).startMs), to: toDay(nowMs) } as const
}

function toCents(amount: Money): number {
  return Number(amount / MONEY_PER_CENT)
}
