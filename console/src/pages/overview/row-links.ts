// Where a row of Overview links to: the calls or figures that it is made of. Must stay
// true: the link shows the same time and the same key as the row.

import type { UsageRow } from '../../../../src/api/contract.ts'
import { toMonthBefore } from '../../data/month-before.ts'
import { toHref } from '../../data/search-values.ts'
import type { UsageQuestion } from '../../data/usage.ts'

const DAY_MS = 86_400_000
/** The API's label for calls that name none: there is nothing to filter by. */
const UNKNOWN_LABEL = 'unknown'

interface Span {
  readonly from?: string
  readonly to?: string
}

export interface LinkedRow {
  readonly question: UsageQuestion
  readonly row: Pick<UsageRow, 'label' | 'model'>
  readonly asOf: string
}

/** Undefined where there is nothing behind the row. */
export function toRowHref({ question, row, asOf }: LinkedRow): string | undefined {
  const { dimension, dim_key, api_key } = question
  const { label } = row
  const calls = { ...toSpan(question, asOf), api_key }
  switch (dimension) {
    case undefined:
      return toHref('/requests', calls)
    case 'day':
      return toHref('/requests', { from: label, to: toDay(label, 1), api_key })
    case 'provider':
      return toHref('/requests', { ...calls, provider: label })
    case 'model':
      return label === UNKNOWN_LABEL ? undefined : toHref('/requests', { ...calls, model: label })
    case 'api_key':
      return label === UNKNOWN_LABEL ? undefined : `/keys/${encodeURIComponent(label)}`
    case 'dim':
      return toHref('/requests', { ...calls, dim_key, dim_value: label })
    case 'dim_model': {
      const model = row.model === UNKNOWN_LABEL ? undefined : (row.model ?? undefined)
      return toHref('/requests', { ...calls, dim_key, dim_value: label, model })
    }
  }
}

/** The days of a window, without the last one; no end while the window is still running. */
export function toSpan({ window, month = '' }: UsageQuestion, asOf: string): Span {
  const today = asOf.slice(0, 10)
  const thisMonth = asOf.slice(0, 7)
  switch (window) {
    case 'today':
      return { from: today }
    case 'yesterday':
      return { from: toDay(today, -1), to: today }
    case 'last_7_days':
      return { from: toDay(today, -6) }
    case 'last_30_days':
      return { from: toDay(today, -29) }
    case 'month_to_date':
      return { from: `${thisMonth}-01` }
    case 'last_month':
      return { from: `${toMonthBefore(asOf)}-01`, to: `${thisMonth}-01` }
    case 'month':
      return { from: `${month}-01`, to: `${toMonthBefore(month, -1)}-01` }
    case 'monthly_series':
      return {}
  }
}

function toDay(day: string, away: number): string {
  return new Date(Date.parse(day) + away * DAY_MS).toISOString().slice(0, 10)
}
