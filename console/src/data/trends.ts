// What keys or teams spent on each of the last days, for lists of them: one question for each page
// of the list, after the page itself.

import { useQueries } from '@tanstack/react-query'
import { analysisQuery } from './analysis/analysis.ts'
import type { AnalysisAnswer } from './analysis/analysis.ts'
import { DAY_MS, toHourText, toSpan } from './analysis/time-range.ts'

export const TREND_DAYS = 30

export interface TrendsOf {
  readonly field: 'api_key' | 'team'
  readonly pages: readonly { readonly rows: readonly { readonly id: string }[] }[]
  readonly days?: number
}

/** By id, a value for each day, none without calls. What has no answer yet is left out. */
export function useTrends({ field, pages, days = TREND_DAYS }: TrendsOf) {
  const { fromMs, toMs } = toSpan({ range: 'last_30_days' }, Date.now())
  const asked = pages.map(({ rows }) => rows).filter((rows) => rows.length > 0)
  const answers = useQueries({
    queries: asked.map((rows) =>
      analysisQuery({
        from: toHourText(fromMs - (days - TREND_DAYS) * DAY_MS),
        to: toHourText(toMs),
        interval: 'day',
        group_by: [field],
        filter: rows.map(({ id }) => `${field}=${id}`),
        order_by: 'cost',
        limit: rows.length,
      }),
    ),
  })
  const none = (rows: readonly { readonly id: string }[] = []) =>
    rows.map(({ id }) => [id, []] as const)
  return new Map<string, readonly number[]>(
    answers.flatMap(({ data }, place) =>
      data === undefined ? [] : [...none(asked[place]), ...toTrends(data)],
    ),
  )
}

export function toTrends({
  buckets,
  rows,
  series,
}: Pick<AnalysisAnswer, 'buckets' | 'rows' | 'series'>): (readonly [string, readonly number[]])[] {
  const trends = rows.map(() => buckets.map(() => 0))
  for (const { row, bucket, cost_usd: cost } of series) trends[row]?.splice(bucket, 1, cost)
  return rows.map(({ group }, row) => [group[0]?.value ?? '', trends[row] ?? []] as const)
}
