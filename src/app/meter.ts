// Counts in memory what the rooms report; samples of several processes are summed. Must stay true:
// reporting never fails, never waits, and takes a bounded amount of memory.

import { METRICS } from '../core/telemetry.ts'
import type { CountedName, GaugeName, HistogramName, MetricName } from '../core/telemetry.ts'
import type { HistogramSeries, Meter, Series } from '../core/telemetry.ts'

export interface MetricSample {
  readonly metric: MetricName
  readonly labels: readonly string[]
  /** Of a histogram: the sum of what was observed. */
  readonly value: number
  /** Of a histogram: how many fell into each bucket, and last how many into none. */
  readonly buckets?: readonly number[]
}

export interface CountingMeter extends Meter {
  samples(): MetricSample[]
}

/** Labels come from fixed lists (providers, codes), so this bound is never reached normally. */
export const SERIES_MAX = 2000
const SEPARATOR = '\u0000'

class CountedSeries implements Series {
  readonly #metric: CountedName
  readonly #labels: readonly string[]
  value = 0

  constructor(metric: CountedName, labels: readonly string[]) {
    this.#metric = metric
    this.#labels = labels
  }

  add(amount: number): void {
    this.value += amount
  }

  take(sample: MetricSample): void {
    this.value += sample.value
  }

  sample(): MetricSample {
    return { metric: this.#metric, labels: this.#labels, value: this.value }
  }
}

class BucketSeries implements HistogramSeries {
  readonly #metric: HistogramName
  readonly #labels: readonly string[]
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0

  constructor(metric: HistogramName, labels: readonly string[]) {
    this.#metric = metric
    this.#labels = labels
    this.#bounds = METRICS[metric].buckets
    this.#counts = new Float64Array(this.#bounds.length + 1)
  }

  observe(value: number): void {
    // Anything but a number would spoil the sum, and a falling sum looks like a restart.
    if (!Number.isFinite(value)) return
    const known = value > 0 ? value : 0
    const bounds = this.#bounds
    let at = 0
    while (at < bounds.length && known > (bounds[at] as number)) at += 1
    this.#counts[at] = (this.#counts[at] as number) + 1
    this.#sum += known
  }

  take({ value, buckets = [] }: MetricSample): void {
    for (const [at, count] of buckets.entries()) {
      this.#counts[at] = (this.#counts[at] as number) + count
    }
    this.#sum += value
  }

  sample(): MetricSample {
    const buckets = Array.from(this.#counts)
    return { metric: this.#metric, labels: this.#labels, value: this.#sum, buckets }
  }
}

type AnySeries = CountedSeries | BucketSeries

class SeriesMeter implements CountingMeter {
  readonly #series = new Map<string, AnySeries>()
  /** Kept apart from the others: it must count when there is no place left. */
  readonly #dropped = new CountedSeries('seriesDropped', [])

  add(metric: CountedName, amount: number, ...labels: readonly string[]): void {
    this.#find(metric, labels).add(amount)
  }

  set(metric: GaugeName, value: number): void {
    this.#find(metric, []).value = value
  }

  counter(metric: CountedName, ...labels: readonly string[]): Series {
    return this.#find(metric, labels)
  }

  histogram(metric: HistogramName, ...labels: readonly string[]): HistogramSeries {
    return this.#find(metric, labels)
  }

  take(sample: MetricSample): void {
    this.#find(sample.metric, sample.labels).take(sample)
  }

  samples(): MetricSample[] {
    const samples = Array.from(this.#series.values(), (series) => series.sample())
    if (this.#dropped.value > 0) samples.push(this.#dropped.sample())
    return samples
  }

  #find(metric: CountedName, labels: readonly string[]): CountedSeries
  #find(metric: HistogramName, labels: readonly string[]): BucketSeries
  #find(metric: MetricName, labels: readonly string[]): AnySeries
  #find(metric: MetricName, labels: readonly string[]): AnySeries {
    if (metric === 'seriesDropped') return this.#dropped
    const key = labels.length === 0 ? metric : [metric, ...labels].join(SEPARATOR)
    const found = this.#series.get(key)
    if (found !== undefined) return found
    const created = createSeries(metric, labels)
    // One too many is still returned, but its figures are never read.
    if (this.#series.size >= SERIES_MAX) this.#dropped.add(1)
    else this.#series.set(key, created)
    return created
  }
}

function createSeries(metric: MetricName, labels: readonly string[]): AnySeries {
  return isHistogram(metric) ? new BucketSeries(metric, labels) : new CountedSeries(metric, labels)
}

function isHistogram(metric: MetricName): metric is HistogramName {
  return METRICS[metric].kind === 'histogram'
}

export function createMeter(): CountingMeter {
  return new SeriesMeter()
}

export function mergeSamples(groups: Iterable<readonly MetricSample[]>): MetricSample[] {
  const sum = new SeriesMeter()
  for (const samples of groups) for (const sample of samples) sum.take(sample)
  return sum.samples()
}

/** What remains of a process that ended: what it counted stays counted, gauges end with it. */
export function countersOf(samples: readonly MetricSample[]): MetricSample[] {
  return samples.filter((sample) => METRICS[sample.metric].kind !== 'gauge')
}
