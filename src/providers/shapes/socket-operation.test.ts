import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { NamesFound, Operation, RequestView } from '../provider.ts'
import { gatewayMetadata } from './gateway/gateway-metadata.ts'
import { geminiLive } from './gemini/gemini-live.ts'
import { openaiRealtime } from './openai/openai-realtime.ts'
import { openaiResponsesSocket } from './openai/openai-responses-socket.ts'

const realtime = openaiRealtime('/v1/realtime')
const responses = openaiResponsesSocket('/v1/responses')
const live = geminiLive(/^\/ws\/Live(?:Constrained)?$/)

function get(path: string, query = '', headers: Record<string, string> = {}): RequestView {
  const find = (name: string): string[] => (headers[name] === undefined ? [] : [headers[name]])
  return { method: 'GET', path, query, header: (name) => find(name)[0] ?? null, headers: find }
}

describe('matches the upgrade of its path and nothing else', () => {
  for (const [operation, path] of [
    [realtime, '/v1/realtime'],
    [responses, '/v1/responses'],
    [live, '/ws/Live'],
  ] as const) {
    test(operation.name, () => {
      assert.ok(operation.matches(get(path)))
      assert.ok(!operation.matches({ ...get(path), method: 'POST' }))
      assert.ok(!operation.matches(get(`${path}/x`)))
    })
  }
})

describe('the head names', () => {
  const cases: readonly (readonly [Operation, RequestView, readonly string[] | null])[] = [
    [realtime, get('/v1/realtime', 'model=wren'), ['wren']],
    [realtime, get('/v1/realtime', 'x=1&deployment=front%20desk'), null],
    [realtime, get('/v1/realtime', 'deployment=desk'), ['desk']],
    [realtime, get('/v1/realtime', 'ai-model-id=maker%2Fwren'), ['maker/wren']],
    [realtime, get('/v1/realtime', '', { 'ai-model-id': 'maker/wren' }), ['maker/wren']],
    [realtime, get('/v1/realtime', '%6dodel=wren'), ['wren']],
    [realtime, get('/v1/realtime', 'MODEL=wren'), null],
    [realtime, get('/v1/realtime', 'intent=transcription'), []],
    [realtime, get('/v1/realtime', 'call_id=rtc_1'), null],
    [realtime, get('/v1/realtime', 'model=wren&Call%5Fid=rtc_1'), null],
    [responses, get('/v1/responses'), []],
    [live, get('/ws/Live', 'key=invented'), []],
    [live, get('/ws/LiveConstrained', 'access_token=invented'), null],
  ]
  for (const [operation, request, names] of cases) {
    const what = names === null ? 'what cannot be read' : `[${names.join()}]`
    test(`${what} in ${request.path}?${request.query}`, () => {
      const found = operation.createNamesReader(request).end()
      assert.deepEqual(found.kind === 'named' ? found.names : null, names)
    })
  }
})

function readNames(operation: Operation, message: unknown): NamesFound | undefined {
  const reader = operation.tunnel?.createNamesReader()
  reader?.feed(Buffer.from(JSON.stringify(message)))
  return reader?.end()
}

describe("a caller's message names, for the record and for policies", () => {
  const cases: readonly (readonly [Operation, object, string | null])[] = [
    [live, { setup: { model: 'models/wren' } }, 'wren'],
    [live, { setup: { model: 'projects/p/locations/l/publishers/google/models/wren' } }, 'wren'],
    [live, { clientContent: { turns: [], model: 'owl' } }, null],
    [realtime, { type: 'session.start', session: { model: 'maker/wren' } }, 'maker/wren'],
    [realtime, { type: 'session-start', modelId: 'maker/wren' }, 'maker/wren'],
    [realtime, { type: 'session-start', config: { modelId: 'maker/wren' } }, 'maker/wren'],
    [realtime, { type: 'input_audio_buffer.append', audio: 'UklGRg==' }, null],
    [realtime, { type: 'conversation.item.create', item: { model: 'owl' } }, null],
  ]
  for (const [operation, message, model] of cases) {
    test(`${model} in ${JSON.stringify(message)}`, () => {
      const bytes = Buffer.from(JSON.stringify(message))
      assert.equal(operation.tunnel?.readModel?.(bytes) ?? null, model)
      const names = model === null ? [] : [model]
      assert.deepEqual(readNames(operation, message), { kind: 'named', names })
    })
  }
})

test('a message that is no JSON, or none that is expected, changes nothing', () => {
  for (const operation of [realtime, responses, live]) {
    const reader = operation.tunnel?.createUsageReader(get('/'))
    for (const text of ['', 'hello', '[]', '"x"', '{"type":7}', '{"usageMetadata":"x"}', '{"a":']) {
      reader?.read(Buffer.from(text))
    }
    assert.equal(reader?.end(true).kind, 'missing')
    assert.equal(operation.tunnel?.readModel?.(Buffer.from('{"setup":')) ?? null, null)
  }
})

test('an answer that is no upgrade tells nothing', () => {
  const response = { status: 200, header: () => null }
  const reader = realtime.createUsageReader(get('/v1/realtime'), response)
  reader.feed(Buffer.from('{"usage":{"input_tokens":1}}'))
  assert.deepEqual([reader.end(true).kind, reader.end(true).tokens], ['missing', null])
})

describe('a session that came to its end', () => {
  const done = { type: 'response.done', response: { status: 'completed' } }
  const billed = { providerMetadata: { gateway: { cost: '0.01' } } }
  const metered = openaiRealtime('/v1/realtime', { addition: gatewayMetadata })
  const cases: readonly (readonly [string, Operation, object[], string, boolean | undefined])[] = [
    ['without an answer', realtime, [{ type: 'session.created' }], 'missing', false],
    ['with a turn that told nothing', realtime, [done], 'missing', undefined],
    [
      'with a failed turn',
      realtime,
      [{ ...done, status: 'failed', response: null }],
      'missing',
      false,
    ],
    ['with speech that told nothing', realtime, [{ type: 'finish' }], 'missing', undefined],
    ['with speech that never finished', realtime, [{ type: 'stream-start' }], 'missing', undefined],
    ['with a live session', realtime, [{ type: 'session.started' }], 'missing', undefined],
    [
      'with a live session that was left',
      realtime,
      [{ type: 'session-started' }, { type: 'session-usage', usage: { seconds: 3 } }],
      'partial',
      undefined,
    ],
    ['with a length', realtime, [{ type: 'finish', durationInSeconds: 2 }], 'reported', undefined],
    ['with money alone', metered, [{ type: 'finish', ...billed }], 'partial', undefined],
    ['with money for nothing else', metered, [{ type: 'custom', ...billed }], 'partial', undefined],
    [
      'of a response without figures',
      responses,
      [{ type: 'response.completed' }],
      'missing',
      undefined,
    ],
    ['of a response that failed', responses, [{ type: 'response.failed' }], 'missing', false],
    [
      'of a live turn without figures',
      live,
      [{ serverContent: { turnComplete: true } }],
      'missing',
      undefined,
    ],
    ['of a live session without a turn', live, [{ setupComplete: {} }], 'missing', false],
  ]
  for (const [what, operation, messages, kind, isCharged] of cases) {
    test(`${what} is ${kind}, and ${isCharged === false ? 'free' : 'due'}`, () => {
      const reader = operation.tunnel?.createUsageReader(get('/'))
      for (const message of messages) reader?.read(Buffer.from(JSON.stringify(message)))
      const reading = reader?.end(true)
      assert.deepEqual([reading?.kind, reading?.isCharged], [kind, isCharged])
    })
  }
})
