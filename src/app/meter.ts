// Counts in memory what the rooms report. Processes hand their figures on as samples, which are summed.

import { METRICS } from '../core/telemetry.ts'
import type { Meter, MetricName } from '../core/telemetry.ts'

export interface MetricSample {
  readonly metric: MetricName
  readonly labels: readonly string[]
  readonly value: number
}

export interface CountingMeter extends Meter {
  samples(): MetricSample[]
}

/** Labels come from fixed lists (providers, codes), so this bound is never met in good order. */
const SERIES_MAX = 2000
const SEPARATOR = '\u0000'

export function createMeter(): CountingMeter {
  const values = new Map<string, number>()
  const put = (
    metric: MetricName,
    labels: readonly string[],
    change: (old: number) => number,
  ): void => {
    const key = labels.length === 0 ? metric : [metric, ...labels].join(SEPARATOR)
    const old = values.get(key)
    if (old === undefined && values.size >= SERIES_MAX) return
    values.set(key, change(old ?? 0))
  }
  return {
    add: (metric, amount, ...labels) => put(metric, labels, (old) => old + amount),
    set: (metric, value) => put(metric, [], () => value),
    samples: () =>
      [...values].map(([key, value]) => {
        const [metric, ...labels] = key.split(SEPARATOR)
        return { metric: metric as MetricName, labels, value }
      }),
  }
}

/** Sums samples of the same series. */
export function mergeSamples(groups: Iterable<readonly MetricSample[]>): MetricSample[] {
  const sum = createMeter()
  for (const samples of groups) {
    for (const { metric, labels, value } of samples) sum.add(metric, value, ...labels)
  }
  return sum.samples()
}

/** What remains of a process that ended: counters stay counted, gauges end with it. */
export function countersOf(samples: readonly MetricSample[]): MetricSample[] {
  return samples.filter((sample) => METRICS[sample.metric].kind === 'counter')
}
