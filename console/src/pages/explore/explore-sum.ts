// The sum of an answer's rows, in a sentence. Must stay true: rows that are not all of it are not
// called all of it.

import { isMoneyMetric } from '../../../../src/core/usage-figures.ts'
import { isBreakdown } from './explore-catalogue.ts'
import { LIMIT_DEFAULT } from './explore-question.ts'
import { formatCount, formatShare } from '../../data/format-count.ts'
import { formatUsd } from '../../data/format-usd.ts'
import type { UsageAnswer, UsageQuestion } from '../../data/usage.ts'

export interface SummedAnswer {
  readonly question: UsageQuestion
  readonly answer: Pick<UsageAnswer, 'rows'> | undefined
  /** What the rows are a part of; null where they are none, or it is not known yet. */
  readonly whole: number | null
}

const PLAIN = 'Days and months are UTC.'
/** Rows are rounded one by one, to a billionth. */
const ROUNDING_USD = 1e-6

export function describeSum({ question, answer, whole }: SummedAnswer): string {
  const { dimension, metric, window, dim_key: key } = question
  if (answer === undefined || dimension === undefined) return PLAIN
  const sum = answer.rows.reduce((total, { value }) => total + value, 0)
  const format = isMoneyMetric(metric) ? formatUsd : formatCount
  if (!isBreakdown(dimension) || window === 'monthly_series') return `${format(sum)} in total, UTC.`
  if (whole === null || answer.rows.length === 0) return PLAIN
  const isAll = sum >= whole - ROUNDING_USD
  const isCut = answer.rows.length >= (question.limit ?? LIMIT_DEFAULT)
  const others = [
    isCut ? 'smaller ones' : [],
    key === undefined ? [] : `calls without ${key}`,
  ].flat()
  if (isAll || others.length === 0) return `${format(sum)}, which is all of it. ${PLAIN}`
  return `${format(sum)}, ${formatShare(sum / whole)} of ${format(whole)}; the rest is ${others.join(' and ')}.`
}
