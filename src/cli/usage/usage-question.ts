// From the options of `weir usage` to a question of GET /v1/usage, which is validated there.

import { option } from '../command.ts'
import type { CommandInput } from '../command.ts'
import { readQuery, toOptions } from '../query-options.ts'

/** The parameters of GET /v1/usage, by name. */
export type UsageQuestion = Readonly<Record<string, string>>

const PARAMETERS = {
  metric: option('METRIC', 'cost_usd, requests or tokens (default: cost_usd)'),
  dimension: option(
    'DIMENSION',
    'one row per provider, model, api_key, dim, dim_model or day (default: the total)',
  ),
  dim_key: option('KEY', 'which dimension, with dim and dim_model'),
  window: option(
    'WINDOW',
    'month_to_date, last_month, today, yesterday, last_7_days, last_30_days, month or monthly_series',
  ),
  month: option('YYYY-MM', 'this month; implies --window month'),
  months: option('N', 'that many months by provider; implies --window monthly_series'),
  limit: option('N', 'at most that many rows (default: 5)'),
  api_key: option('ID', 'only the calls of this key'),
} as const

export const QUESTION_OPTIONS = toOptions(PARAMETERS)

/** Null without options. */
export function parseQuestion(input: CommandInput): UsageQuestion | null {
  const given = readQuery(input, Object.keys(PARAMETERS)) as UsageQuestion
  return Object.keys(given).length === 0 ? null : completeQuestion(given)
}

export function completeQuestion(given: UsageQuestion): UsageQuestion {
  const isSeries = given['months'] !== undefined || given['window'] === 'monthly_series'
  const dimension = given['dimension'] ?? (isSeries ? 'provider' : undefined)
  return {
    metric: 'cost_usd',
    window: defaultWindow(given, isSeries),
    ...given,
    ...(dimension === undefined ? {} : { dimension }),
  }
}

function defaultWindow(given: UsageQuestion, isSeries: boolean): string {
  if (isSeries) return 'monthly_series'
  if (given['month'] !== undefined) return 'month'
  return given['dimension'] === 'day' ? 'last_30_days' : 'month_to_date'
}
