// A budget as it is shown. Must stay true: only new secrets are shown; 100 % means all is spent.

import type { AlertTarget } from '../../core/alert.ts'
import type { Budget } from '../../core/budget.ts'
import { unknownSum, usedOf } from '../../core/budget-state.ts'
import type { BudgetState, UsualCall } from '../../core/budget-state.ts'
import { ruleIdOf } from '../../core/budgets/each-budget.ts'
import { forecastSpend } from '../../core/forecast.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { BUDGET_CODEC } from '../../resources/codecs.ts'
import { overshootBound } from '../../limits/overshoot-bound.ts'
import type { BudgetSpend } from '../../store/ledger/budget-states.ts'
import type { BudgetReservations } from '../api-options.ts'
import type { BudgetRow } from '../contract.ts'
import { NEAR_PERCENT } from './budget-contract.ts'
import { toIso } from '../iso-time.ts'

export interface BudgetFacts {
  readonly budget: Budget
  readonly scopeName: string | null
  /** In the current period. */
  readonly spend: BudgetSpend
  readonly usual: UsualCall | null
  readonly targets: readonly AlertTarget[]
  /** Null where running calls are not known. */
  readonly reservations: BudgetReservations | null
  /** Of a rule for each, its counters that are near their limit at least; null otherwise. */
  readonly counters?: readonly BudgetState[] | null
  /** How many of all there are. */
  readonly spending?: number
  readonly nowMs: number
}

export function toBudgetRow({
  budget,
  scopeName,
  spend,
  usual,
  targets,
  reservations,
  counters = null,
  spending = 0,
  nowMs,
}: BudgetFacts): BudgetRow {
  const { span, sinceMs, spent, unpriced } = spend
  const hasOwnLimit = counters === null
  // Of whoever is nearest: some may have a limit of their own.
  const percent = (counters ?? []).reduce(
    (most, each) => Math.max(most, toPercent(each.spent, each.budget.limit)),
    hasOwnLimit ? toPercent(spent, budget.limit) : 0,
  )
  const unknown = budget.isBlocking && hasOwnLimit ? unknownSum({ budget, usual, unpriced }) : null
  const forecast = !hasOwnLimit ? null : forecastSpend({ spent, span, sinceMs, nowMs })
  return {
    id: ruleIdOf(budget.id),
    ...BUDGET_CODEC.toAnswer(budget),
    scope_name: scopeName,
    default_of: budget.defaultOf ?? null,
    created_at: toIso(budget.createdAt),
    version: budget.version,
    period_start: toIso(span.startMs),
    period_end: toIso(span.endMs),
    spent_usd: toAnswerUsd(spent),
    spent_percent: percent,
    is_exceeded: percent >= 100,
    members: counters === null ? null : { spending, ...countNear(counters) },
    forecast_usd: forecast === null ? null : toAnswerUsd(forecast),
    forecast_from: forecast === null ? null : toIso(sinceMs),
    unpriced_requests: unpriced,
    unknown_cost_usd: unknown === null ? null : toAnswerUsd(unknown),
    ...toReservationColumns(unknown === null ? null : reservations, budget, {
      ...spend,
      spent: spent + (unknown ?? 0n),
    }),
    targets: targets.map(({ id, kind, address }) => ({ id, kind, address })),
  }
}

function countNear(counters: readonly BudgetState[]) {
  const standings = counters.map(standingOf)
  const countOf = (wanted: Standing): number =>
    standings.filter((standing) => standing === wanted).length
  return { near: countOf('near'), over: countOf('over') }
}

export type Standing = 'near' | 'over' | 'below'

/** As far as it is used up: of a blocking one, calls of unknown cost count. */
export function usedBy(state: BudgetState): Money {
  return state.budget.isBlocking ? usedOf(state) : state.spent
}

export function standingOf(state: BudgetState): Standing {
  const { limit } = state.budget
  const used = usedBy(state)
  if (used >= limit) return 'over'
  return used * 100n >= limit * BigInt(NEAR_PERCENT) ? 'near' : 'below'
}

export function showSecrets(row: BudgetRow, made: readonly AlertTarget[]): BudgetRow {
  const secrets = new Map(made.map(({ id, secret }) => [id, secret]))
  const first = made.find(({ secret }) => secret !== null)?.secret ?? null
  return {
    ...row,
    targets: row.targets.map((target) => {
      const secret = secrets.get(target.id) ?? null
      return secret === null ? target : { ...target, secret }
    }),
    ...(first === null ? {} : { webhook_secret: first }),
  }
}

/** Truncated: 100 only when all is spent. */
export function toPercent(spent: Money, limit: Money): number {
  return Number((spent * 10_000n) / limit) / 100
}

function toReservationColumns(
  reservations: BudgetReservations | null,
  { limit }: Budget,
  spend: BudgetSpend,
) {
  if (reservations === null)
    return { running_calls: null, reserved_usd: null, overshoot_max_usd: null }
  const { running, reserved, leases = null } = reservations
  const { spent, largest, calls } = spend
  const usual = calls === 0 ? 0n : spent / BigInt(calls)
  const bound = overshootBound({ limit, spent, largest, usual, running, leases })
  return {
    running_calls: running,
    reserved_usd: toAnswerUsd(reserved),
    overshoot_max_usd: toAnswerUsd(bound),
  }
}
