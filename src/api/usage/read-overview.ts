// The console's first page, and what `weir usage` shows at a glance. Must stay true: everything in
// it is of one moment, and agrees with /v1/usage and budgets.

import { spanOf } from '../../core/budget.ts'
import { forecastSpend } from '../../core/forecast.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { UsageKnowledge } from '../../core/usage-event.ts'
import { factNameOf } from '../../core/teams/team.ts'
import type { Period, UsageQuestion, UsageStore, UsageSum } from '../../store/usage/usage-store.ts'
import type { AskedField } from '../analysis/analysis-orders.ts'
import type { Overview } from '../contract.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import { toComparison, toMonthPair } from './overview-comparison.ts'
import { listFigures, toFigures } from './overview-figures.ts'
import { listGroupQuestions, toBreakdown } from './overview-groups.ts'
import type { GroupChoice } from './overview-groups.ts'
import { askRepriced } from './repriced.ts'
import { toDay, toMonth, toPeriod } from './windows.ts'

/** Callers choose dimension names: there may be more than a person can pick from. */
export const DIM_KEYS_MAX = 100

const DAY_MS = 86_400_000
const NO_WINDOW = { month: null, months: null } as const
/** The provider did not state the usage of the whole call. */
const ESTIMATED: ReadonlySet<string | null> = new Set<UsageKnowledge>(['estimated', 'partial'])

export interface OverviewChoice {
  /** Null for the dimension that most calls carry. */
  readonly dimKey: string | null
  readonly groupBy: AskedField
  /** Whether the reader may see which keys there are. */
  readonly hasKeys: boolean
}

export async function readOverview(
  usage: Pick<UsageStore, 'sum' | 'readSnapshot' | 'readFirstCallAt'>,
  { names, ...choice }: OverviewChoice & Pick<GroupChoice, 'names'>,
  nowMs: number,
): Promise<Overview> {
  const dimKey = choice.dimKey ?? (await readDimKeys(usage, nowMs))[0] ?? null
  const figures = listFigures({ ...choice, dimKey }, nowMs)
  const firstCallMs = await usage.readFirstCallAt()
  const changes = await askRepriced(usage, toLastMonths(nowMs))
  const pair = toMonthPair(nowMs, firstCallMs)
  const {
    sums: all,
    unknown = [],
    ...answers
  } = await usage.readSnapshot({
    questions: [
      changes.repriced,
      changes.costs,
      ...listRest(nowMs),
      listDims(nowMs),
      ...figures.questions,
    ],
    spans: [...changes.spans, ...(pair?.wholeDays ?? [])],
    analyses: listGroupQuestions(choice.groupBy, pair?.earlier ?? null, nowMs),
  })
  const since = answers.costs.slice(0, changes.spans.length)
  const ofDays = answers.costs.slice(changes.spans.length)
  const found = all.map((sums, place) => (unknown.includes(place) ? undefined : sums))
  const [repriced, costs, month, lastMonth, known, models, dims, ...sums] = found
  const [groups = null, days = null, daysBefore = null, before = null] = answers.analyses
  const [total] = month ?? []
  const spent = total?.cost ?? 0n
  const span = spanOf('month', nowMs)
  const forecast = forecastSpend({ spent, span, sinceMs: firstCallMs ?? nowMs, nowMs })
  // A change says nothing of groups while calls of the time before are not on record.
  const compared = pair?.recordedFromMs === null ? before : null
  return {
    asOf: toIso(nowMs),
    has_calls: total !== undefined || (lastMonth ?? []).length > 0,
    first_call_at: toIsoOrNull(firstCallMs),
    comparison: pair === null ? null : toComparison(pair, { month: spent, before, ofDays }),
    last_month_same_day_usd: lastMonth === undefined ? null : toAnswerUsd(lastMonth[0]?.cost ?? 0n),
    forecast_usd: forecast === null ? null : toAnswerUsd(forecast),
    unpriced_requests: total?.unpriced ?? 0,
    unpriced_models: (models ?? []).filter(({ unpriced }) => unpriced > 0).length,
    estimated_requests: countRequests(known?.filter(({ label }) => ESTIMATED.has(label)) ?? []),
    dim_keys: toMostUsed(dims ?? []),
    repriced: changes.toAnswer({ repriced, costs, since }),
    figures: toFigures(figures, sums, nowMs),
    breakdown:
      groups === null
        ? null
        : toBreakdown(
            { ...choice, names },
            { month: groups, before: compared, days, daysBefore },
            nowMs,
          ),
  }
}

/** The month, last month's same days, how usage is known, the models. */
function listRest(nowMs: number): readonly UsageQuestion[] {
  const month = toPeriod({ ...NO_WINDOW, window: 'month_to_date' }, nowMs)
  const ask = (period: Period, by: 'total' | 'usage' | 'model'): UsageQuestion => ({
    period,
    grouping: { by },
    keyId: null,
  })
  return [
    ask(month, 'total'),
    ask(toLastMonthSameDay(nowMs), 'total'),
    ask(month, 'usage'),
    ask(month, 'model'),
  ]
}

/** This month and the last. */
function toLastMonths(nowMs: number): Period {
  return toPeriod({ window: 'monthly_series', month: null, months: 2 }, nowMs)
}

/** Dimensions that calls of this or last month carry, most used first. */
export async function readDimKeys(
  usage: Pick<UsageStore, 'sum'>,
  nowMs: number,
): Promise<readonly string[]> {
  return toMostUsed(await usage.sum(listDims(nowMs)))
}

function listDims(nowMs: number): UsageQuestion {
  return { period: toLastMonths(nowMs), grouping: { by: 'dim_key' }, keyId: null }
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
  const given = dims.filter(({ label }) => label !== null && factNameOf(label) === null)
  const byUse = given.toSorted(
    (one, other) =>
      other.requests - one.requests || ((one.label ?? '') < (other.label ?? '') ? -1 : 1),
  )
  return byUse.slice(0, DIM_KEYS_MAX).flatMap(({ label }) => (label === null ? [] : [label]))
}
