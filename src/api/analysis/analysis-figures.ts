// Figures of an analysis: adding them up, and how they are shown. Must stay true: money and counts
// are added exactly, and rounded only when they are shown.

import { toAnswerUsd } from '../../core/money.ts'
import { LATENCY_KINDS } from '../../store/usage/analysis.ts'
import type { AnalysisFigures, LatencyCounts, LatencyKind } from '../../store/usage/analysis.ts'
import { readPercentile } from '../../store/usage/latency-buckets.ts'
import type { AnalysisFiguresAnswer } from './analysis-contract.ts'
import type { AnalysisMeasure } from './analysis-orders.ts'

type CountName = Exclude<keyof AnalysisFigures, 'cost' | 'marketCost' | 'latencies'>
type Counts = Record<CountName, number>

/** Grows as figures are added. */
export interface FigureSum extends Counts {
  cost: bigint
  marketCost: bigint
  readonly latencies: Readonly<Record<LatencyKind, Map<number, number>>>
}

const NO_COUNTS: Readonly<Counts> = {
  requests: 0,
  errors: 0,
  denials: 0,
  unpriced: 0,
  estimated: 0,
  cached: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  inputAudioTokens: 0,
  inputImageTokens: 0,
  reasoningTokens: 0,
  outputAudioTokens: 0,
  outputImageTokens: 0,
  timedMs: 0,
  timedOutputTokens: 0,
}
const COUNT_NAMES = Object.keys(NO_COUNTS) as readonly CountName[]

/** More would claim to know more than the buckets of latencies do. */
const LATENCY_DIGITS = 3

export function createFigureSum(): FigureSum {
  const latencies = {
    firstByteMs: new Map(),
    totalMs: new Map(),
    ownMicros: new Map(),
    unstreamedMs: new Map(),
  }
  return { cost: 0n, marketCost: 0n, ...NO_COUNTS, latencies }
}

export function addToSum(sum: FigureSum, figures: AnalysisFigures): void {
  sum.cost += figures.cost
  sum.marketCost += figures.marketCost
  for (const name of COUNT_NAMES) sum[name] += figures[name]
  for (const kind of LATENCY_KINDS) {
    const added = figures.latencies[kind]
    // Most questions ask for no times, and there may be a hundred thousand sums.
    if (added.size === 0) continue
    const counts = sum.latencies[kind]
    for (const [bucket, count] of added) {
      counts.set(bucket, (counts.get(bucket) ?? 0) + count)
    }
  }
}

/** Money in its smallest unit, or a count: integers compare exactly. */
export function amountOf(figures: AnalysisFigures, measure: AnalysisMeasure): bigint {
  switch (measure) {
    case 'cost':
      return figures.cost
    case 'market_cost':
      return figures.marketCost
    case 'tokens':
      return BigInt(figures.inputTokens + figures.outputTokens)
    case 'requests':
    case 'errors':
    case 'denials':
    case 'unpriced':
      return BigInt(figures[measure])
  }
}

export function toAnswerFigures(figures: AnalysisFigures): AnalysisFiguresAnswer {
  const { inputTokens, outputTokens, cacheReadTokens, latencies } = figures
  return {
    cost_usd: toAnswerUsd(figures.cost),
    market_cost_usd: toAnswerUsd(figures.marketCost),
    requests: figures.requests,
    errors: figures.errors,
    denials: figures.denials,
    unpriced: figures.unpriced,
    estimated: figures.estimated,
    cached: figures.cached,
    cache_hit_share: inputTokens === 0 ? null : cacheReadTokens / inputTokens,
    tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: figures.cacheWriteTokens,
    input_audio_tokens: figures.inputAudioTokens,
    input_image_tokens: figures.inputImageTokens,
    reasoning_tokens: figures.reasoningTokens,
    output_audio_tokens: figures.outputAudioTokens,
    output_image_tokens: figures.outputImageTokens,
    output_tokens_per_second:
      figures.timedMs === 0 ? null : (figures.timedOutputTokens * 1000) / figures.timedMs,
    first_byte_ms: toPercentiles(latencies.firstByteMs),
    total_ms: toPercentiles(latencies.totalMs),
    own_us: toPercentiles(latencies.ownMicros),
    unstreamed_ms: toPercentiles(latencies.unstreamedMs),
  }
}

function toPercentiles(counts: LatencyCounts): AnalysisFiguresAnswer['total_ms'] {
  const at = (share: number): number | null => {
    const time = readPercentile(counts, share)
    return time === null ? null : Number(time.toPrecision(LATENCY_DIGITS))
  }
  const [p50, p95, p99] = [at(0.5), at(0.95), at(0.99)]
  return p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 }
}
