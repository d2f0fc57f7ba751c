// The rest of the console's first page. Must stay true: it agrees with /v1/usage and budgets.

import { spanOf } from '../../core/budget.ts'
import { forecastSpend } from '../../core/forecast.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { UsageKnowledge } from '../../core/usage-event.ts'
import type { LedgerBook } from '../../store/ledger/ledger-book.ts'
import type { Period, UsageGrouping, UsageStore, UsageSum } from '../../store/usage/usage-store.ts'
import type { Overview } from '../contract.ts'
import { toDay, toMonth, toPeriod } from './windows.ts'

/** Callers choose dimension names: there may be more than a person can pick from. */
export const DIM_KEYS_MAX = 100

const DAY_MS = 86_400_000
const NO_WINDOW = { month: null, months: null } as const
/** The provider did not state the usage of the whole call. */
const ESTIMATED: ReadonlySet<string | null> = new Set<UsageKnowledge>(['estimated', 'partial'])

export interface OverviewSources {
  readonly usage: Pick<UsageStore, 'sum'>
  readonly ledgerBook: Pick<LedgerBook, 'readState'>
}

export async function readOverview(
  { usage, ledgerBook }: OverviewSources,
  nowMs: number,
): Promise<Overview> {
  const month = toPeriod({ ...NO_WINDOW, window: 'month_to_date' }, nowMs)
  const both = toPeriod({ window: 'monthly_series', month: null, months: 2 }, nowMs)
  const sum = (period: Period, grouping: UsageGrouping): Promise<readonly UsageSum[]> =>
    usage.sum({ period, grouping, keyId: null })
  const [total] = await sum(month, { by: 'total' })
  const [lastMonth] = await sum(toLastMonthSameDay(nowMs), { by: 'total' })
  const unpriced = total?.unpriced ?? 0
  const models = unpriced === 0 ? [] : await sum(month, { by: 'model' })
  const known = await sum(month, { by: 'usage' })
  const dims = await sum(both, { by: 'dim_key' })
  const forecast = forecastMonth(total?.cost ?? 0n, nowMs)
  const hasCalls = total !== undefined || lastMonth !== undefined
  return {
    asOf: new Date(nowMs).toISOString(),
    has_calls: hasCalls || (await ledgerBook.readState()).tally.recorded > 0,
    last_month_same_day_usd: toAnswerUsd(lastMonth?.cost ?? 0n),
    forecast_usd: forecast === null ? null : toAnswerUsd(forecast),
    unpriced_requests: unpriced,
    unpriced_models: models.filter((model) => model.unpriced > 0).length,
    estimated_requests: countRequests(known.filter(({ label }) => ESTIMATED.has(label))),
    dim_keys: toMostUsed(dims),
  }
}

function forecastMonth(spent: Money, nowMs: number): Money | null {
  return forecastSpend({ spent, span: spanOf('month', nowMs), nowMs })
}

/** From last month's first day to today's day of the month, or to its last day. */
export function toLastMonthSameDay(nowMs: number): Period {
  const { startMs } = spanOf('month', nowMs)
  const before = spanOf('month', startMs - 1)
  const todayMs = before.startMs + (nowMs - startMs)
  const lastMs = Math.min(todayMs, before.endMs - DAY_MS)
  return { grain: 'day', from: `${toMonth(before.startMs)}-01`, to: toDay(lastMs) }
}

function countRequests(sums: readonly UsageSum[]): number {
  return sums.reduce((count, { requests }) => count + requests, 0)
}

function toMostUsed(dims: readonly UsageSum[]): string[] {
  const byUse = dims.toSorted(
    (one, other) =>
      other.requests - one.requests || ((one.label ?? '') < (other.label ?? '') ? -1 : 1),
  )
  return byUse.slice(0, DIM_KEYS_MAX).flatMap(({ label }) => (label === null ? [] : [label]))
}
