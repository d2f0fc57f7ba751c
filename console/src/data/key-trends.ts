// What keys spent on each of the last 30 days, for the list of keys: one question for each page of
// it, after the page itself.

import { useQueries } from '@tanstack/react-query'
import type { KeyPage } from '../../../src/api/contract.ts'
import { analysisQuery } from './analysis/analysis.ts'
import type { AnalysisAnswer } from './analysis/analysis.ts'
import { toHourText, toSpan } from './analysis/time-range.ts'

/** By the id of a key, a value for each day. A key whose answer is not there yet is left out. */
export function useKeyTrends(pages: readonly Pick<KeyPage, 'rows'>[]) {
  const { fromMs, toMs } = toSpan({ range: 'last_30_days' }, Date.now())
  const answers = useQueries({
    queries: pages
      .filter(({ rows }) => rows.length > 0)
      .map(({ rows }) =>
        analysisQuery({
          from: toHourText(fromMs),
          to: toHourText(toMs),
          interval: 'day',
          group_by: ['api_key'],
          filter: rows.map(({ id }) => `api_key=${id}`),
          order_by: 'cost',
          limit: rows.length,
        }),
      ),
  })
  return new Map(answers.flatMap(({ data }) => (data === undefined ? [] : toTrends(data))))
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
