// The days of an answer of /v1/usage as bars. The day of the answer itself is not over.

import { formatBucket, formatTick } from './interval.ts'
import type { UsageAnswer } from '../usage.ts'

export const DAY_COST = 'cost'

export function toDayBars({ rows, asOf }: Pick<UsageAnswer, 'rows' | 'asOf'>) {
  return rows.map(({ label: day, value }) => ({
    id: day,
    label: formatBucket(Date.parse(day), 'day'),
    tick: formatTick(Date.parse(day), 'day'),
    values: { [DAY_COST]: value },
    isPartial: asOf.startsWith(day),
  }))
}
