// From the parameters of GET /v1/usage to a question. Anything unexpected is refused. Must stay
// true: no error repeats a value: it may be a secret sent by mistake.

import type { z } from 'zod'
import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { WeirError } from '../../core/weir-error.ts'
import { CATALOGUE } from './catalogue.ts'
import { LIMIT_DEFAULT, MONTHS_DEFAULT, usageParametersSchema } from './usage-contract.ts'
import type { CatalogueRow, Dimension, Metric, UsageWindow } from '../contract.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { parseParameters } from '../parse-parameters.ts'
import { toMonth } from './windows.ts'

export interface UsageQuery {
  readonly metric: Metric
  readonly window: UsageWindow
  readonly dimension: Dimension | null
  readonly dimKey: string | null
  readonly month: string | null
  readonly months: number | null
  readonly limit: number
  /** Null for all keys. */
  readonly keyId: string | null
}

type Parameters = z.output<typeof usageParametersSchema>

/** Throws `invalid_parameter`, then `unknown_catalog_tuple`. */
export function parseUsageQuery(search: URLSearchParams, nowMs: number): UsageQuery {
  return toUsageQuery(parseParameters(search, usageParametersSchema), nowMs)
}

/** Throws as above. */
export function toUsageQuery(parameters: Parameters, nowMs: number): UsageQuery {
  checkTogether(parameters, nowMs)
  const query: UsageQuery = {
    metric: parameters.metric,
    window: parameters.window,
    dimension: parameters.dimension ?? null,
    dimKey: parameters.dim_key ?? null,
    month: parameters.month ?? null,
    months: parameters.window === 'monthly_series' ? (parameters.months ?? MONTHS_DEFAULT) : null,
    limit: parameters.limit ?? LIMIT_DEFAULT,
    keyId: parameters.api_key ?? null,
  }
  checkCatalogue(query)
  return query
}

/** A breakdown by key reveals which keys exist: it needs its own scope. */
export function checkQueryScope(query: UsageQuery, caller: Caller): void {
  if (query.dimension === 'api_key' && !hasScope(caller, 'read:keys')) {
    throw new WeirError('scope_denied', 'Dimension api_key needs a token with scope read:keys.')
  }
}

function checkTogether(given: Parameters, nowMs: number): void {
  const isByDim = given.dimension === 'dim' || given.dimension === 'dim_model'
  requireTogether(given.dim_key, {
    name: 'dim_key',
    isWanted: isByDim,
    belongsTo: 'dimension dim or dim_model',
  })
  requireTogether(given.month, {
    name: 'month',
    isWanted: given.window === 'month',
    belongsTo: 'window month',
  })
  if (given.months !== undefined && given.window !== 'monthly_series') {
    throw notPart('months', 'window monthly_series')
  }
  if (given.api_key !== undefined && given.metric !== 'cost_usd') {
    throw notPart('api_key', 'metric cost_usd')
  }
  const current = toMonth(nowMs)
  if (given.month !== undefined && given.month > current) {
    throw invalidParameter(`Parameter month must not be after the current month, ${current} (UTC).`)
  }
}

interface Companion {
  readonly name: string
  /** Whether the rest of the query needs it. */
  readonly isWanted: boolean
  readonly belongsTo: string
}

function requireTogether(value: string | undefined, companion: Companion): void {
  const { name, isWanted, belongsTo } = companion
  if (value !== undefined && !isWanted) throw notPart(name, belongsTo)
  if (value === undefined && isWanted) {
    throw invalidParameter(`A parameter is missing: ${name} is required with ${belongsTo}.`)
  }
}

function checkCatalogue(query: UsageQuery): void {
  const isServed = CATALOGUE.some(
    (row) =>
      row.metric === query.metric &&
      row.dimension === query.dimension &&
      row.windows.includes(query.window),
  )
  if (isServed) return
  const served = CATALOGUE.map(describeRow)
  throw new WeirError(
    'unknown_catalog_tuple',
    `This combination of metric, dimension and window is not served. There are: ${served.join('; ')}.`,
  )
}

/** `cost_usd by model over month_to_date, month`; a total says `without dimension`. */
export function describeRow(row: CatalogueRow): string {
  const grouping = row.dimension === null ? 'without dimension' : `by ${row.dimension}`
  return `${row.metric} ${grouping} over ${row.windows.join(', ')}`
}

function notPart(name: string, belongsTo: string): WeirError {
  return invalidParameter(`Parameter ${name} is no part of this query: it goes with ${belongsTo}.`)
}
