import assert from 'node:assert/strict'
import { test } from 'node:test'

import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { SAMPLE_TIME, sampleEvent } from '../../test/fakes/usage-samples.ts'
import { createTokenCounts } from '../core/token-counts.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import type { Cost } from '../core/usage-record.ts'
import { isSampled, toCallSpan } from './call-span.ts'
import type { SpanSource } from './call-span.ts'

const SOURCE: SpanSource = {
  resource: resourceFromAttributes({ 'service.name': 'weir' }),
  scope: { name: 'weir', version: '1.2.3' },
  servers: new Map([['bedrock', { address: 'bedrock.example.com', port: 8443 }]]),
}
const COST: Cost = { amount: 1_250_000_000n, source: 'price-book', priceVersion: 'v1' }
const ID = '019a3f00-1234-7000-8abc-0123456789ab'
const CALL: Partial<UsageEvent> = {
  id: ID,
  provider: 'bedrock',
  operation: 'bedrock-converse',
  requestedModel: 'writer',
  model: 'writer-2026-01',
  usage: 'reported',
  tokens: createTokenCounts({ input: 100, cacheRead: 40, cacheWrite5m: 10, output: 20 }),
}

const toSpan = (changes: Partial<UsageEvent>, cost = COST) =>
  toCallSpan({ event: sampleEvent({ ...CALL, ...changes }), cost }, SOURCE)

test('a call is a client span with what the conventions and the record say of it', () => {
  const dims = { '@team': 'team_1', '@person': 'user_1', team: 'search' }
  const span = toSpan({ dims, firstByteAt: SAMPLE_TIME + 250, streamed: true })
  assert.equal(span.name, 'chat writer')
  assert.equal(span.kind, SpanKind.CLIENT)
  assert.deepEqual(span.status, { code: SpanStatusCode.UNSET })
  assert.deepEqual(span.startTime, [SAMPLE_TIME / 1000, 0])
  assert.deepEqual(span.duration, [1, 0])
  assert.deepEqual(span.attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'aws.bedrock',
    'gen_ai.request.model': 'writer',
    'gen_ai.response.model': 'writer-2026-01',
    'server.address': 'bedrock.example.com',
    'server.port': 8443,
    'gen_ai.request.stream': true,
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 20,
    'gen_ai.usage.cache_read.input_tokens': 40,
    'gen_ai.usage.cache_creation.input_tokens': 10,
    'http.response.status_code': 200,
    'weir.request.id': ID,
    'weir.key.id': 'svc_k_0123456789abcdef',
    'weir.team.id': 'team_1',
    'weir.person.id': 'user_1',
    'weir.status': 'delivered',
    'weir.usage': 'reported',
    'weir.cost.usd': 0.00125,
    'weir.cost.source': 'price-book',
    'weir.cost.price_version': 'v1',
    'weir.time_to_first_byte': 0.25,
    'weir.dim.team': 'search',
  })
})

test('its ids are those of the request, and its parent the span that the caller sent', () => {
  const own = toSpan({})
  assert.deepEqual(own.spanContext(), {
    traceId: '019a3f00123470008abc0123456789ab',
    spanId: '8abc0123456789ab',
    traceFlags: 1,
  })
  assert.equal(own.parentSpanContext, undefined)
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const child = toSpan({ trace })
  assert.equal(child.spanContext().traceId, '4bf92f3577b34da6a3ce929d0e0e4736')
  assert.equal(child.spanContext().spanId, '8abc0123456789ab')
  assert.equal(child.parentSpanContext?.spanId, '00f067aa0ba902b7')
})

test('a caller that does not keep its trace gets no span of ours in it', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0'
  assert.equal(isSampled(sampleEvent({ trace: `${trace}0` })), false)
  assert.equal(isSampled(sampleEvent({ trace: `${trace}1` })), true)
  assert.equal(isSampled(sampleEvent()), true)
})

const OUTCOMES: readonly (readonly [Partial<UsageEvent>, string | undefined])[] = [
  [{ status: 'delivered' }, undefined],
  [{ status: 'delivered', errorCode: 'provider_error' }, 'provider_error'],
  [{ status: 'refused', httpStatus: 429 }, '429'],
  [{ status: 'aborted', httpStatus: 200 }, 'aborted'],
  [{ status: 'cut', httpStatus: null, errorCode: 'upstream_unreachable' }, 'upstream_unreachable'],
  [{ status: 'cut', httpStatus: 200 }, 'cut'],
  [{ status: 'interrupted', httpStatus: null }, 'interrupted'],
  [{ status: 'denied', httpStatus: 403, errorCode: 'model_not_allowed' }, 'model_not_allowed'],
]

for (const [outcome, errorType] of OUTCOMES) {
  const { status, errorCode = 'no code' } = outcome
  test(`a call that was ${status} with ${errorCode} has the error type ${errorType}`, () => {
    const span = toSpan(outcome)
    assert.equal(span.attributes['error.type'], errorType)
    const code = errorType === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR
    assert.equal(span.status.code, code)
  })
}

test('what is not known is left out, never zero', () => {
  const unknown: Partial<UsageEvent> = {
    provider: 'elsewhere',
    operation: null,
    requestedModel: null,
    model: null,
    status: 'cut',
    httpStatus: null,
    usage: 'none',
    tokens: null,
  }
  const { name, attributes } = toSpan(unknown, {
    amount: null,
    source: 'unpriced',
    priceVersion: null,
  })
  assert.equal(name, 'other')
  assert.deepEqual(Object.keys(attributes).toSorted(), [
    'error.type',
    'gen_ai.operation.name',
    'gen_ai.provider.name',
    'gen_ai.request.stream',
    'weir.cost.source',
    'weir.key.id',
    'weir.request.id',
    'weir.status',
    'weir.usage',
  ])
})

test('a clock that was set back gives a span of no length, and none that ends before it begins', () => {
  const span = toSpan({ endedAt: SAMPLE_TIME - 5000 })
  assert.deepEqual(span.endTime, span.startTime)
  assert.deepEqual(span.duration, [0, 0])
})
