// A budget in words. Must stay true: a forecast is never shown as if it were spent, and there is
// none while it is too early.

import type { BudgetRow } from '../../../../src/api/contract.ts'
import { formatCounted } from '../../data/format-count.ts'
import { formatShortTime } from '../../data/format-time.ts'
import { formatUsd } from '../../data/format-usd.ts'

export type BudgetPeriod = BudgetRow['period']

const RHYTHMS: Readonly<Record<BudgetPeriod, string>> = {
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
}

/** `All calls`, `Key Batch jobs`, `team = search`. */
export function toScopeWords(scope: string, keyNames: ReadonlyMap<string, string>): string {
  if (scope === 'global') return 'All calls'
  const at = scope.indexOf('=')
  const kind = scope.slice(0, at)
  const value = scope.slice(at + 1)
  if (kind === 'api_key') return value === '…' ? 'One key' : `Key ${keyNames.get(value) ?? value}`
  if (kind === 'provider') return `Provider ${value}`
  if (kind === 'model') return `Models ${value}`
  return `${kind.slice('dim:'.length)} = ${value}`
}

export function toResetWords({ period, period_end: end }: BudgetRow): string {
  return `${RHYTHMS[period]}, resets ${formatShortTime(end)}`
}

interface BudgetCourse {
  readonly tone: 'good' | 'warning' | 'bad'
  readonly text: string
}

/** The forecast; null while it is too early. */
export function toCourse(budget: BudgetRow): BudgetCourse | null {
  const { forecast_usd: forecast, limit_usd: limit, is_exceeded: isExceeded } = budget
  if (isExceeded) {
    const over = budget.spent_usd - limit
    const text = over > 0 ? `Over the limit by ${formatUsd(over)}` : 'The limit is reached'
    return { tone: 'bad', text }
  }
  if (forecast === null) return null
  const { forecast_from: from } = budget
  const isLate = from !== null && from !== budget.period_start
  const pace = isLate ? `, at the pace since ${formatShortTime(from)}` : ''
  const text = `Forecast ${formatUsd(forecast)} of ${formatUsd(limit)}${pace}`
  return { tone: forecast >= limit ? 'warning' : 'good', text }
}

const UNKNOWN_COST = 'counted for calls of unknown cost until it is known.'

/** What is running, for a budget that blocks; else null. */
export function toRunningWords(budget: BudgetRow): string | null {
  const { running_calls: calls, reserved_usd: reserved, overshoot_max_usd: overshoot } = budget
  if (calls === null || reserved === null || overshoot === null) return null
  const { unknown_cost_usd: amount } = budget
  const unknown = amount ? ` ${formatUsd(amount)} ${UNKNOWN_COST}` : ''
  if (calls === 0) return `No calls are running.${unknown}`
  return (
    `${formatCounted(calls, 'call')} running, expected to cost up to ` +
    `${formatUsd(reserved)}. At most ${formatUsd(overshoot)} can be spent beyond the limit.${unknown}`
  )
}

export interface BudgetMark {
  readonly percent: number
  /** Where on the bar, in percent of its width. */
  readonly at: number
  readonly isReached: boolean
  /** Whether it lies beyond the end of the bar, where it is drawn. */
  readonly isBeyond: boolean
  /** False where its label would overlap the next. */
  readonly isLabelled: boolean
}

export interface BudgetBar {
  /** In percent of the bar's width, as below. */
  readonly spent: number
  /** Where the forecast ends; null where there is none. */
  readonly forecast: number | null
  readonly limit: number
  readonly marks: readonly BudgetMark[]
}

/** How far spend, forecast and thresholds may stretch the bars, so that all keep their room. */
const STRETCH_PERCENT_MAX = 150
/** What a label takes of the narrowest bar. */
const LABEL_PERCENT = 13

type BarFigures = Pick<BudgetRow, 'spent_percent' | 'forecast_usd' | 'limit_usd' | 'thresholds'>

/** Where the bars of all these end, in percent of their limits: on one scale they compare. */
export function toBarEnd(budgets: readonly BarFigures[]): number {
  const ends = budgets.map(({ spent_percent: spent, thresholds, ...budget }) =>
    Math.min(Math.max(spent, toForecastPercent(budget) ?? 0, ...thresholds), STRETCH_PERCENT_MAX),
  )
  return Math.ceil(Math.max(100, ...ends))
}

export function toScaleWords(end: number): string {
  return end === 100
    ? 'Each bar ends at the limit of its budget.'
    : `Each bar goes from 0 to ${end} % of the limit of its budget; the line is the limit.`
}

function toForecastPercent(budget: Pick<BudgetRow, 'forecast_usd' | 'limit_usd'>): number | null {
  const { forecast_usd: forecast, limit_usd: limit } = budget
  return forecast === null ? null : (forecast / limit) * 100
}

/** `end`: of `toBarEnd`, for all bars that are shown together. */
export function toBudgetBar(budget: BarFigures, end: number): BudgetBar {
  const { spent_percent: spent, thresholds } = budget
  const forecast = toForecastPercent(budget)
  const place = (percent: number): number => Math.min(percent / end, 1) * 100
  return {
    spent: place(spent),
    forecast: forecast === null || place(forecast) <= place(spent) ? null : place(forecast),
    limit: place(100),
    marks: toMarks(
      thresholds.map((percent) => ({
        percent,
        at: place(percent),
        isReached: spent >= percent,
        isBeyond: percent > end,
      })),
    ),
  }
}

/** The higher of two that are too close has the label. */
function toMarks(marks: readonly Omit<BudgetMark, 'isLabelled'>[]): readonly BudgetMark[] {
  let nextAt = Number.POSITIVE_INFINITY
  return marks
    .toReversed()
    .map((mark) => {
      const isLabelled = nextAt - mark.at >= LABEL_PERCENT
      if (isLabelled) nextAt = mark.at
      return { ...mark, isLabelled }
    })
    .toReversed()
}
