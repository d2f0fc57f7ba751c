// The questions that GET /v1/usage answers. Imports types only: the console is built with it.

import type { FigureMetric } from '../../core/usage-figures.ts'

export const METRICS = ['cost_usd', 'requests', 'tokens'] as const satisfies readonly FigureMetric[]
export const DIMENSIONS = ['provider', 'model', 'api_key', 'dim', 'dim_model', 'day'] as const
export const WINDOWS = [
  'month_to_date',
  'last_month',
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'month',
  'monthly_series',
] as const

export type Metric = (typeof METRICS)[number]
export type Dimension = (typeof DIMENSIONS)[number]
export type UsageWindow = (typeof WINDOWS)[number]

export interface CatalogueRow {
  readonly metric: Metric
  /** Null for a total. */
  readonly dimension: Dimension | null
  readonly windows: readonly UsageWindow[]
}

export const CATALOGUE: readonly CatalogueRow[] = [
  {
    metric: 'cost_usd',
    dimension: null,
    windows: ['month_to_date', 'last_month', 'today', 'yesterday', 'month'],
  },
  {
    metric: 'cost_usd',
    dimension: 'provider',
    windows: ['month_to_date', 'today', 'month', 'monthly_series'],
  },
  {
    metric: 'cost_usd',
    dimension: 'model',
    windows: ['month_to_date', 'month'],
  },
  {
    metric: 'cost_usd',
    dimension: 'api_key',
    windows: ['month_to_date', 'today', 'month'],
  },
  {
    metric: 'cost_usd',
    dimension: 'dim',
    windows: ['month_to_date', 'month'],
  },
  {
    metric: 'cost_usd',
    dimension: 'dim_model',
    windows: ['month_to_date', 'month'],
  },
  {
    metric: 'cost_usd',
    dimension: 'day',
    windows: ['last_7_days', 'last_30_days'],
  },
  {
    metric: 'requests',
    dimension: null,
    windows: ['today', 'month_to_date'],
  },
  {
    metric: 'tokens',
    dimension: null,
    windows: ['month_to_date'],
  },
]
