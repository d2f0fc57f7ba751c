// Sends stored calls to an OpenTelemetry collector, as spans and as metrics, by OTLP over HTTP. It
// is loaded only where a collector is configured. Must stay true: `add` neither waits nor throws,
// and a collector that is away costs a warning and what it would have been sent.

import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { Meter } from '../core/telemetry.ts'
import type { UsageRecord } from '../core/usage-record.ts'
import type { Servers } from './call-attributes.ts'
import { createCallMetrics } from './call-metrics.ts'
import { isSampled, toCallSpan } from './call-span.ts'
import type { SpanSource } from './call-span.ts'
import { createCollectorState } from './collector-state.ts'
import type { CollectorState } from './collector-state.ts'
import { SpanQueue } from './span-queue.ts'

export interface TelemetryOptions {
  /** Without a final slash: `/v1/traces` and `/v1/metrics` are appended. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly metricDims: readonly string[]
  readonly servers: Servers
  readonly nodeId: string
  readonly version: string
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
  /** How long a record waits for others; left to the queue where it is left out. */
  readonly delayMs?: number
  readonly closeMsMax?: number
}

export interface Telemetry {
  add(records: readonly UsageRecord[]): void
  /** Sends what is left, for a short time. */
  close(): Promise<void>
}

/** For one request, with the library's own further attempts. */
const SEND_MS_MAX = 10_000
const METRICS_INTERVAL_MS = 60_000
/** A reload waits for it, and so does the end. */
const CLOSE_MS_MAX = 2000

export function openTelemetry(options: TelemetryOptions): Telemetry {
  const { url, meter, servers, version } = options
  const headers = { ...options.headers }
  const config = { headers, timeoutMillis: SEND_MS_MAX }
  const resource = resourceFromAttributes({
    'service.name': 'weir',
    'service.version': version,
    'service.instance.id': options.nodeId,
  })
  const source: SpanSource = { resource, scope: { name: 'weir', version }, servers }
  const state = createCollectorState(options)
  const traces = new OTLPTraceExporter({ ...config, url: `${url}/v1/traces` })
  const { delayMs, closeMsMax = CLOSE_MS_MAX } = options
  const send = createSend(traces, source, state)
  const queue = new SpanQueue({ send, meter, ...(delayMs !== undefined && { delayMs }) })
  const provider = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: reportTo(state, new OTLPMetricExporter({ ...config, url: `${url}/v1/metrics` })),
        exportIntervalMillis: METRICS_INTERVAL_MS,
      }),
    ],
  })
  const count = createCallMetrics({
    meter: provider.getMeter('weir', version),
    servers,
    dims: options.metricDims,
  })
  return {
    add(records) {
      for (const record of records) count(record)
      const sampled = records.filter(({ event }) => isSampled(event))
      if (sampled.length < records.length) {
        meter.add('telemetrySpans', records.length - sampled.length, 'unsampled')
      }
      queue.add(sampled)
    },
    async close() {
      await Promise.all([
        queue.close(closeMsMax),
        // Rejects where the collector is away, which has been said.
        provider.shutdown({ timeoutMillis: closeMsMax }).catch(() => {}),
      ])
    },
  }
}

type Send = (records: readonly UsageRecord[]) => Promise<string | null>

function createSend(exporter: OTLPTraceExporter, source: SpanSource, state: CollectorState): Send {
  return (records) =>
    new Promise((resolve) => {
      try {
        const spans = records.map((record) => toCallSpan(record, source))
        exporter.export(spans, ({ error }) => resolve(state.report(error)))
      } catch (error) {
        // Whatever it is: the ledger, in whose process this runs, does not end because of it.
        resolve(state.report(error as Error))
      }
    })
}

/** The library itself swallows a failed export of metrics. */
function reportTo(state: CollectorState, exporter: OTLPMetricExporter): PushMetricExporter {
  return {
    export: (metrics, done) => {
      exporter.export(metrics, (result) => {
        state.report(result.error)
        done(result)
      })
    },
    selectAggregation: (type) => exporter.selectAggregation(type),
    selectAggregationTemporality: (type) => exporter.selectAggregationTemporality(type),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}
