// The budgets that batches are counted for, and which of their periods a batch needs. Pure: an
// engine opens the pages, within the transaction that stores the calls.

import type { Alert } from '../../core/alert.ts'
import { spanOf } from '../../core/budget.ts'
import type { Budget, BudgetPeriod, BudgetSpan } from '../../core/budget.ts'
import { createBudgetIndex } from '../../core/budget-index.ts'
import type { BudgetIndex, SlugOf } from '../../core/budget-index.ts'
import { counterIdOf, isRule, memberOf, toCounter } from '../../core/budgets/each-budget.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { isStorableEnd } from '../usage/sql/record-row.ts'
import { addToCounters } from './period-counters.ts'
import type { PeriodCounters } from './period-counters.ts'
import { basisOf } from './spend-figures.ts'

/** Rows of budgets that are older are removed: longer than any call is late by. */
export const SPEND_KEPT_MS = 400 * 86_400_000

export interface WatchOptions {
  readonly slugOf: SlugOf
  readonly nowMs: number
}

export interface Watched {
  readonly sinceMs: number
  readonly byPeriod: ReadonlyMap<BudgetPeriod, readonly Budget[]>
  readonly index: BudgetIndex
  /** Of the rules alone; null where there is none. */
  readonly rules: BudgetIndex | null
  readonly slugOf: SlugOf
}

export function toWatched(budgets: readonly Budget[], { slugOf, nowMs }: WatchOptions): Watched {
  const byPeriod = Map.groupBy(budgets, ({ period }) => period)
  const [index, found] = [createBudgetIndex(budgets, slugOf), budgets.filter(isRule)]
  const rules = found.length === 0 ? null : createBudgetIndex(found, slugOf)
  return { sinceMs: nowMs, byPeriod, index, rules, slugOf }
}

export const NO_BUDGETS: Watched = toWatched([], { slugOf: () => '', nowMs: 0 })

/** A budget counted by another basis is another one. */
export function nameOf(budget: Budget): string {
  return `${budget.id} ${basisOf(budget)}`
}

export interface WantedPage {
  readonly period: BudgetPeriod
  readonly span: BudgetSpan
  readonly budgets: readonly Budget[]
  /** Of the rules among them, those that the batch's calls change. */
  readonly counters: readonly Budget[]
  /** When the first of the batch's calls in it ended. */
  readonly atMs: number
}

/** Every period the batch's calls ended in. */
export function listWantedPages(
  watched: Watched,
  records: readonly UsageRecord[],
): readonly WantedPage[] {
  const { sinceMs, byPeriod } = watched
  const pages: WantedPage[] = []
  for (const [period, budgets] of byPeriod) {
    let spans: readonly BudgetSpan[] = []
    for (const record of records) {
      const atMs = record.event.endedAt
      if (!isForwarded(record) || spans.some((span) => isWithin(span, atMs))) continue
      const span = spanOf(period, atMs)
      spans = [...spans, span]
      // A budget ignores periods that ended before it was made. If the clock was set back, its date
      // may lie ahead: the period in which it is watched still counts.
      const alive = budgets.filter(({ createdAt }) => Math.min(createdAt, sinceMs) < span.endMs)
      const counters = listCounters(watched, records, { period, span })
      pages.push({ period, span, budgets: alive, counters, atMs })
    }
  }
  return pages
}

function listCounters(
  { rules }: Watched,
  records: readonly UsageRecord[],
  { period, span }: Pick<WantedPage, 'period' | 'span'>,
): readonly Budget[] {
  if (rules === null) return []
  const counters = new Map<string, Budget>()
  for (const { event, cost } of records) {
    if (cost.amount === 0n || !isWithin(span, event.endedAt) || event.status === 'denied') continue
    for (const rule of rules.find(event)) {
      const member = rule.period === period ? memberOf(rule.each, event) : null
      if (member === null) continue
      const id = counterIdOf(rule.id, member)
      if (!counters.has(id)) counters.set(id, toCounter(rule, member))
    }
  }
  return [...counters.values()]
}

export interface BatchCount {
  /** To be called for every record that is new to the store, in order. */
  add(record: UsageRecord): void
  /** What the calls raised, in order. */
  readonly alerts: readonly Alert[]
}

export function createBatchCount(
  { index }: Watched,
  pages: ReadonlyMap<BudgetPeriod, readonly PeriodCounters[]>,
): BatchCount {
  const alerts: Alert[] = []
  return {
    add(record) {
      // A free call changes no budget.
      if (record.cost.amount === 0n || !isForwarded(record)) return
      const { endedAt } = record.event
      for (const { id, period, each } of index.find(record.event)) {
        const page = pages.get(period)?.find(({ span }) => isWithin(span, endedAt))
        const member = memberOf(each, record.event)
        if (page === undefined || (member === null && each !== 'none')) continue
        // A rule's own count is what all its counters come to.
        for (const name of member === null ? [id] : [id, counterIdOf(id, member)]) {
          const tally = page.tallies.get(name)
          if (tally !== undefined) addToCounters(page, tally, { record, alerts })
        }
      }
    },
    alerts,
  }
}

/** What cannot be stored is refused later. */
function isForwarded({ event }: UsageRecord): boolean {
  return event.status !== 'denied' && isStorableEnd(event.endedAt)
}

function isWithin({ startMs, endMs }: BudgetSpan, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs
}
