// What a budget spent in each of its periods. Must stay true: a period is compared with the limit
// that it ended with, and one in which the budget was about something else is left out.

import { setImmediate } from 'node:timers/promises'
import { assert } from '../../core/assert.ts'
import { spanOf } from '../../core/budget.ts'
import type { Budget, BudgetSpan } from '../../core/budget.ts'
import { isRule } from '../../core/budgets/each-budget.ts'
import { parseMoney, toAnswerUsd } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { AuditEntry } from '../../core/user.ts'
import type { BudgetSpend } from '../../store/ledger/budget-states.ts'
import type { ApiOptions } from '../api-options.ts'
import type { BudgetPeriodRow } from '../contract.ts'
import { toIso } from '../iso-time.ts'
import { toPercent } from './budget-row.ts'

type PeriodSources = Pick<ApiOptions, 'settings' | 'ledgerProgress' | 'slugOf' | 'clock'>

/** Changes of a budget that are looked through, the newest first. */
const CHANGES_MAX = 1000

/** The newest first, the one that runs among them. */
export async function readPeriods(
  sources: PeriodSources,
  budget: Budget,
  rowsMax: number,
): Promise<readonly BudgetPeriodRow[]> {
  const { ledgerProgress, slugOf, clock } = sources
  const nowMs = clock.now()
  const changes = await readChanges(sources, budget)
  const beginMs = findBegin(budget, changes)
  const rows: BudgetPeriodRow[] = []
  for (
    let span = spanOf(budget.period, nowMs);
    rows.length < rowsMax && (rows.length === 0 || span.endMs > beginMs);
    span = spanOf(budget.period, span.startMs - 1)
  ) {
    const isRunning = rows.length === 0
    const limit = isRunning ? budget.limit : findLimit(budget, changes, span.endMs)
    const spend = isRunning
      ? await readRunning(sources, budget, nowMs)
      : await ledgerProgress.budgets.readPeriod(budget, { span, slugOf })
    rows.push(toPeriodRow({ span, isRunning, limit, spend, hasOwnLimit: !isRule(budget) }))
    // Lets other work run between two periods.
    await setImmediate()
  }
  return rows
}

async function readRunning(
  { ledgerProgress, slugOf }: PeriodSources,
  budget: Budget,
  nowMs: number,
): Promise<BudgetSpend> {
  const [spend] = await ledgerProgress.budgets.readSpend([budget], { slugOf, nowMs })
  assert(spend !== undefined, `nothing was read of budget ${budget.id}`)
  return spend
}

/** The newest first. */
async function readChanges(
  { settings }: PeriodSources,
  { id }: Budget,
): Promise<readonly AuditEntry[]> {
  const filter = { noun: 'budget', actorId: null, subjectId: id }
  const { entries } = await settings.audit.list(filter, { before: null, rowsMax: CHANGES_MAX })
  return entries.filter(({ action }) => action === 'budget.update')
}

/** Since when it is about what it is about: before that, its limit was for something else. */
function findBegin({ createdAt }: Budget, changes: readonly AuditEntry[]): number {
  const last = changes.find(
    ({ changes: what }) => 'scope' in what || 'period' in what || 'each' in what,
  )
  return Math.max(createdAt, last?.at ?? createdAt)
}

/** The limit at that moment. */
function findLimit({ limit }: Budget, changes: readonly AuditEntry[], atMs: number): Money {
  const later = changes.findLast(({ at, changes: what }) => at >= atMs && 'limit_usd' in what)
  return parseMoney(later?.changes['limit_usd']?.before) ?? limit
}

interface PeriodFacts {
  readonly span: BudgetSpan
  readonly isRunning: boolean
  readonly limit: Money
  /** Null where it is no longer on record. */
  readonly spend: BudgetSpend | null
  /** False where each member has it. */
  readonly hasOwnLimit: boolean
}

function toPeriodRow({ span, isRunning, limit, spend, hasOwnLimit }: PeriodFacts): BudgetPeriodRow {
  return {
    period_start: toIso(span.startMs),
    period_end: toIso(span.endMs),
    is_running: isRunning,
    limit_usd: toAnswerUsd(limit),
    spent_usd: spend === null ? null : toAnswerUsd(spend.spent),
    spent_percent: spend === null || !hasOwnLimit ? null : toPercent(spend.spent, limit),
    is_exceeded: spend === null || !hasOwnLimit ? null : spend.spent >= limit,
    unpriced_requests: spend?.unpriced ?? null,
  }
}
