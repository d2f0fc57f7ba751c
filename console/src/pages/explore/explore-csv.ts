// How the file of an answer is called. Its lines are those that `weir analyze --csv` prints.

import type { AnalysisAnswer } from '../../data/analysis/analysis.ts'

/** `weir-cost-by-model-2026-11-01-to-2026-11-17.csv` */
export function toCsvName({ group_by, from, to }: AnalysisAnswer, measure: string): string {
  const by = group_by.length === 0 ? [] : ['by', ...group_by]
  const parts = ['weir', measure, ...by, from.slice(0, 10), 'to', to.slice(0, 10)]
  return `${parts.join('-').replaceAll(/[^\w.-]/g, '_')}.csv`
}
