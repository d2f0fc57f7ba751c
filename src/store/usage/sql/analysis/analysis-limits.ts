// What an analysis question may not ask of the stored sums: hours that are gone, or too many rows.

import { WeirError } from '../../../../core/weir-error.ts'
import type { AnalysisQuestion } from '../../analysis.ts'
import type { PeriodRange } from '../period-ranges.ts'
import { toHourStart } from './cut-hour.ts'

/** Rows of parts that one question may read: about a second's work. */
export const PART_ROWS_READ_MAX = 6_000_000

export function requireHours(
  { toMs }: AnalysisQuestion,
  ranges: readonly PeriodRange[],
  keptFromMs: number,
): void {
  const isGone = ranges.some(({ isHours, fromMs }) => isHours && fromMs < keptFromMs)
  const isCutGone = toHourStart(toMs) < Math.min(toMs, keptFromMs)
  if (!isGone && !isCutGone) return
  const day = new Date(keptFromMs).toISOString().slice(0, 10)
  throw new WeirError(
    'invalid_parameter',
    `Sums by hour are kept as long as the calls are, since ${day}. Begin there or later; or ask for whole months, with interval month or none.`,
  )
}

export function requireFew({ interval }: AnalysisQuestion, rows: number, rowsMax: number): void {
  if (rows <= rowsMax) return
  const isByMonth = interval === 'none' || interval === 'month'
  const remedy = isByMonth ? 'a shorter span' : 'a shorter span, or whole months by month'
  throw new WeirError('invalid_parameter', `The answer would take too long. Ask for ${remedy}.`)
}
