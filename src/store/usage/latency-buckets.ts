// Times as counts in buckets that each reach 15 % further than the one before, so that sums can be
// added and still have percentiles. Must stay true: a percentile is within LATENCY_ERROR of the
// call's own time.

import type { LatencyCounts } from './analysis.ts'

const GROWTH = 1.15
const LOG_GROWTH = Math.log(GROWTH)
/** The last bucket begins at twelve hours in milliseconds, or 44 seconds in microseconds. */
export const LATENCY_BUCKETS = 128

/** From the middle of a bucket to its ends. */
export const LATENCY_ERROR: number = Math.sqrt(GROWTH) - 1

/** Bucket 0 is below one. */
export function toLatencyBucket(time: number): number {
  if (!(time >= 1)) return 0
  return Math.min(1 + Math.floor(Math.log(time) / LOG_GROWTH), LATENCY_BUCKETS - 1)
}

/** The time below which that share of the calls were; null without a call. */
export function readPercentile(counts: LatencyCounts, share: number): number | null {
  let calls = 0
  for (const count of counts.values()) calls += count
  if (calls <= 0) return null
  // The smallest time that at least the share of the calls do not exceed.
  let left = Math.max(1, Math.ceil(share * calls))
  for (const bucket of [...counts.keys()].toSorted((one, other) => one - other)) {
    left -= counts.get(bucket) ?? 0
    if (left <= 0) return fromLatencyBucket(bucket)
  }
  return null
}

function fromLatencyBucket(bucket: number): number {
  return bucket === 0 ? 0 : GROWTH ** (bucket - 0.5)
}
