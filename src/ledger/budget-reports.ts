// Reports the state of blocking budgets: at once after a change, and every second, which frees what
// was reserved for calls that ended. Must stay true: spend includes every call that ended before
// `completeUntil`.

import type { Budget } from '../core/budget.ts'
import type { SlugOf } from '../core/budget-index.ts'
import type { BudgetReport, BudgetState } from '../core/budget-state.ts'
import type { Clock } from '../core/clock.ts'
import { COUNTERS_MAX, isRule, ruleIdOf } from '../core/budgets/each-budget.ts'
import type { Meter } from '../core/telemetry.ts'
import type { OpenCall } from '../store/ledger/ledger-progress.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { readBudgetStates, readCounterStates } from './usual-call.ts'

export interface BudgetReportOptions {
  readonly store: Pick<LedgerStore, 'progress'>
  readonly slugOf: SlugOf
  readonly clock: Clock
  readonly meter: Meter
  readonly tell: (report: BudgetReport) => void
}

export interface RoundOutcome {
  readonly beganAt: number
  readonly hasStored: boolean
  /** Whether it read everything that was in the journals when it began. */
  readonly hasReadAll: boolean
  readonly openCalls: Iterable<OpenCall>
}

export interface BudgetReports {
  /** `hasChanged`: the budgets changed, or their spend did in another way than by this round. */
  report(
    blocking: readonly Budget[],
    round: RoundOutcome,
    options: { readonly hasChanged: boolean },
  ): Promise<void>
}

const REPORT_MS = 1000
/** From a call's end to its line on the disk: one turn, longer while a compressed body is read. */
const FLUSH_MS_MAX = 250
/** How long a call whose tokens are being counted is waited for; all others wait with it. */
const COUNT_MS_MAX = 10_000

export function createBudgetReports(options: BudgetReportOptions): BudgetReports {
  const { store, slugOf, clock, meter, tell } = options
  /** Also at the start without any: those from before a restart may be gone. */
  let isDue = true
  let reportedAt = -Infinity
  let completeUntil = 0
  /** Of what was told of counters; null: all of them are to be told. */
  let moment: number | null = null

  return {
    async report(blocking, round, { hasChanged }) {
      if (round.hasReadAll) completeUntil = findCompleteUntil(round)
      // Stays true until it is reported, however often reading fails.
      isDue ||= hasChanged
      if (hasChanged) moment = null
      if (blocking.length > 0) {
        isDue ||= round.hasStored || clock.monotonic() - reportedAt >= REPORT_MS
      }
      if (!isDue) return
      const sources = { budgets: store.progress.budgets, slugOf, nowMs: clock.now() }
      const rules = blocking.filter(isRule)
      const since = rules.length === 0 ? null : moment
      const counters = await readCounterStates(rules, sources, { since })
      const own = await readBudgetStates(blocking, sources)
      if (since === null && hasTooMany(counters.states)) meter.add('budgetMembersUntold', 1)
      const states = [...own, ...counters.states]
      tell({ states, completeUntil, ...(since !== null && { isPartial: true }) })
      ;({ moment } = counters)
      isDue = false
      reportedAt = clock.monotonic()
    },
  }
}

function hasTooMany(counters: readonly BudgetState[]): boolean {
  if (counters.length < COUNTERS_MAX) return false
  const byRule = Map.groupBy(counters, ({ budget }) => ruleIdOf(budget.id))
  return byRule.values().some((own) => own.length >= COUNTERS_MAX)
}

function findCompleteUntil({ beganAt, openCalls }: RoundOutcome): number {
  let until = beganAt - FLUSH_MS_MAX
  for (const { uncounted } of openCalls) {
    if (uncounted !== undefined && uncounted.endedAt < until) until = uncounted.endedAt
  }
  return Math.max(until, beganAt - COUNT_MS_MAX)
}
