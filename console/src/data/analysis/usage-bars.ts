// The days of an answer of /v1/usage as bars. The day of the answer itself is not over.

import { formatBucket, formatTick } from './interval.ts'
import type { UsageAnswer } from '../usage.ts'

export const DAY_COST = 'cost'

interface Days {
  readonly rows: readonly Pick<UsageAnswer['rows'][number], 'label' | 'value'>[]
  readonly asOf: string
}

export function toDayBars({ rows, asOf }: Days) {
  return rows.map(({ label: day, value }) => ({
    id: day,
    label: formatBucket(Date.parse(day), 'day'),
    tick: formatTick(Date.parse(day), 'day'),
    values: { [DAY_COST]: value },
    isPartial: asOf.startsWith(day),
  }))
}
