// The span of an analysis and its buckets, UTC. Must stay true: only its arguments matter.

import type { AnalysisInterval } from '../../store/usage/analysis.ts'

/** Buckets times rows of one answer: some ten megabytes. */
export const ANALYSIS_POINTS_MAX = 20_000

export interface Span {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** 1970-01-05. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** The first moment of the next hour. */
export function endOfHour(timeMs: number): number {
  return (Math.floor(timeMs / HOUR_MS) + 1) * HOUR_MS
}

export function startOfMonth(timeMs: number): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1)
}

/** Where the buckets begin, and after them where the last one ends; null beyond so many. */
export function listBuckets(
  { fromMs, toMs }: Span,
  interval: Exclude<AnalysisInterval, 'none'>,
  bucketsMax: number,
): readonly number[] | null {
  const edges = [startOf(interval, fromMs)]
  for (let at = edges[0] as number; at < toMs; edges.push(at)) {
    if (edges.length > bucketsMax) return null
    at = nextAfter(interval, at)
  }
  return edges
}

function startOf(interval: Exclude<AnalysisInterval, 'none'>, timeMs: number): number {
  switch (interval) {
    case 'hour':
      return timeMs - (timeMs % HOUR_MS)
    case 'day':
      return timeMs - (timeMs % DAY_MS)
    case 'week':
      return timeMs - ((timeMs - FIRST_MONDAY_MS + WEEK_MS) % WEEK_MS)
    case 'month':
      return startOfMonth(timeMs)
  }
}

function nextAfter(interval: Exclude<AnalysisInterval, 'none'>, startMs: number): number {
  switch (interval) {
    case 'hour':
      return startMs + HOUR_MS
    case 'day':
      return startMs + DAY_MS
    case 'week':
      return startMs + WEEK_MS
    case 'month': {
      const start = new Date(startMs)
      return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)
    }
  }
}
