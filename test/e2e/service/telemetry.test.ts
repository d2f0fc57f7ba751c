// The real program and a collector: a span for each way in which a call can end, and metrics.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../../src/core/clock.ts'
import { parseMetrics } from '../../fakes/parse-metrics.ts'
import { openOtlpCollector } from '../../fakes/peers/otlp-collector.ts'
import type { CollectedSpan } from '../../fakes/peers/otlp-collector.ts'
import { findFreePort } from '../../fakes/servers/free-port.ts'
import { openScene } from '../scene.ts'
import type { Scene } from '../scene.ts'

const PROMPT = 'a prompt that nobody else may read'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const WAIT_MS_MAX = 120_000
/** A collector that is away holds the end up by far less than a drain may take. */
const END_MS_MAX = 60_000
const DRAIN_SECONDS = 600

interface CallOptions {
  readonly provider?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly metadata?: Readonly<Record<string, string>>
  readonly isStreamed?: boolean
  readonly signal?: AbortSignal
}

/** The id of the request; what becomes of the answer is the upstream's affair. */
async function call({ program, key: own }: Scene, options: CallOptions = {}): Promise<string> {
  const { provider = 'gateway', key = own.key, headers, metadata, isStreamed = false } = options
  const response = await fetch(`${program.addresses.proxy}/v1/${provider}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-svc-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: 'acme/writer',
      messages: [{ role: 'user', content: PROMPT }],
      stream: isStreamed,
      metadata: { cost: '0.5', prompt_tokens: '10', completion_tokens: '4', ...metadata },
    }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  await response.text().catch(() => '')
  return response.headers.get('x-svc-request-id') ?? ''
}

async function readCount({ program }: Scene, result: string): Promise<number> {
  const text = await (await fetch(`${program.addresses.api}/metrics`)).text()
  const { samples } = parseMetrics(text).get('weir_telemetry_spans_total') ?? { samples: [] }
  return samples.find(({ labels }) => labels['result'] === result)?.value ?? 0
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const endsAt = systemClock.monotonic() + WAIT_MS_MAX
  while (!(await isSo())) {
    assert.ok(systemClock.monotonic() < endsAt, what)
    await pause(20)
  }
}

test('each way in which a call can end is a span; prompts and keys are in none', async (t) => {
  const collector = await openOtlpCollector()
  t.after(() => collector.close())
  const scene = await openScene(t, {
    TELEMETRY_OTLP_URL: `${collector.url}/`,
    TELEMETRY_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
    TELEMETRY_METRIC_DIMS: 'team',
    PROVIDER_GROQ_URL: `http://127.0.0.1:${await findFreePort()}`,
    PROXY_WORKERS: '1',
  })
  const { program, upstream, commands } = scene
  const create = ['keys', 'create', '--name', 'strict', '--allow-model', 'acme/reader']
  const { key: strict } = await commands.json<{ key: string }>(...create)

  const delivered = await call(scene, {
    headers: { traceparent: `00-${TRACE}-${SPAN}-01`, 'x-svc-dims': 'team=search' },
  })
  const unsampled = await call(scene, {
    headers: { traceparent: `00-${TRACE}-${SPAN}-00` },
  })
  const refused = await call(scene, { metadata: { fail: 'status-429' } })
  const failed = await call(scene, { metadata: { fail: 'error-after-1' }, isStreamed: true })
  const cut = await call(scene, { metadata: { fail: 'cut-after-1' }, isStreamed: true })
  const unreachable = await call(scene, { provider: 'groq' })
  // Without an id until the proxy knows the key: those calls leave no record.
  let denied = ''
  await until(async () => (denied = await call(scene, { key: strict })) !== '', 'the key is known')
  await leave(scene)
  const running = call(scene, { metadata: { fail: 'hang' } }).catch(() => '')
  await until(async () => upstream.callCount === 7, 'the last call is under way')
  for (const pid of program.pids('proxy')) process.kill(pid, 'SIGKILL')
  await running

  await collector.untilSpans(8)
  const spans = new Map(collector.spans.map((span) => [span.attributes['weir.request.id'], span]))
  const endOf = (id: string): unknown[] => {
    const { attributes } = spans.get(id) ?? assert.fail(`no span of ${id}`)
    return [attributes['weir.status'], attributes['error.type']]
  }
  assert.deepEqual([delivered, refused, failed, cut, unreachable, denied].map(endOf), [
    ['delivered', undefined],
    ['refused', '429'],
    ['delivered', 'provider_error'],
    ['cut', 'upstream_unreachable'],
    // It never left.
    ['denied', 'upstream_unreachable'],
    ['denied', 'model_not_allowed'],
  ])
  const statuses = collector.spans.map(({ attributes }) => attributes['weir.status'])
  assert.ok(statuses.includes('aborted') && statuses.includes('interrupted'), statuses.join())
  assert.ok(!spans.has(unsampled))
  checkSpan(spans.get(delivered), { id: delivered, port: Number(new URL(upstream.url).port) })

  await until(async () => (await readCount(scene, 'exported')) === 8, 'eight are counted')
  assert.equal(await readCount(scene, 'unsampled'), 1)
  assert.equal(await program.stop(), 0)
  const tokens = collector.metrics.get('gen_ai.client.token.usage {token}') ?? []
  const ofTeam = tokens.filter(({ attributes }) => attributes['weir.dim.team'] === 'search')
  assert.deepEqual(new Set(ofTeam.map(({ value }) => value)), new Set([10, 4]))
  assert.ok(collector.metrics.has('gen_ai.client.operation.duration s'))
  assert.ok(collector.metrics.has('weir.cost {USD}'))
  const sent = Buffer.concat(collector.bytes).toString('latin1')
  for (const secret of [PROMPT, strict, scene.key.key, 'hunter2']) {
    assert.ok(!sent.includes(secret), 'a secret was sent')
  }
  for (const { headers } of collector.requests) {
    assert.equal(headers.authorization, 'Bearer hunter2')
  }
})

