// The rows of an answer as points over time, for a chart. Series are ordered by their sum, which
// changes slowly, so that each keeps its colour.

import type { UsageRow } from '../../../src/api/contract.ts'
import { formatDay, formatMonth } from './format-time.ts'

/** As ui/trend-chart.tsx takes them. */
export interface Trend {
  readonly series: readonly { readonly id: string; readonly label: string }[]
  readonly points: readonly {
    readonly label: string
    readonly values: Readonly<Record<string, number>>
  }[]
}

/** Callers' names must not collide with names that the chart uses itself. */
const toSeriesId = (place: number): string => `series-${place}`

/** One series, a point for each day. */
export function toDayTrend(rows: readonly UsageRow[], label: string): Trend {
  const id = toSeriesId(0)
  return {
    series: [{ id, label }],
    points: rows.map((row) => ({ label: formatDay(row.label), values: { [id]: row.value } })),
  }
}

/** The largest first. */
export function toLabelsBySum(rows: readonly UsageRow[]): string[] {
  const sums = new Map<string, number>()
  for (const { label, value } of rows) sums.set(label, (sums.get(label) ?? 0) + value)
  return [...sums].toSorted(([, one], [, other]) => other - one).map(([label]) => label)
}

/** A series for each label, a point for each month. */
export function toMonthTrend(rows: readonly UsageRow[]): Trend {
  const labels = toLabelsBySum(rows)
  const ids = new Map(labels.map((label, place) => [label, toSeriesId(place)]))
  const points = new Map<string, Record<string, number>>()
  for (const { label, bucket, value } of rows) {
    const values = points.get(bucket ?? '') ?? {}
    values[ids.get(label) ?? ''] = value
    points.set(bucket ?? '', values)
  }
  return {
    series: labels.map((label, place) => ({ id: toSeriesId(place), label })),
    points: [...points].map(([bucket, values]) => ({
      label: formatMonth(bucket),
      values,
    })),
  }
}
