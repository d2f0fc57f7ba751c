// The figures of all processes in Prometheus' text format.

import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'

import { METRICS } from '../core/telemetry.ts'
import type { MetricSample } from './meter.ts'

export type MetricsText = () => Promise<string>

/** Default metrics are those of the process that answers: the ledger's. */
export function createMetricsText(collect: () => readonly MetricSample[]): MetricsText {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'weir_ledger_' })
  const metrics = new Map<string, Counter | Gauge>()
  for (const [key, { name, help, kind, labels }] of Object.entries(METRICS)) {
    const options = { name, help, labelNames: [...labels], registers: [registry] }
    metrics.set(key, kind === 'counter' ? new Counter(options) : new Gauge(options))
  }
  return async () => {
    for (const metric of metrics.values()) metric.reset()
    for (const { metric, labels, value } of collect()) {
      const names = METRICS[metric].labels
      const labelled = Object.fromEntries(names.map((name, at) => [name, labels[at] ?? '']))
      metrics.get(metric)?.inc(labelled, value)
    }
    return registry.metrics()
  }
}
