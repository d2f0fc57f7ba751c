// The sums of each bucket over all its rows. Percentiles of rows cannot be added up, so they are
// worked out here, from the counts.

import type { AnalysisSum } from '../../store/usage/analysis.ts'
import type { Analysis } from './analysis-contract.ts'
import { addToSum, createFigureSum, toAnswerFigures } from './analysis-figures.ts'
import type { FigureSum } from './analysis-figures.ts'

/** `starts` are those of the buckets, in order. Buckets without calls are left out. */
export function toBucketTotals(
  sums: readonly AnalysisSum[],
  starts: readonly number[],
): Analysis['bucket_totals'] {
  const totals = new Map<number, FigureSum>()
  for (const { bucketMs, figures } of sums) {
    if (bucketMs === null) continue
    const total = totals.get(bucketMs) ?? createFigureSum()
    addToSum(total, figures)
    totals.set(bucketMs, total)
  }
  return starts.flatMap((startMs, bucket) => {
    const total = totals.get(startMs)
    return total === undefined ? [] : [{ bucket, ...toAnswerFigures(total) }]
  })
}
