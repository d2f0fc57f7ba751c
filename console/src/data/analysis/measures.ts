// The figures that rows are measured and ordered by.

import { ANALYSIS_MEASURES, toFigureName } from '../../../../src/api/analysis/analysis-orders.ts'
import type { AnalysisMeasure } from '../../../../src/api/analysis/analysis-orders.ts'
import { formatCount, formatShortCount } from '../format-count.ts'
import { formatShortUsd, formatUsd } from '../format-usd.ts'
import type { Figures } from './analysis.ts'

export type Measure = AnalysisMeasure
export const MEASURES = ANALYSIS_MEASURES
export { toMeasure } from '../../../../src/api/analysis/analysis-orders.ts'

export const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  cost: 'Cost',
  market_cost: 'List price',
  requests: 'Requests',
  tokens: 'Tokens',
  errors: 'Errors',
  denials: 'Denied calls',
  unpriced: 'Unpriced calls',
}

/** Where the name alone leaves a question. */
export const MEASURE_HELP: Partial<Readonly<Record<Measure, string>>> = {
  market_cost: 'What it would have cost at the provider’s list price',
  denials: 'Refused by Weir; in no other figure',
  unpriced: 'Counted with a cost of 0 until they have a price',
}

export function isMoney(measure: Measure): boolean {
  return measure === 'cost' || measure === 'market_cost'
}

export function toFigure(figures: Figures, measure: Measure): number {
  return figures[toFigureName(measure)]
}

export function formatMeasure(measure: Measure, value: number): string {
  return isMoney(measure) ? formatUsd(value) : formatCount(value)
}

/** For an axis. */
export function formatShortMeasure(measure: Measure, value: number): string {
  return isMoney(measure) ? formatShortUsd(value) : formatShortCount(value)
}
