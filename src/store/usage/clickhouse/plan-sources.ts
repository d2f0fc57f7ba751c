// What an analysis question is answered from: whole months from the kept sums and from the calls
// that are not in them yet, anything else from the calls. Must stay true: every call that counts
// and ended in the span is in one source, once.

import type { AnalysisQuestion } from '../analysis.ts'
import { listRanges } from '../sql/period-ranges.ts'
import type { CountedBatches } from '../../ledger/call-batches.ts'
import { toEnded } from './current-calls.ts'
import { hasFields, isCounting } from './kept-sums.ts'
import type { KeptSums } from './kept-sums.ts'
import { toBatchCondition, toConditionSince } from './batch-condition.ts'
import type { SumSource } from './select-sums.ts'

export interface AnalysisSnapshot {
  readonly batches: CountedBatches
  /** Calls that ended before it may have been removed. */
  readonly keptFromMs: number
  /** Null where only the calls are to be read. */
  readonly kept: KeptSums | null
}

export interface PlannedSources {
  readonly sources: readonly SumSource[]
  /** Calls that ended before it may be missing; null where none is. */
  readonly completeFromMs: number | null
}

export function planSources(
  question: AnalysisQuestion,
  { batches, keptFromMs, kept }: AnalysisSnapshot,
): PlannedSources {
  const { fromMs, toMs } = question
  const fromCalls = (span: { readonly fromMs: number; readonly toMs: number }): SumSource => ({
    table: 'calls',
    where: `${toBatchCondition(batches)} AND ${toEnded(span.fromMs, span.toMs)}`,
  })
  if (kept === null || toMs <= fromMs || !hasFields(kept, question)) {
    const completeFromMs = fromMs < keptFromMs ? keptFromMs : null
    return { sources: [fromCalls({ fromMs, toMs })], completeFromMs }
  }
  // A source each, as an index finds few rows by one condition, and all of them by either of two.
  const sources: SumSource[] = []
  let completeFromMs: number | null = null
  for (const range of listRanges(question)) {
    const sinceMs = range.isHours ? keptFromMs : kept.fromMs
    if (range.fromMs < sinceMs) completeFromMs = Math.max(sinceMs, completeFromMs ?? sinceMs)
    if (range.isHours) {
      sources.push(fromCalls(range))
      continue
    }
    const months = `month BETWEEN ${range.from} AND ${range.to}`
    const since = toConditionSince(kept.of, batches)
    if (since !== null) sources.push({ table: 'calls', where: `${since} AND ${months}` })
    sources.push({ table: 'month_sums', where: `${isCounting(kept)} AND ${months}` })
  }
  return { sources, completeFromMs }
}
