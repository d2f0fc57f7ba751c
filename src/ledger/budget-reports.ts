// Tells how the blocking budgets stand: at once when something changed, and every second, so that
// what was reserved for calls that have ended is set free. Must stay true: a call that ended before
// `completeUntil` is in what was spent.

import type { Budget } from '../core/budget.ts'
import type { SlugOf } from '../core/budget-index.ts'
import type { BudgetReport, BudgetState } from '../core/budget-state.ts'
import type { Clock } from '../core/clock.ts'
import type { BudgetSpend } from '../store/ledger/budget-states.ts'
import type { OpenCall } from '../store/ledger/ledger-book.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { toUsualCall, USUAL_CALLS_MIN } from './usual-call.ts'

export interface BudgetReportOptions {
  readonly store: Pick<LedgerStore, 'book'>
  readonly slugOf: SlugOf
  readonly clock: Clock
  readonly tell: (report: BudgetReport) => void
}

/** What a round has done. */
export interface RoundOutcome {
  readonly beganAt: number
  readonly hasStored: boolean
  /** Whether nothing was left in the journals that was there when it began. */
  readonly hasReadAll: boolean
  readonly openCalls: Iterable<OpenCall>
}

export interface BudgetReports {
  /** `hasChanged` when the budgets did, or what they spent by another way than this round. */
  report(
    blocking: readonly Budget[],
    round: RoundOutcome,
    options: { readonly hasChanged: boolean },
  ): Promise<void>
}

const REPORT_MS = 1000
/**
 * From a call's end to its line on the disk: a turn of its worker, longer where a compressed answer
 * is still read.
 */
const FLUSH_MS_MAX = 250
/**
 * A call whose tokens are still being counted is waited for as long; all others would wait with it.
 */
const COUNT_MS_MAX = 10_000

export function createBudgetReports(options: BudgetReportOptions): BudgetReports {
  const { clock, tell } = options
  /** At first also where there are none: those that were there before a restart may be gone. */
  let isDue = true
  let reportedAt = -Infinity
  let completeUntil = 0

  return {
    async report(blocking, round, { hasChanged }) {
      if (round.hasReadAll) completeUntil = findCompleteUntil(round)
      // Stays so until it is reported, however often reading fails.
      isDue ||= hasChanged
      if (blocking.length > 0) {
        isDue ||= round.hasStored || clock.monotonic() - reportedAt >= REPORT_MS
      }
      if (!isDue) return
      tell({ states: await readStates(blocking, options), completeUntil })
      isDue = false
      reportedAt = clock.monotonic()
    },
  }
}

function findCompleteUntil({ beganAt, openCalls }: RoundOutcome): number {
  let until = beganAt - FLUSH_MS_MAX
  for (const { uncounted } of openCalls) {
    if (uncounted !== undefined && uncounted.endedAt < until) until = uncounted.endedAt
  }
  return Math.max(until, beganAt - COUNT_MS_MAX)
}

async function readStates(
  budgets: readonly Budget[],
  { store, slugOf, clock }: BudgetReportOptions,
): Promise<readonly BudgetState[]> {
  if (budgets.length === 0) return []
  const nowMs = clock.now()
  const spends = byBudget(await store.book.budgets.readSpend(budgets, { slugOf, nowMs }))
  const young = budgets.filter(({ id }) => (spends.get(id)?.calls ?? 0) < USUAL_CALLS_MIN)
  const before = young.length === 0 ? [] : await store.book.budgets.readPreviousSpend(young, nowMs)
  const spendsBefore = byBudget(before)
  return budgets.flatMap((budget) => {
    const spend = spends.get(budget.id)
    if (spend === undefined) return []
    const usual = toUsualCall(spend, spendsBefore.get(budget.id))
    return [{ budget, span: spend.span, spent: spend.spent, usual }]
  })
}

function byBudget(spends: readonly BudgetSpend[]): ReadonlyMap<string, BudgetSpend> {
  return new Map(spends.map((spend) => [spend.budgetId, spend]))
}
