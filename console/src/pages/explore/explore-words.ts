// Explore's question in words, and what an answer leaves out.

import type { AnalysisAnswer, AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { toInnerFieldName } from '../../data/analysis/fields.ts'
import type { Interval } from '../../data/analysis/interval.ts'
import { MEASURE_NAMES, toMeasure } from '../../data/analysis/measures.ts'
import { describeRange } from '../../data/analysis/time-range.ts'
import { formatCounted } from '../../data/format-count.ts'
import { formatTime } from '../../data/format-time.ts'
import type { ExploreSearch } from './explore-search.ts'

const PER: Readonly<Record<Interval, string>> = {
  none: '',
  hour: ' per hour',
  day: ' per day',
  week: ' per week',
  month: ' per month',
}

export const POINT_NAMES: Readonly<Record<Interval, string>> = {
  none: 'Total',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
}

/** `Cost per day by model and team, last 30 days` */
export function describeQuestion(
  search: ExploreSearch,
  { order_by, interval, group_by, filter }: AnalysisQuestion,
  nowMs: number,
): string {
  const by = group_by.length === 0 ? '' : ` by ${group_by.map(toInnerFieldName).join(' and ')}`
  const range = describeRange(search, nowMs)
  const period = /^\d/.test(range) ? range : range.toLowerCase()
  const filtered = filter.length === 0 ? '' : ', filtered'
  return `${MEASURE_NAMES[toMeasure(order_by)]}${PER[interval]}${by}, ${period}${filtered}`
}

type LeftOut = Pick<AnalysisAnswer, 'other_groups' | 'complete_from'>

/** What a reader must know of the figures, a sentence each. */
export function listNotes(answer: LeftOut): readonly string[] {
  const { other_groups: others, complete_from: completeFrom } = answer
  return [
    ...(completeFrom === null
      ? []
      : [
          `Calls that ended before ${formatTime(completeFrom)} may be missing: they were removed by age before they were summed.`,
        ]),
    ...(others === 0
      ? []
      : [
          `Other has ${formatCounted(others, 'smaller group')} without a row; show more rows to see them.`,
        ]),
  ]
}

/** Of calls whose dimension or value was one too many of its month. */
export function describeCapped(capped: number): string {
  const isOne = capped === 1
  return `${formatCounted(capped, 'call')} ${isOne ? 'has' : 'have'} a dimension, or a value of one, beyond what a month keeps apart; ${isOne ? 'it is' : 'they are'} in Other.`
}

export function describeUnpriced(unpriced: number): string {
  const verb = unpriced === 1 ? 'has' : 'have'
  return `${formatCounted(unpriced, 'call')} ${verb} no known price: the cost is too low by ${unpriced === 1 ? 'its' : 'theirs'}.`
}
