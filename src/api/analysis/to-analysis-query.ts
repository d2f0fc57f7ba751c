// From the parameters of GET /v1/analysis to a question. Must stay true: anything unexpected is
// refused, and no error repeats a value: it may be a secret sent by mistake.

import type { z } from 'zod'
import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { AnalysisInterval } from '../../store/usage/analysis.ts'
import { ANALYSIS_LIMIT_DEFAULT } from './analysis-contract.ts'
import type { analysisParametersSchema } from './analysis-contract.ts'
import { isByChange } from './analysis-orders.ts'
import type { AnalysisOrder, AskedField } from './analysis-orders.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { ANALYSIS_POINTS_MAX, endOfHour, listBuckets, startOfMonth } from './analysis-span.ts'
import type { Span } from './analysis-span.ts'
import { toComparedSpan } from './compared-span.ts'
import { parseFilters } from './parse-filters.ts'
import type { AskedFilter } from './parse-filters.ts'

export interface AnalysisQuery extends Span {
  readonly interval: AnalysisInterval
  readonly groupBy: readonly AskedField[]
  readonly filters: readonly AskedFilter[]
  readonly orderBy: AnalysisOrder
  readonly limit: number
  readonly offset: number
  /** In the values of groups, or the names of their ids; empty for all of them. */
  readonly search: string
  readonly hasLatencies: boolean
  readonly hasPrevious: boolean
  /** Whether the answer may name keys that it was not asked for. */
  readonly canNameKeys: boolean
}

/** Throws `invalid_parameter`. */
export function toAnalysisQuery(
  given: z.output<typeof analysisParametersSchema>,
  nowMs: number,
): AnalysisQuery {
  const span = toSpan(given, nowMs)
  const interval = given.interval ?? 'none'
  if (interval !== 'none' && listBuckets(span, interval, ANALYSIS_POINTS_MAX) === null) {
    throw invalidParameter(
      `This is more than ${ANALYSIS_POINTS_MAX} buckets. Take a longer interval, or a shorter span by from and to.`,
    )
  }
  const groupBy = given.group_by ?? []
  if (new Set(groupBy).size < groupBy.length) {
    throw invalidParameter('Parameter group_by is given twice with the same field; give it once.')
  }
  const hasPrevious = given.compare === 'previous'
  if (hasPrevious && toComparedSpan(span, nowMs).fromMs < 0) {
    throw invalidParameter(
      'Parameter compare needs a later from: nothing was recorded before 1970.',
    )
  }
  if (given.order_by !== undefined && isByChange(given.order_by) && !hasPrevious) {
    throw invalidParameter(`Parameter order_by ${given.order_by} needs compare=previous.`)
  }
  return {
    ...span,
    interval,
    groupBy,
    filters: parseFilters(given.filter ?? []),
    orderBy: given.order_by ?? 'cost',
    limit: given.limit ?? ANALYSIS_LIMIT_DEFAULT,
    offset: given.offset ?? 0,
    search: given.search ?? '',
    hasLatencies: given.latency ?? false,
    hasPrevious,
    canNameKeys: true,
  }
}

/** Groups by key or person reveal whose keys there are: they need a scope of their own. */
export function checkAnalysisScope(query: AnalysisQuery, caller: Caller): AnalysisQuery {
  requireFieldScope(query.groupBy, caller)
  return { ...query, canNameKeys: hasScope(caller, 'read:keys') }
}

export function requireFieldScope(groupBy: readonly AskedField[], caller: Caller): void {
  const field = groupBy.find((each) => each === 'api_key' || each === 'person')
  if (field === undefined || hasScope(caller, 'read:keys')) return
  throw new WeirError('scope_denied', `group_by ${field} needs a token with scope read:keys.`)
}

function toSpan(
  given: { from?: number | undefined; to?: number | undefined },
  nowMs: number,
): Span {
  const endMs = endOfHour(nowMs)
  const toMs = given.to ?? endMs
  const fromMs = given.from ?? startOfMonth(toMs - 1)
  if (fromMs >= toMs) {
    throw invalidParameter(
      'Parameter to must be after from: it is the first hour left out, and a date is its midnight.',
    )
  }
  if (fromMs >= endMs) {
    throw invalidParameter('Parameter from must not be in the future; it is UTC.')
  }
  return { fromMs, toMs }
}
