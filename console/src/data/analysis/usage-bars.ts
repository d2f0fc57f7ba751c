// The days of an answer of /v1/usage as bars. The day of the answer itself is not over.

import { formatBucket, formatTick } from './interval.ts'
import type { UsageAnswer } from '../usage.ts'

export const DAY_COST = 'cost'

/** As ui/charts takes them. */
export interface DayBar {
  readonly id: string
  readonly label: string
  readonly tick: string
  readonly values: Readonly<Record<string, number>>
  readonly isPartial: boolean
}

export function toDayBars({ rows, asOf }: Pick<UsageAnswer, 'rows' | 'asOf'>): readonly DayBar[] {
  return rows.map(({ label: day, value }) => ({
    id: day,
    label: formatBucket(Date.parse(day), 'day'),
    tick: formatTick(Date.parse(day), 'day'),
    values: { [DAY_COST]: value },
    isPartial: asOf.startsWith(day),
  }))
}
