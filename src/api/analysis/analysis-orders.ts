// What the groups of GET /v1/analysis can be ordered by. Imports nothing: the console is built
// with it.

export const ANALYSIS_ORDERS = [
  'cost',
  'market_cost',
  'requests',
  'tokens',
  'errors',
  'denials',
  'unpriced',
] as const

export type AnalysisOrder = (typeof ANALYSIS_ORDERS)[number]
