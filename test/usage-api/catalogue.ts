// The supported combinations as the specification's table has them, written out: not read from the
// program.

export interface Combination {
  readonly metric: string
  readonly dimension: string | undefined
  readonly windows: readonly string[]
}

export const CATALOGUE: readonly Combination[] = [
  {
    metric: 'cost_usd',
    dimension: undefined,
    windows: ['month_to_date', 'last_month', 'today', 'yesterday', 'month'],
  },
  {
    metric: 'cost_usd',
    dimension: 'provider',
    windows: ['month_to_date', 'today', 'month', 'monthly_series'],
  },
  { metric: 'cost_usd', dimension: 'model', windows: ['month_to_date', 'month'] },
  { metric: 'cost_usd', dimension: 'api_key', windows: ['month_to_date', 'today', 'month'] },
  { metric: 'cost_usd', dimension: 'dim', windows: ['month_to_date', 'month'] },
  { metric: 'cost_usd', dimension: 'dim_model', windows: ['month_to_date', 'month'] },
  { metric: 'cost_usd', dimension: 'day', windows: ['last_7_days', 'last_30_days'] },
  { metric: 'requests', dimension: undefined, windows: ['today', 'month_to_date'] },
  { metric: 'tokens', dimension: undefined, windows: ['month_to_date'] },
]
