// Server-sent events are read as the standard says, whatever their size and line ends: the usage in
// them is on record, and what a client would not take for data is not.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'

import { createProvider } from '../../src/providers/registry.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openRelayScene } from '../fakes/relay-scene.ts'

const BODY = '{"model":"a","stream":true}'
const LONG = 'x'.repeat(70_000)

interface Shape {
  readonly shape: 'openai' | 'anthropic'
  readonly path: string
}

const CHAT: Shape = { shape: 'openai', path: '/v1/chat/completions' }
const MESSAGES: Shape = { shape: 'anthropic', path: '/v1/messages' }

/** The usage that is recorded of a stream that comes in pieces of this size. */
async function record(
  t: TestContext,
  { shape, path }: Shape,
  stream: { readonly text: string; readonly pieceBytes: number },
): Promise<unknown[]> {
  const bytes = Buffer.from(stream.text)
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n'
  const { proxy, headers } = await openRelayScene(
    t,
    ({ socket, received }) => {
      if (!received.endsWith(BODY)) return
      socket.write(head)
      const writeFrom = (at: number): void => {
        socket.write(bytes.subarray(at, at + stream.pieceBytes))
        if (at + stream.pieceBytes >= bytes.length) socket.end()
        else setImmediate(() => writeFrom(at + stream.pieceBytes))
      }
      writeFrom(0)
    },
    { providers: [createProvider({ id: 'some', shape, upstream: 'http://unused' }) as Provider] },
  )
  const client = await openRawClient(proxy.port)
  const length = `Content-Length: ${BODY.length}\r\nConnection: close\r\n`
  client.send(`POST /v1/some${path} HTTP/1.1\r\n${headers}${length}\r\n${BODY}`)
  const received = await client.closed()
  assert.ok(received.endsWith(bytes.toString('latin1')))
  const [event] = await proxy.events(1)
  const skipped = proxy.meter.samples().find(({ metric }) => metric === 'sseSkipped')?.value ?? 0
  return [event?.usage, event?.tokens?.input, event?.tokens?.output, skipped]
}

const START =
  'event: message_start\ndata: {"type":"message_start","message":{"model":"a","usage":{"input_tokens":25,"output_tokens":1}}}\n\n'
const DELTA =
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}\n\n'
const STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n'
const REPLY = `${START}${DELTA}${STOP}`

const USAGE = '"usage":{"prompt_tokens":25,"completion_tokens":15,"total_tokens":40}'
const CHUNK = '{"object":"chat.completion.chunk","model":"a","choices":[]'
const DONE = 'data: [DONE]\n\n'

const STREAMS: readonly (readonly [name: string, shape: Shape, text: string])[] = [
  ['a first line that is indented', MESSAGES, ` data: x\n${REPLY}`],
  ['an indented line behind blank ones', MESSAGES, `\n \n\n\tdata: x\n${REPLY}`],
  ['a byte order mark', MESSAGES, `\uFEFF${REPLY}`],
  ['a second byte order mark, which is none', MESSAGES, `\uFEFF\uFEFFdata: x\n${REPLY}`],
  ['fields without a colon or a value', MESSAGES, `data\n\nevent\ndata:\n\n${REPLY}`],
  [
    'large data in several lines',
    CHAT,
    `data: ${CHUNK},"padding":"${LONG}",\ndata: ${USAGE}}\n\n${DONE}`,
  ],
  [
    'data in ten thousand lines',
    CHAT,
    `data: ${CHUNK}\n${'data:  \n'.repeat(10_000)}data\ndata:,${USAGE}}\n\n${DONE}`,
  ],
  ['a long id before the data', CHAT, `id: ${LONG}\ndata: ${CHUNK},${USAGE}}\n\n${DONE}`],
  [
    'a long id before large data',
    CHAT,
    `id: ${LONG}\ndata: ${CHUNK},"padding":"${LONG}",${USAGE}}\n\n${DONE}`,
  ],
  [
    'long comments and unknown fields around the data',
    CHAT,
    `event: a\n: ${LONG}\ndatax: ${LONG}\ndata: ${CHUNK},\n: ${LONG}\ndata: ${USAGE}}\n: ${LONG}\n\n${DONE}`,
  ],
]

for (const [name, shape, text] of STREAMS) {
  describe(name, () => {
    for (const [ends, lineEnd] of Object.entries({ LF: '\n', CR: '\r', CRLF: '\r\n' })) {
      for (const pieceBytes of text.length > 10_000 ? [text.length * 2, 7001] : [10_000, 1]) {
        test(`in lines with ${ends}, in pieces of ${pieceBytes}`, async (t) => {
          const stream = { text: text.replaceAll('\n', lineEnd), pieceBytes }
          assert.deepEqual(await record(t, shape, stream), ['reported', 25, 15, 0])
        })
      }
    }
  })
}

test('an event that no blank line has ended is still on record', async (t) => {
  const text = `data: ${CHUNK},"padding":"${LONG}",${USAGE}}`
  assert.deepEqual(await record(t, CHAT, { text, pieceBytes: 7001 }), ['reported', 25, 15, 0])
})

test('a large object that is no event is passed over and counted', async (t) => {
  const text = `{"error":"${LONG}"}\n\ndata: ${CHUNK},${USAGE}}\n\n${DONE}`
  const stream = { text: `: hello\n\n${text}`, pieceBytes: 7001 }
  assert.deepEqual(await record(t, CHAT, stream), ['reported', 25, 15, 1])
})
