// This month by one field, for the first page: what costs most, what changed most, and the last 30
// days. Must stay true: each is what /v1/analysis answers at the same moment.

import { spanOf } from '../../core/budget.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { AnalysisAnswer, AnalysisQuestion } from '../../store/usage/analysis.ts'
import type { FigureSum } from '../analysis/analysis-figures.ts'
import { toStoredField } from '../analysis/analysis-orders.ts'
import type { AskedField } from '../analysis/analysis-orders.ts'
import { endOfHour, listBuckets } from '../analysis/analysis-span.ts'
import type { Span } from '../analysis/analysis-span.ts'
import { toComparedSpan } from '../analysis/compared-span.ts'
import { chooseRows, sumByRow } from '../analysis/choose-rows.ts'
import { toBuckets, toMember } from '../analysis/read-analysis.ts'
import type { Overview } from '../contract.ts'
import { toIso } from '../iso-time.ts'
import type { KnownNames } from '../known-names.ts'

/** As many as a chart can tell apart. */
const DAY_ROWS_MAX = 10
const ROWS_MAX = 8
const MOVERS_MAX = 3
const DAYS = 30
const DAY_MS = 86_400_000

type Breakdown = NonNullable<Overview['breakdown']>
type Group = Breakdown['rows'][number]

export interface GroupChoice {
  readonly groupBy: AskedField
  readonly names: KnownNames
}

/** The month, the days, as many days before, and what the month is compared with, if anything. */
export function listGroupQuestions(
  groupBy: AskedField,
  before: Span | null,
  nowMs: number,
): readonly AnalysisQuestion[] {
  const fields = [toStoredField(groupBy)]
  const asked = { interval: 'none', groupBy: fields, filters: [], hasLatencies: false } as const
  const { startMs, endMs } = spanOf('month', nowMs)
  return [
    // Nothing is to come yet, and a whole month has sums of its own.
    { ...asked, fromMs: startMs, toMs: endMs },
    { ...asked, ...toDays(nowMs), interval: 'day' },
    { ...asked, ...toDaysBefore(nowMs), interval: 'day' },
    ...(before === null ? [] : [{ ...asked, ...before }]),
  ]
}

export interface GroupAnswers {
  readonly month: AnalysisAnswer
  /** Null where its hours are gone, or where it began before Weir's first call. */
  readonly before: AnalysisAnswer | null
  readonly days: AnalysisAnswer | null
  /** Null where its hours are gone. */
  readonly daysBefore: AnalysisAnswer | null
}

export function toBreakdown(
  { groupBy, names }: GroupChoice,
  { month, before, ...last }: GroupAnswers,
  nowMs: number,
): Breakdown {
  const list = (orderBy: 'cost' | 'change', limit: number): readonly Group[] => {
    const chosen = chooseRows(month.sums, { orderBy, limit }, before?.sums)
    const earlier = sumByRow(before?.sums ?? [], chosen.otherPlaces, chosen.rows.length)
    return chosen.rows.flatMap(({ group: [member], figures }, row) =>
      member === undefined
        ? []
        : [
            {
              group: toMember(member, groupBy, names),
              cost_usd: toCost(figures),
              before_cost_usd: toCost(earlier[row] ?? null),
              unpriced: figures.unpriced,
            },
          ],
    )
  }
  const movers = list('change', MOVERS_MAX)
    .filter(
      ({ group, cost_usd: now, before_cost_usd: then }) => group.kind !== 'other' && now !== then,
    )
    .slice(0, MOVERS_MAX)
  return {
    group_by: groupBy,
    rows: list('cost', ROWS_MAX).filter(({ cost_usd: now }) => now !== null),
    movers: before === null ? null : [...movers],
    days: toDayGroups(last, { groupBy, names }, nowMs),
  }
}

/** Null without calls. */
function toCost(sum: FigureSum | null): number | null {
  return sum === null || sum.requests + sum.denials === 0 ? null : toAnswerUsd(sum.cost)
}

/** The days of /v1/usage. */
function toDays(nowMs: number): Span {
  const todayMs = nowMs - (nowMs % DAY_MS)
  return { fromMs: todayMs - (DAYS - 1) * DAY_MS, toMs: endOfHour(nowMs) }
}

function toDaysBefore(nowMs: number): Span {
  return toComparedSpan(toDays(nowMs), nowMs)
}

function toDayGroups(
  { days, daysBefore }: Pick<GroupAnswers, 'days' | 'daysBefore'>,
  { groupBy, names }: GroupChoice,
  nowMs: number,
): Breakdown['days'] {
  if (days === null) return null
  const earlier = daysBefore?.sums ?? []
  const choice = { orderBy: 'cost', limit: DAY_ROWS_MAX } as const
  const { rows, places, otherPlaces } = chooseRows(days.sums, choice, earlier)
  const toCosts = (sums: AnalysisAnswer['sums'], rowOf: readonly number[], span: Span) => {
    const edges = listBuckets(span, 'day', DAYS + 1) ?? []
    const buckets = toBuckets(edges, span, nowMs)
    const costs = buckets.map(() => rows.map(() => 0n))
    for (const [index, { bucketMs, figures }] of sums.entries()) {
      const [day, row] = [edges.indexOf(bucketMs ?? 0), rowOf[index] as number]
      const ofDay = costs[day]
      if (ofDay !== undefined) ofDay[row] = (ofDay[row] ?? 0n) + figures.cost
    }
    return { buckets, costs: costs.map((ofDay) => ofDay.map(toAnswerUsd)) }
  }
  const before = toDaysBefore(nowMs)
  return {
    ...toCosts(days.sums, places, toDays(nowMs)),
    groups: rows.flatMap(({ group: [member] }) =>
      member === undefined ? [] : [toMember(member, groupBy, names)],
    ),
    before:
      earlier.length === 0
        ? null
        : {
            from: toIso(before.fromMs),
            to: toIso(before.toMs),
            ...toCosts(earlier, otherPlaces, before),
          },
  }
}
