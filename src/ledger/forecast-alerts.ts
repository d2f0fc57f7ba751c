// Raises an alert for each budget expected to end its period above its limit. Must stay true: once
// per budget, period and limit, even after a kill: the store knows an alert by its id.

import type { Budget } from '../core/budget.ts'
import { toForecastAlert } from '../core/alerts/budget-alert.ts'
import type { SlugOf } from '../core/budget-index.ts'
import type { Clock } from '../core/clock.ts'
import { isRule } from '../core/budgets/each-budget.ts'
import { forecastSpend } from '../core/forecast.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'

export interface ForecastOptions {
  readonly store: Pick<LedgerStore, 'progress'>
  readonly slugOf: SlugOf
  readonly clock: Clock
}

export interface ForecastAlerts {
  /** `hasChanged`: spend or budgets may have changed. Almost free when nothing is due. */
  judge(budgets: readonly Budget[], options: { readonly hasChanged: boolean }): Promise<void>
}

/** A change is checked within a second, the mere passing of time within a minute. */
const CHANGED_MS = 1000
const UNCHANGED_MS = 60_000
/** Counters are many: in between only those that changed are looked at. */
const WHOLE_MS = 600_000
/** Alerts remembered as raised; beyond it they go to the store again, which ignores them. */
const RAISED_MAX = 10_000

export function createForecastAlerts({ store, slugOf, clock }: ForecastOptions): ForecastAlerts {
  const raised = new Set<string>()
  let judgedAt = -Infinity
  let isWaiting = false
  let counted = { rules: '', moment: 0, wholeAt: -Infinity }

  /** Each budget with what it spent; of rules, the counters. */
  async function readSpends(budgets: readonly Budget[], nowMs: number) {
    const states = store.progress.budgets
    const [rules, own] = [budgets.filter(isRule), budgets.filter((budget) => !isRule(budget))]
    const spends = await states.readSpend(own, { slugOf, nowMs })
    const plain = own.flatMap((counter, place) => {
      const spend = spends[place]
      return spend === undefined ? [] : [{ counter, spend }]
    })
    if (rules.length === 0) return { spends: plain, next: counted }
    const names = rules.map(({ id, version }) => `${id} ${version}`).join()
    const isWhole = names !== counted.rules || clock.monotonic() - counted.wholeAt >= WHOLE_MS
    const since = isWhole ? null : counted.moment
    const { moment, counters } = await states.readCounters(rules, { slugOf, nowMs, since })
    const wholeAt = isWhole ? clock.monotonic() : counted.wholeAt
    return { spends: [...plain, ...counters], next: { rules: names, moment, wholeAt } }
  }

  async function raise(budgets: readonly Budget[]): Promise<void> {
    const at = clock.now()
    const { spends, next } = await readSpends(budgets, at)
    const alerts = spends.flatMap(({ counter: budget, spend: { span, sinceMs, spent } }) => {
      if (spent >= budget.limit) return []
      const forecast = forecastSpend({ spent, span, sinceMs, nowMs: at })
      if (forecast === null || forecast < budget.limit) return []
      return [toForecastAlert(budget, { span, spent, forecast, at })]
    })
    const fresh = alerts.filter(({ id }) => !raised.has(id))
    if (fresh.length > 0) await store.progress.outbox.add(fresh)
    counted = next
    if (raised.size > RAISED_MAX) raised.clear()
    for (const { id } of fresh) raised.add(id)
  }

  return {
    async judge(budgets, { hasChanged }) {
      isWaiting ||= hasChanged
      if (clock.monotonic() - judgedAt < (isWaiting ? CHANGED_MS : UNCHANGED_MS)) return
      const long = budgets.filter(({ period }) => period !== 'day')
      if (long.length > 0) await raise(long)
      judgedAt = clock.monotonic()
      isWaiting = false
    },
  }
}
