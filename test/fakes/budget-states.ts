// Blocking budgets as the ledger would report them.

import type { Budget, BudgetScope } from '../../src/core/budget.ts'
import type { BudgetReport, BudgetState, UsualCall } from '../../src/core/budget-state.ts'
import { parseMoney } from '../../src/core/money.ts'
import type { Money } from '../../src/core/money.ts'

/** 2026-11-16, a Monday. */
export const DAY_START_MS = Date.UTC(2026, 10, 16)
export const DAY_END_MS = Date.UTC(2026, 10, 17)

export function usd(amount: number): Money {
  return parseMoney(amount) as Money
}

export interface StateOptions {
  readonly id?: string
  readonly scope?: BudgetScope
  readonly limit?: Money
  readonly spent?: Money
  readonly endMs?: number
  readonly usual?: UsualCall | null
  readonly unpriced?: number
  readonly each?: Budget['each']
  readonly period?: Budget['period']
}

/** A dollar a day, for everything, unless a test sets it. */
export function createState(options: StateOptions = {}): BudgetState {
  const { id = 'bud_1', scope = { kind: 'global' }, limit = usd(1) } = options
  const budget: Budget = {
    id,
    name: `name of ${id}`,
    scope,
    period: options.period ?? 'day',
    limit,
    thresholds: [100],
    each: options.each ?? 'none',
    isBlocking: true,
    isTargetsOnly: false,
    createdAt: 0,
    version: 0,
  }
  const span = { startMs: DAY_START_MS, endMs: options.endMs ?? DAY_END_MS }
  return {
    budget,
    span,
    spent: options.spent ?? 0n,
    usual: options.usual ?? null,
    unpriced: options.unpriced ?? 0,
  }
}

export function toReport(states: readonly BudgetState[], completeUntil = 0): BudgetReport {
  return { states, completeUntil }
}
