// The names of the parts of a question, and the explanations of those that do not fit together.

import type { Metric, UsageWindow } from '../../../../src/api/contract.ts'
import { labelOf } from '../../../../src/core/usage-figures.ts'
import { windowsOf } from './explore-catalogue.ts'
import type { Grouping } from './explore-catalogue.ts'
import { MONTHS_DEFAULT } from './explore-question.ts'
import { formatMonth } from '../../data/format-time.ts'
import type { UsageQuestion } from '../../data/usage.ts'

export const GROUPING_NAMES: Readonly<Record<Grouping, string>> = {
  total: 'Total',
  provider: 'Provider',
  model: 'Model',
  api_key: 'API key',
  dim: 'Dimension',
  dim_model: 'Dimension and model',
  day: 'Day',
}

export const WINDOW_NAMES: Readonly<Record<UsageWindow, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  last_7_days: 'Last 7 days',
  last_30_days: 'Last 30 days',
  month_to_date: 'This month so far',
  last_month: 'Last month',
  month: 'One month',
  monthly_series: 'Month by month',
}

/** `Cost by team and model, October 2026` */
export function describeQuestion(question: UsageQuestion): string {
  const ofKey = question.api_key === undefined ? '' : ', one key'
  return `${labelOf(question.metric)}${describeGrouping(question)}, ${describeWindow(question)}${ofKey}`
}

function describeGrouping({ dimension, dim_key: key = 'dimension' }: UsageQuestion): string {
  switch (dimension) {
    case undefined:
      return ''
    case 'dim':
      return ` by ${key}`
    case 'dim_model':
      return ` by ${key} and model`
    case 'api_key':
      return ' by API key'
    case 'provider':
    case 'model':
    case 'day':
      return ` by ${dimension}`
  }
}

function describeWindow({ window, month = '', months = MONTHS_DEFAULT }: UsageQuestion): string {
  if (window === 'month') return formatMonth(`${month}-01`)
  if (window === 'monthly_series') return months === 1 ? 'this month' : `the last ${months} months`
  return WINDOW_NAMES[window].toLowerCase()
}

/** Why an answer has no rows, and what to do. */
export function describeNothing({ dim_key: key }: UsageQuestion): string {
  if (key === undefined) return 'No calls with a cost in this period. Choose another period.'
  return `No call in this period has the dimension ${key}. Callers send it in a header: X-SVC-Dims: ${key}=…`
}

/** Why some groupings cannot be chosen; null where all can. */
export function explainGroupings(metric: Metric): string | null {
  if (metric === 'cost_usd') return null
  return `${labelOf(metric)} are only available as a total. To group by dimension or model, choose Cost.`
}

/** Why some windows cannot be chosen. */
export function explainWindows(metric: Metric, grouping: Grouping): string {
  const names = windowsOf(metric, grouping).map((window) =>
    WINDOW_NAMES[window].toLowerCase().replace(/^last (?=\d)/, 'the last '),
  )
  const subject =
    grouping === 'total'
      ? `The total of ${labelOf(metric).toLowerCase()}`
      : `${labelOf(metric)} by ${GROUPING_NAMES[grouping].replace(/^[DMP]/, (letter) => letter.toLowerCase())}`
  return `${subject} is available for ${new Intl.ListFormat('en-GB').format(names)}.`
}

/** What the first column of the rows is. */
export function toRowName({ dimension, window, dim_key: key }: UsageQuestion): string {
  if (window === 'monthly_series') return 'Provider'
  if (dimension === 'dim' || dimension === 'dim_model') return key ?? 'Dimension'
  return GROUPING_NAMES[dimension ?? 'total']
}