/** A stream of which the caller leaves in the middle. */
async function leave(scene: Scene): Promise<void> {
  const caller = new AbortController()
  const left = call(scene, {
    metadata: { fail: 'hang-after-1' },
    isStreamed: true,
    signal: caller.signal,
  })
  const { upstream } = scene
  await until(async () => upstream.callCount === 6, 'the stream has begun')
  caller.abort()
  await left.catch(() => '')
}

interface Expected {
  readonly id: string
  readonly port: number
}

function checkSpan(span: CollectedSpan | undefined, { id, port }: Expected): void {
  assert.ok(span !== undefined)
  assert.deepEqual(
    [span.traceId, span.parentSpanId, span.name, span.kind],
    [TRACE, SPAN, 'chat acme/writer', 3],
  )
  assert.equal(span.spanId, id.replaceAll('-', '').slice(-16))
  assert.equal(span.resource['service.name'], 'weir')
  const { attributes } = span
  assert.equal(attributes['gen_ai.provider.name'], 'gateway')
  assert.equal(attributes['server.address'], '127.0.0.1')
  assert.equal(attributes['server.port'], port)
  assert.equal(attributes['gen_ai.usage.input_tokens'], 10)
  assert.equal(attributes['gen_ai.usage.output_tokens'], 4)
  assert.equal(attributes['http.response.status_code'], 200)
  assert.equal(attributes['weir.cost.usd'], 0.5)
  assert.equal(attributes['weir.cost.source'], 'gateway')
  assert.equal(attributes['weir.dim.team'], 'search')
}

test('a collector that is away costs a warning: calls are served and recorded', async (t) => {
  const scene = await openScene(t, {
    TELEMETRY_OTLP_URL: `http://127.0.0.1:${await findFreePort()}`,
    PROXY_WORKERS: '1',
    SHUTDOWN_DRAIN_SECONDS: String(DRAIN_SECONDS),
  })
  for (let calls = 0; calls < 3; calls++) await call(scene)
  await scene.untilValue('metric=requests&window=today', 3)
  const startedAt = systemClock.monotonic()
  assert.equal(await scene.program.stop(), 0)
  assert.ok(systemClock.monotonic() - startedAt < END_MS_MAX)
})
