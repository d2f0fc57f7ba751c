// The real exporters against a collector on loopback.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { openOtlpCollector } from '../../test/fakes/peers/otlp-collector.ts'
import type { OtlpCollector } from '../../test/fakes/peers/otlp-collector.ts'
import { sampleEvent } from '../../test/fakes/usage-samples.ts'
import { createMeter } from '../app/meter.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { UsageRecord } from '../core/usage-record.ts'
import { openTelemetry } from './open-telemetry.ts'
import type { TelemetryOptions } from './open-telemetry.ts'

const UNSAMPLED = `${'a'.repeat(32)}-${'b'.repeat(16)}-00`

function createRecord(changes: Partial<UsageEvent> = {}): UsageRecord {
  const tokens = createTokenCounts({ input: 12, output: 3 })
  const event = sampleEvent({ model: 'writer', usage: 'reported', tokens, ...changes })
  return { event, cost: { amount: 250_000_000n, source: 'price-book', priceVersion: null } }
}

async function openScene(t: TestContext, change: Partial<TelemetryOptions> = {}) {
  const collector = await openOtlpCollector()
  t.after(() => collector.close())
  const meter = createMeter()
  const warnings: string[] = []
  const telemetry = openTelemetry({
    url: `${collector.url}/base`,
    headers: { 'api-key': 'hunter2' },
    metricDims: ['team'],
    servers: new Map([['some', { address: 'some.example.com', port: 443 }]]),
    nodeId: 'node-1',
    version: '1.2.3',
    meter,
    warn: (fields, message) => warnings.push(`${message} ${JSON.stringify(fields)}`),
    delayMs: 0,
    // Only what hangs takes so long.
    closeMsMax: 30_000,
    ...change,
  })
  const counted = (result: string): number =>
    meter.samples().find(({ labels }) => labels[0] === result)?.value ?? 0
  return { collector, telemetry, warnings, counted }
}

const pointsOf = ({ metrics }: OtlpCollector, name: string) =>
  (metrics.get(name) ?? []).toSorted((one, other) => one.value - other.value)

test('a collector gets a span of each call, with the headers and the resource', async (t) => {
  const { collector, telemetry, warnings, counted } = await openScene(t)
  telemetry.add([createRecord({ dims: { team: 'search', city: 'Köln' } }), createRecord()])
  await collector.untilSpans(2)
  const [span] = collector.spans
  assert.deepEqual(span?.resource, {
    'service.name': 'weir',
    'service.version': '1.2.3',
    'service.instance.id': 'node-1',
  })
  assert.equal(span?.attributes['weir.dim.city'], 'Köln')
  assert.equal(span?.attributes['weir.cost.usd'], 0.00025)
  const [request] = collector.requests
  assert.equal(request?.path, '/base/v1/traces')
  assert.equal(request?.headers['api-key'], 'hunter2')
  assert.equal(request?.headers['content-type'], 'application/x-protobuf')
  await telemetry.close()
  assert.deepEqual([counted('exported'), warnings], [2, []])
})

test('metrics have tokens, durations and cost, by the dimensions that are named', async (t) => {
  const { collector, telemetry } = await openScene(t)
  const dims = { team: 'search', city: 'Köln' }
  telemetry.add([createRecord({ dims }), createRecord({ dims, trace: UNSAMPLED })])
  // Neither is a figure: Weir refused the one, and nobody knows when the other ended.
  telemetry.add([createRecord({ status: 'denied', errorCode: 'invalid_dims' })])
  telemetry.add([createRecord({ status: 'interrupted', tokens: null })])
  await telemetry.close()
  const common = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'some',
    'gen_ai.response.model': 'writer',
    'server.address': 'some.example.com',
    'server.port': 443,
    'weir.dim.team': 'search',
  }
  const tokens = pointsOf(collector, 'gen_ai.client.token.usage {token}')
  assert.deepEqual(
    tokens.map(({ attributes, value, count }) => ({ attributes, value, count })),
    [
      { attributes: { ...common, 'gen_ai.token.type': 'output' }, value: 6, count: 2 },
      { attributes: { ...common, 'gen_ai.token.type': 'input' }, value: 24, count: 2 },
    ],
  )
  assert.deepEqual(tokens[0]?.bounds.slice(-2), [16_777_216, 67_108_864])
  const [duration, ...others] = pointsOf(collector, 'gen_ai.client.operation.duration s')
  assert.deepEqual(duration?.attributes, common)
  assert.deepEqual([duration?.count, duration?.value, others.length], [2, 2, 0])
  assert.deepEqual(duration?.bounds.slice(0, 3), [0.01, 0.02, 0.04])
  const costs = pointsOf(collector, 'weir.cost {USD}')
  assert.deepEqual(
    costs.map(({ attributes, value }) => [attributes['weir.cost.source'], value]),
    [
      ['price-book', 0.00025],
      ['price-book', 0.0005],
    ],
  )
})

test('series stay bounded, however many models callers make up', async (t) => {
  const { collector, telemetry } = await openScene(t)
  const models = Array.from({ length: 2500 }, (_, at) => ({ requestedModel: `model-${at}` }))
  telemetry.add(models.map(createRecord))
  await telemetry.close()
  const points = pointsOf(collector, 'gen_ai.client.operation.duration s')
  assert.equal(points.length, 2000)
  const rest = points.find(({ attributes }) => attributes['otel.metric.overflow'] === true)
  assert.equal(rest?.count, 501)
})

test('a call of a trace that its caller does not keep is counted, and has no span', async (t) => {
  const { collector, telemetry, counted } = await openScene(t)
  telemetry.add([createRecord({ trace: UNSAMPLED })])
  await telemetry.close()
  assert.deepEqual([collector.spans.length, counted('unsampled')], [0, 1])
})

test('a collector that refuses is said once, and again when it takes spans', async (t) => {
  const { collector, telemetry, warnings, counted } = await openScene(t)
  collector.answer = 400
  const sent = async (result: string, count: number): Promise<void> => {
    while (counted(result) < count) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  telemetry.add([createRecord()])
  await sent('failed', 1)
  telemetry.add([createRecord(), createRecord()])
  await sent('failed', 3)
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /takes no telemetry.*400/)
  collector.answer = 200
  telemetry.add([createRecord()])
  await sent('exported', 1)
  assert.equal(warnings.length, 2)
  assert.match(warnings[1] ?? '', /again/)
  assert.ok(warnings.every((warning) => !warning.includes('hunter2')))
  await telemetry.close()
})

test('a collector that hangs delays the end no longer than it may', async (t) => {
  const { collector, telemetry, counted } = await openScene(t, { closeMsMax: 50 })
  collector.answer = 'hang'
  telemetry.add([createRecord()])
  const startedAt = performance.now()
  await telemetry.close()
  assert.ok(performance.now() - startedAt < 5000)
  assert.equal(counted('failed'), 1)
})
