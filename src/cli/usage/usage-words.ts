// The headings of questions about usage, and the text when there is no answer.

import type { RepricedMonth } from '../../../client/weir-client.js'
import { formatUsd } from './usage-amounts.ts'
import type { UsageQuestion } from './usage-question.ts'
import type { Metric } from '../../api/contract.ts'
import { labelOf } from '../../core/usage-figures.ts'
import { toPrintable } from '../printable.ts'
import { formatMoment } from '../table.ts'

/** `Cost by model, month to date (2026-01)`. */
export function describeQuestion(question: UsageQuestion, asOf: string): string {
  const { metric = '', api_key: keyId } = question
  const ofKey = keyId === undefined ? '' : `, key ${keyId}`
  return `${labelOf(metric as Metric)}${describeGrouping(question)}, ${describeWindow(question, asOf)}${ofKey}`
}

function describeGrouping({ dimension, dim_key: key = '' }: UsageQuestion): string {
  switch (dimension) {
    case undefined:
      return ''
    case 'dim':
      return ` by ${key}`
    case 'dim_model':
      return ` by ${key} and model`
    case 'api_key':
      return ' by API key'
    default:
      return ` by ${dimension}`
  }
}

/** Days and months are UTC, of the snapshot. */
export function describeWindow(
  { window = '', month, months }: UsageQuestion,
  asOf: string,
): string {
  switch (window) {
    case 'today':
      return `today (${asOf.slice(0, 10)})`
    case 'month_to_date':
      return `month to date (${asOf.slice(0, 7)})`
    case 'month':
      return month ?? ''
    case 'monthly_series':
      return `the last ${months ?? 12} months`
    default:
      return window.replaceAll('_', ' ')
  }
}

/** A line for each month whose figure is not the one it once was. */
export function describeRepriced(
  months: readonly RepricedMonth[],
  { api_key: keyId }: UsageQuestion = {},
): string[] {
  const whole = keyId === undefined ? '' : ', of all keys together'
  return months.map(({ month, at, before_usd: before, after_usd: after }) => {
    const when = formatMoment(Date.parse(at))
    return `${month} was repriced on ${when}: ${formatUsd(before)} USD before, ${formatUsd(after)} USD after${whole}.`
  })
}

export function describeNothing({ dimension, dim_key: key = '', metric }: UsageQuestion): string {
  if (dimension === 'dim' || dimension === 'dim_model') {
    const tag = `${toPrintable(key)}=VALUE`
    return [
      `No call has the dimension ${toPrintable(key)}.`,
      `Callers send it in a header, X-SVC-Dims: ${tag}, or their key sets it: weir keys update ID --dim ${tag}`,
    ].join('\n')
  }
  if (metric !== 'cost_usd') return `No calls are on record.\n${FIRST_CALL}`
  return `No calls with a cost are on record.\n${FIRST_CALL}`
}

export const FIRST_CALL = 'Send calls through the proxy with a key: weir keys create --name NAME.'
