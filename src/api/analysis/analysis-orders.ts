// What the groups of GET /v1/analysis can be measured and ordered by. Imports nothing: the console
// is built with it.

export const ANALYSIS_MEASURES = [
  'cost',
  'market_cost',
  'requests',
  'tokens',
  'errors',
  'denials',
  'unpriced',
] as const

export type AnalysisMeasure = (typeof ANALYSIS_MEASURES)[number]

/** By change: what the cost rose or fell by, in money. */
export const ANALYSIS_ORDERS = [...ANALYSIS_MEASURES, 'change'] as const

export type AnalysisOrder = (typeof ANALYSIS_ORDERS)[number]
