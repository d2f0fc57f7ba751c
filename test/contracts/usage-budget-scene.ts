// Budgets and what they raised, for the suites that specify what budgets spent.

import type { Budget, BudgetScope } from '../../src/core/budget.ts'
import { spanOf } from '../../src/core/budget.ts'
import type { SlugOf } from '../../src/core/budget-index.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { NOON } from './usage-scene.ts'

export const CENT = 10n ** 10n
export const DOLLAR = 100n * CENT
export const DAY_MS = 86_400_000

export const slugOf: SlugOf = (provider, model) => `${provider}/${model}`
export const AT_NOON = { slugOf, nowMs: NOON }

export function createBudget(changes: Partial<Budget> = {}): Budget {
  return {
    id: 'bud_1',
    name: 'everything',
    scope: { kind: 'global' },
    period: 'month',
    limit: DOLLAR,
    thresholds: [50, 80, 100],
    each: 'none',
    isTargetsOnly: false,
    isBlocking: false,
    createdAt: 0,
    version: 0,
    ...changes,
  }
}

/** A threshold as its alert tells it. */
export interface Raised {
  readonly budget: string
  readonly percent: number
  readonly spentUsd: number
  readonly start: number
  readonly at: number
}

export async function readRaised(store: LedgerStore): Promise<readonly Raised[]> {
  const { alerts } = await store.progress.outbox.read(0, 100_000)
  return alerts.map(({ at, budgetId, body }) => {
    const { data } = JSON.parse(body)
    return {
      budget: budgetId ?? '',
      percent: data.threshold_percent,
      spentUsd: data.spent_usd,
      start: Date.parse(data.period_start),
      at,
    }
  })
}

export async function percentsOf(store: LedgerStore): Promise<readonly number[]> {
  return (await readRaised(store)).map(({ percent }) => percent)
}

export async function spentOf(
  store: LedgerStore,
  budget: Budget,
  nowMs: number = NOON,
): Promise<bigint | undefined> {
  return (await store.progress.budgets.readSpend([budget], { slugOf, nowMs }))[0]?.spent
}

/** What it must come to: every call by itself. The only pattern known is `maker/*`. */
export function spendPlainly(
  budget: Budget,
  records: readonly UsageRecord[],
  nowMs: number,
): { readonly spent: bigint; readonly unpriced: number } {
  const { startMs, endMs } = spanOf(budget.period, nowMs)
  const own = records.filter(
    ({ event }) =>
      event.endedAt >= startMs && event.endedAt < endMs && isCovered(budget.scope, event),
  )
  return {
    spent: own.reduce((sum, { cost }) => sum + (cost.amount ?? 0n), 0n),
    unpriced: own.filter(({ cost }) => cost.amount === null).length,
  }
}

export function isCovered(scope: BudgetScope, event: UsageRecord['event']): boolean {
  if (event.status === 'denied') return false
  switch (scope.kind) {
    case 'global':
      return true
    case 'api_key':
      return event.keyId === scope.keyId
    case 'provider':
      return event.provider === scope.providerId
    case 'model':
      return event.model !== null && event.provider === scope.pattern.slice(0, -2)
    case 'dim':
      return event.dims[scope.key] === scope.value
  }
}
