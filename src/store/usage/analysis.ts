// The analysis question: sums of calls over any hours, by up to two fields, filtered by any. Must
// stay true: the sums of an answer add up to its total, and all of it is from one moment.

import type { Money } from '../../core/money.ts'
import type { CallSight } from '../../core/teams/sight.ts'

export const ANALYSIS_INTERVALS = ['none', 'hour', 'day', 'week', 'month'] as const
export type AnalysisInterval = (typeof ANALYSIS_INTERVALS)[number]

export const PLAIN_FIELDS = ['provider', 'creator', 'model', 'api_key', 'status', 'source'] as const
/** The creator is the leading segment of a gateway's model: `anthropic` of `anthropic/claude`. */
export type AnalysisField = (typeof PLAIN_FIELDS)[number] | `dim:${string}`

/** New names of dimensions that one key may bring to the sums of a month, and all keys together. */
export const DIMS_PER_KEY_MAX = 64
export const DIMS_PER_MONTH_MAX = 256
/** The same of the values of one dimension. What comes later is `other`. */
export const DIM_VALUES_PER_KEY_MAX = 10_000
export const DIM_VALUES_PER_MONTH_MAX = 40_000
/** How many keys an answer names whose calls are beyond that. */
export const CAPPED_KEYS_MAX = 3
/** What one question may answer with; beyond it the question is refused. */
export const ANALYSIS_SUMS_MAX = 100_000

/**
 * none   the calls have no such value: untagged, without a model, without a key
 * other  there were too many names or values to keep theirs apart
 */
export type AnalysisValue =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'other' }

export interface AnalysisFilter {
  readonly field: AnalysisField
  readonly isExcluding: boolean
  /** Null stands for calls without a value. */
  readonly values: readonly (string | null)[]
}

export interface AnalysisQuestion {
  /** A whole hour. Calls belong to the hour in which they ended. */
  readonly fromMs: number
  /** Exclusive; it may cut an hour. */
  readonly toMs: number
  readonly interval: AnalysisInterval
  readonly groupBy: readonly AnalysisField[]
  /** A call must pass all of them. */
  readonly filters: readonly AnalysisFilter[]
  /** Only calls that are seen so; left out: all. */
  readonly sight?: CallSight
  /** Without it there are no latencies; it is faster. */
  readonly hasLatencies: boolean
}

/** First bytes are of streamed calls alone; the whole time of the others is the last. */
export const LATENCY_KINDS = ['firstByteMs', 'totalMs', 'ownMicros', 'unstreamedMs'] as const
export type LatencyKind = (typeof LATENCY_KINDS)[number]

/** Counts of calls by bucket, see latency-buckets.ts. */
export type LatencyCounts = ReadonlyMap<number, number>

export interface AnalysisFigures {
  readonly cost: Money
  readonly marketCost: Money
  /** Forwarded calls. Denied ones are in `denials` and in no other figure. */
  readonly requests: number
  readonly errors: number
  readonly denials: number
  readonly unpriced: number
  /** The tokens of these are estimated, or known in part. */
  readonly estimated: number
  /** Calls with tokens read from a cache. */
  readonly cached: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly inputAudioTokens: number
  readonly inputImageTokens: number
  readonly reasoningTokens: number
  readonly outputAudioTokens: number
  readonly outputImageTokens: number
  /** Of delivered calls whose tokens are known: how long they took, and what they put out. */
  readonly timedMs: number
  readonly timedOutputTokens: number
  readonly latencies: Readonly<Record<LatencyKind, LatencyCounts>>
}

export interface AnalysisSum {
  /** When its hour, day, week (from Monday) or month begins; null without an interval. */
  readonly bucketMs: number | null
  /** One for each field of `groupBy`. */
  readonly groups: readonly AnalysisValue[]
  readonly figures: AnalysisFigures
}

export interface AnalysisAnswer {
  /** Unordered; groups without calls are absent. */
  readonly sums: readonly AnalysisSum[]
  readonly total: AnalysisFigures
  /** Of the total: calls with a dimension, or a value of one, that is not kept apart. */
  readonly capped: number
  /** The keys of those calls, the one with the most first; at most CAPPED_KEYS_MAX. */
  readonly cappedKeys: readonly string[]
  /** Calls that ended before it may be missing; null where none is. */
  readonly completeFromMs: number | null
  /** Where the sums end: as asked for, or with the hour, if one that is cut has too many calls. */
  readonly toMs: number
}
