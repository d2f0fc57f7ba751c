import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

import { parseMetrics } from '../../test/fakes/parse-metrics.ts'
import type { MetricFamily } from '../../test/fakes/parse-metrics.ts'
import { LIMITS, METRICS } from '../core/telemetry.ts'
import type { CountedName, GaugeName, HistogramName, MetricName } from '../core/telemetry.ts'
import { createMeter } from './meter.ts'
import { createMetricsText, renderSamples } from './metrics-text.ts'

test('writes a counter, a gauge and a histogram as Prometheus reads them', () => {
  const meter = createMeter()
  meter.add('requests', 2, 'some', 'delivered', '2xx')
  meter.set('journalLag', 7)
  const series = meter.histogram('firstByte', 'some')
  for (const seconds of [0.05, 0.1, 0.3, 601]) series.observe(seconds)
  const text = renderSamples(meter.samples())
  assert.ok(
    text.includes(`# HELP weir_requests_total Calls that ended, by provider and how they ended.
# TYPE weir_requests_total counter
weir_requests_total{provider="some",status="delivered",class="2xx"} 2
`),
  )
  assert.match(text, /^weir_journal_lag_bytes 7$/m)
  assert.ok(
    text.includes(`# HELP weir_first_byte_seconds From sending the request to the first byte of the response.
# TYPE weir_first_byte_seconds histogram
weir_first_byte_seconds_bucket{provider="some",le="0.05"} 1
weir_first_byte_seconds_bucket{provider="some",le="0.1"} 2
weir_first_byte_seconds_bucket{provider="some",le="0.25"} 2
weir_first_byte_seconds_bucket{provider="some",le="0.5"} 3
`),
  )
  assert.ok(
    text.includes(`weir_first_byte_seconds_bucket{provider="some",le="600"} 3
weir_first_byte_seconds_bucket{provider="some",le="+Inf"} 4
weir_first_byte_seconds_sum{provider="some"} 601.45
weir_first_byte_seconds_count{provider="some"} 4
`),
  )
})

test('shows every metric before anything was counted, at 0 where its labels are known', () => {
  const families = parseMetrics(renderSamples([]))
  assert.deepEqual(
    [...families.keys()],
    Object.values(METRICS).map(({ name }) => name),
  )
  const figures = [...families.values()].flatMap(({ samples }) => samples)
  assert.deepEqual(new Set(figures.map(({ value }) => value)), new Set([0]))
  const limits = families.get('weir_limits_hit_total')?.samples.map(({ labels }) => labels['limit'])
  assert.deepEqual(limits, LIMITS)
  assert.equal(families.get('weir_added_seconds')?.samples.length, 12 + 1 + 2)
  assert.deepEqual(families.get('weir_requests_total')?.samples, [])
})

test('a known label value that was counted is shown once', () => {
  const meter = createMeter()
  meter.add('reloads', 2, 'refused')
  const reloads = parseMetrics(renderSamples(meter.samples())).get('weir_reloads_total')
  assert.deepEqual(
    reloads?.samples.map(({ labels, value }) => [labels['result'], value]),
    [
      ['refused', 2],
      ['done', 0],
      ['failed', 0],
    ],
  )
})

test("adds the process's own figures, and the whole is in the text format", async () => {
  const meter = createMeter()
  meter.add('ledgerRecords', 1, 'free')
  const render = createMetricsText(() => meter.samples(), 'weir_api_')
  const before = parseMetrics(await render())
  meter.add('ledgerRecords', 1, 'free')
  const after = parseMetrics(await render())
  assert.equal(before.get('weir_ledger_records_total')?.samples[0]?.value, 1)
  assert.equal(after.get('weir_ledger_records_total')?.samples[0]?.value, 2)
  assert.ok(after.has('weir_api_process_resident_memory_bytes'))
  assert.ok(after.has('weir_api_nodejs_eventloop_lag_seconds'))
})

const names = Object.keys(METRICS) as MetricName[]
const kindOf = (name: MetricName): string => METRICS[name].kind
const COUNTED = names.filter((name) => kindOf(name) === 'counter') as CountedName[]
const GAUGES = names.filter((name) => kindOf(name) === 'gauge') as GaugeName[]
const HISTOGRAMS = names.filter((name) => kindOf(name) === 'histogram') as HistogramName[]

const report = fc.record({
  metric: fc.constantFrom(...COUNTED, ...GAUGES, ...HISTOGRAMS),
  labels: fc.tuple(
    ...Array.from({ length: 3 }, () => fc.constantFrom('a', 'b"\\\n', '{c="d"}', '')),
  ),
  value: fc.oneof(fc.nat(20), fc.double({ min: 0, max: 1000, noNaN: true })),
})

test('prom-client, reported the same, writes the same', async () => {
  const property = fc.asyncProperty(fc.array(report), async (reports) => {
    const meter = createMeter()
    const oracle = createOracle()
    for (const { metric, labels: all, value } of reports) {
      const { labels: labelNames } = METRICS[metric]
      const labels = all.slice(0, labelNames.length)
      const labelled = Object.fromEntries(labelNames.map((name, at) => [name, labels[at] ?? '']))
      const reported = oracle.metrics.get(metric)
      if (reported instanceof Histogram) reported.observe(labelled, value)
      else reported?.inc(labelled, value)
      if (reported instanceof Histogram)
        meter.histogram(metric as HistogramName, ...labels).observe(value)
      else meter.add(metric as CountedName, value, ...labels)
    }
    const expected = parseMetrics(await oracle.registry.metrics())
    assert.deepEqual(toFigures(parseMetrics(renderSamples(meter.samples()))), toFigures(expected))
  })
  await fc.assert(property, { numRuns: 50 })
})

interface Oracle {
  readonly registry: Registry
  readonly metrics: ReadonlyMap<MetricName, Counter | Gauge | Histogram>
}

function createOracle(): Oracle {
  const registry = new Registry()
  const metrics = new Map<MetricName, Counter | Gauge | Histogram>()
  for (const key of names) {
    const declaration = METRICS[key]
    const { name, help, labels } = declaration
    const options = { name, help, labelNames: [...labels], registers: [registry] }
    if (declaration.kind === 'histogram') {
      metrics.set(key, new Histogram({ ...options, buckets: [...declaration.buckets] }))
    } else {
      const metric = declaration.kind === 'gauge' ? new Gauge(options) : new Counter(options)
      metrics.set(key, metric)
      const values = 'values' in declaration ? declaration.values : []
      for (const value of values) metric.inc({ [labels[0] as string]: value }, 0)
    }
  }
  return { registry, metrics }
}

/** One text for each figure, whatever the order of series and labels. */
function toFigures(families: ReadonlyMap<string, MetricFamily>): string[] {
  return [...families.values()].flatMap(({ name, kind, help, samples }) => [
    `${name} ${kind} ${help}`,
    ...samples
      .map((sample) => {
        const labels = Object.entries(sample.labels).toSorted(([a], [b]) => (a < b ? -1 : 1))
        return `${sample.name} ${JSON.stringify(labels)} ${sample.value}`
      })
      .toSorted(),
  ])
}
