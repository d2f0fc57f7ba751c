// Claude's streams report the input at their start, and of the output one token. A stream that ends
// early costs what was read and what was written until then, wherever Claude is served.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { crc32 } from 'node:zlib'

import { createMeter } from '../../src/app/meter.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import { createEstimator } from '../../src/estimates/estimator.ts'
import { REQUEST_BYTES_MAX } from '../../src/estimates/estimates.ts'
import type { Estimate } from '../../src/estimates/estimates.ts'
import { anthropic } from '../../src/providers/anthropic.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { recordAnswer } from '../fakes/one-answer.ts'
import { openRelayScene } from '../fakes/relay-scene.ts'

const START = {
  type: 'message_start',
  message: {
    model: 'claude-sonnet-4-5-20250929',
    content: [],
    usage: { input_tokens: 800, cache_read_input_tokens: 200, output_tokens: 1 },
  },
}
// o200k_base: "First I consider the map." 6 tokens, "The Danube flows through Vienna." 7.
const THOUGHT = ['First I', ' consider the map.']
const TEXT = ['The Danube', ' flows through', ' Vienna.']
const EVENTS = [
  START,
  ...TEXT.map((text) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } })),
]
const END = { type: 'message_delta', usage: { output_tokens: 9 } }

// USD per million tokens of Claude Sonnet 4.5 (LiteLLM's map 1.108.4): input 3, cache read 0.30,
// output 15. 800 × 3 + 200 × 0.30 + 7 × 15 = 2400 + 60 + 105 = 2565 millionths.
const COST = '0.002565'
const TOKENS = createTokenCounts({ input: 1000, cacheRead: 200, output: 7 })

const REQUEST = { model: 'claude-sonnet-4-5', stream: true, messages: [], max_tokens: 100 }

function toSse(events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** AWS's event stream: lengths, their checksum, headers, payload, checksum of all. */
function toEventStream(events: readonly object[]): Buffer {
  return Buffer.concat(
    events.map((event) => {
      const bytes = Buffer.from(JSON.stringify(event)).toString('base64')
      const payload = Buffer.from(JSON.stringify({ bytes, p: 'abc' }))
      const headers = toHeaders({ ':event-type': 'chunk', ':message-type': 'event' })
      const prelude = Buffer.alloc(12)
      prelude.writeUInt32BE(16 + headers.length + payload.length, 0)
      prelude.writeUInt32BE(headers.length, 4)
      prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
      const message = Buffer.concat([prelude, headers, payload])
      const checksum = Buffer.alloc(4)
      checksum.writeUInt32BE(crc32(message))
      return Buffer.concat([message, checksum])
    }),
  )
}

function toHeaders(headers: Readonly<Record<string, string>>): Buffer {
  const STRING = 7
  return Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(value.length)
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([STRING]),
        length,
        Buffer.from(value),
      ])
    }),
  )
}

function openEstimate(t: TestContext): Estimate {
  const estimator = createEstimator({ clock: systemClock, meter: createMeter() })
  t.after(() => estimator.close())
  return estimator.estimate
}

const SSE = { contentType: 'text/event-stream', body: toSse(EVENTS) }
const PLACES = [
  { provider: 'anthropic', path: '/v1/messages', ...SSE },
  {
    provider: 'vertex',
    path: '/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5:streamRawPredict',
    ...SSE,
  },
  {
    provider: 'bedrock',
    path: '/model/global.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream',
    contentType: 'application/vnd.amazon.eventstream',
    body: toEventStream(EVENTS),
  },
]

for (const place of PLACES) {
  test(`counts what Claude wrote on ${place.provider} until its stream broke off`, async (t) => {
    const estimate = openEstimate(t)
    const recorded = await recordAnswer(t, { ...place, request: REQUEST, isCut: true, estimate })
    const { status, usage, tokens } = recorded.event
    assert.deepEqual([status, usage, tokens], ['cut', 'estimated', TOKENS])
    assert.equal(recorded.cost, COST)
  })
}

const ANTHROPIC = { provider: 'anthropic', path: '/v1/messages', request: REQUEST, ...SSE }

test('counts what Claude wrote until its caller left', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
  const request = JSON.stringify(REQUEST)
  const scene = await openRelayScene(
    t,
    ({ received, socket }) => {
      if (received.endsWith(request)) socket.write(head + SSE.body)
    },
    { providers: [{ ...anthropic, id: 'some' }], estimate: openEstimate(t) },
  )
  const client = await openRawClient(scene.proxy.port)
  const lines = `${scene.headers}Content-Length: ${request.length}\r\n`
  client.send(`POST /v1/some/v1/messages HTTP/1.1\r\n${lines}\r\n${request}`)
  await client.until((text) => text.includes('Vienna.'))
  client.socket.destroy()
  const [event] = await scene.proxy.events(1)
  assert.deepEqual([event?.status, event?.usage, event?.tokens], ['aborted', 'estimated', TOKENS])
})

test('counts thoughts too', async (t) => {
  const thoughts = THOUGHT.map((thinking) => {
    return { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking } }
  })
  const estimate = openEstimate(t)
  const body = toSse([START, ...thoughts])
  const { event } = await recordAnswer(t, { ...ANTHROPIC, body, isCut: true, estimate })
  assert.deepEqual([event.usage, event.tokens?.output], ['estimated', 6])
})

test('needs no request for it, however large', async (t) => {
  const estimate = openEstimate(t)
  const messages = [{ role: 'user', content: 'x'.repeat(REQUEST_BYTES_MAX) }]
  const request = { ...REQUEST, messages }
  const { event } = await recordAnswer(t, { ...ANTHROPIC, request, isCut: true, estimate })
  assert.deepEqual([event.usage, event.tokens], ['estimated', TOKENS])
})

for (const [name, events, usage, output] of [
  ['reported its output', [...EVENTS, END, { type: 'message_stop' }], 'reported', 9],
  ['reported its output before it broke off', [...EVENTS, END], 'partial', 9],
  ['wrote nothing', [START], 'partial', 1],
] as const) {
  test(`asks for no estimate of a stream that ${name}`, async (t) => {
    let asked = 0
    const estimate: Estimate = (_, done) => {
      asked += 1
      done(null)
    }
    const isCut = usage !== 'reported'
    const body = toSse(events)
    const { event } = await recordAnswer(t, { ...ANTHROPIC, body, isCut, estimate })
    assert.deepEqual([event.usage, event.tokens?.output, asked], [usage, output, 0])
  })
}

test('keeps what was reported where the text could not be counted', async (t) => {
  const estimate: Estimate = (_, done) => done(null)
  const { event } = await recordAnswer(t, { ...ANTHROPIC, isCut: true, estimate })
  assert.deepEqual([event.usage, event.tokens?.output], ['partial', 1])
})
