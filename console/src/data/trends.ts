// What keys or teams spent on each of the last days, for lists of them: one question for each page
// of the list, after the page itself.

import { useQueries } from '@tanstack/react-query'
import { analysisQuery } from './analysis/analysis.ts'
import type { AnalysisAnswer } from './analysis/analysis.ts'
import { toHourText, toSpan } from './analysis/time-range.ts'
import type { RangePreset } from './analysis/time-range.ts'

export interface TrendsOf {
  readonly field: 'api_key' | 'team'
  readonly pages: readonly { readonly rows: readonly { readonly id: string }[] }[]
}

function useAnswers({ field, pages }: TrendsOf, range: RangePreset, interval: 'day' | 'none') {
  const { fromMs, toMs } = toSpan({ range }, Date.now())
  const asked = pages.map(({ rows }) => rows).filter((rows) => rows.length > 0)
  const answers = useQueries({
    queries: asked.map((rows) =>
      analysisQuery({
        from: toHourText(fromMs),
        to: toHourText(toMs),
        interval,
        group_by: [field],
        filter: rows.map(({ id }) => `${field}=${id}`),
        order_by: 'cost',
        limit: rows.length,
      }),
    ),
  })
  return { asked, answers }
}

/** By id, what each spent this month, UTC. What has no answer yet is left out. */
export function useMonthCosts(of: TrendsOf): ReadonlyMap<string, number> {
  const { asked, answers } = useAnswers(of, 'this_month', 'none')
  return new Map(
    answers.flatMap(({ data }, place) =>
      data === undefined
        ? []
        : [
            ...(asked[place] ?? []).map(({ id }) => [id, 0] as const),
            ...data.rows.map((row) => [row.group[0]?.value ?? '', row.cost_usd] as const),
          ],
    ),
  )
}

/** By id, a value for each day, none without calls. What has no answer yet is left out. */
export function useTrends(of: TrendsOf) {
  const { asked, answers } = useAnswers(of, 'last_30_days', 'day')
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
