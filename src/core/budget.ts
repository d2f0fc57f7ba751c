// A budget: whose spend it limits, over which period, and when it alerts. Only what is charged
// counts: calls with the caller's own provider key add nothing.

import { parseMoney } from './money.ts'
import type { Money } from './money.ts'

/** The UTC day, the ISO week, which begins on Monday, or the UTC month. */
export const BUDGET_PERIODS = ['day', 'week', 'month'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

export type BudgetScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'api_key'; readonly keyId: string }
  | { readonly kind: 'provider'; readonly providerId: string }
  /** A pattern `[provider:]slug`, as in the policy of a key. */
  | { readonly kind: 'model'; readonly pattern: string }
  | { readonly kind: 'dim'; readonly key: string; readonly value: string }

/** For whom a budget counts apart, if for anybody: see each-budget.ts. */
export const BUDGET_EACH = ['none', 'key', 'person', 'team'] as const
export type BudgetEach = (typeof BUDGET_EACH)[number]

export const SCOPE_KINDS: readonly BudgetScope['kind'][] = [
  'global',
  'dim',
  'api_key',
  'provider',
  'model',
]

export interface BudgetSettings {
  readonly name: string
  readonly scope: BudgetScope
  readonly each: BudgetEach
  readonly period: BudgetPeriod
  /** Above zero. */
  readonly limit: Money
  /** In percent of the limit: whole, ascending, each once. */
  readonly thresholds: readonly number[]
  /** Whether calls are refused from 100 % on, whatever the thresholds. */
  readonly isBlocking: boolean
  /** Its alerts do not go to the people whom they concern as well. */
  readonly isTargetsOnly: boolean
}

export interface Budget extends BudgetSettings {
  readonly id: string
  readonly createdAt: number
  /** Rises with every change. */
  readonly version: number
  /** Of a counter alone. */
  readonly member?: string
  /** The team that gives it to each of its keys: a limit of the team, which its leads keep. */
  readonly defaultOf?: string
  /** Of a rule: who has another limit than the others, in picos; as text, it travels as JSON. */
  readonly ownLimits?: Readonly<Record<string, string>>
}

export const OWN_LIMITS_MAX = 1000

export const BUDGETS_MAX = 1000
export const THRESHOLDS_MAX = 20
export const THRESHOLD_MAX = 1000
export const DEFAULT_THRESHOLDS: readonly number[] = [50, 80, 100]

/** In USD: far above any bill. */
export const BUDGET_LIMIT_USD_MAX = 1_000_000_000
const LIMIT_MAX: Money = BigInt(BUDGET_LIMIT_USD_MAX) * 10n ** 12n
const LIMIT_TEXT = /^\d{1,10}(?:\.\d{1,12})?$/

/** Null where a budget cannot have it. */
export function parseLimit(usd: string | number): Money | null {
  if (typeof usd === 'string' && !LIMIT_TEXT.test(usd)) return null
  const limit = parseMoney(usd)
  return limit !== null && limit > 0n && limit <= LIMIT_MAX ? limit : null
}

/** Both ends in milliseconds since the epoch; the end is exclusive. */
export interface BudgetSpan {
  readonly startMs: number
  readonly endMs: number
}

const DAY_MS = 86_400_000
const DAYS_A_WEEK = 7
/** The first Monday since the epoch, which was a Thursday. */
const MONDAY = 4

export function spanOf(period: BudgetPeriod, atMs: number): BudgetSpan {
  const day = Math.floor(atMs / DAY_MS)
  switch (period) {
    case 'day':
      return { startMs: day * DAY_MS, endMs: (day + 1) * DAY_MS }
    case 'week': {
      const monday = Math.floor((day - MONDAY) / DAYS_A_WEEK) * DAYS_A_WEEK + MONDAY
      return { startMs: monday * DAY_MS, endMs: (monday + DAYS_A_WEEK) * DAY_MS }
    }
    case 'month': {
      const at = new Date(atMs)
      const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
      return { startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) }
    }
  }
}

/** The smallest spend that reaches that percentage of the limit. */
export function amountAt(limit: Money, percent: number): Money {
  const hundredfold = limit * BigInt(percent)
  return (hundredfold + 99n) / 100n
}
