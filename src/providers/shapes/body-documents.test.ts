import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBodyDocuments } from './body-documents.ts'
import type { BodyEnd } from './body-documents.ts'
import { WHOLE_BYTES_MAX } from './document-pieces.ts'

interface Seen extends BodyEnd {
  readonly documents: readonly unknown[]
}

function read(body: string, contentType: string | null, isWhole = true): Seen {
  const documents: unknown[] = []
  const reader = createBodyDocuments({
    contentType,
    shape: { model: true },
    needles: /"model"|DONE/,
    onDocument: (document) => documents.push(document),
  })
  reader.feed(Buffer.from(body))
  return { documents, ...reader.end(isWhole) }
}

const JSON_TYPE = 'application/json'
const SSE_TYPE = 'text/event-stream'
const EVENT = 'data: {"model":"m"}\n\n'
const WHOLE = { isComplete: true, isMalformed: false }
const BROKEN = { isComplete: false, isMalformed: true }

const BODIES: { name: string; body: string; type: string | null; end: BodyEnd; count: number }[] = [
  { name: 'an object', body: '{"model":"m"}', type: JSON_TYPE, end: WHOLE, count: 1 },
  {
    name: 'an object after blank lines',
    body: '\n\r\n {"model":"m"}\n',
    type: JSON_TYPE,
    end: WHOLE,
    count: 1,
  },
  {
    name: 'an object after a byte order mark',
    body: '\uFEFF{"model":"m"}',
    type: null,
    end: WHOLE,
    count: 1,
  },
  {
    name: 'an object said to be a stream',
    body: '{"model":"m"}',
    type: SSE_TYPE,
    end: WHOLE,
    count: 1,
  },
  { name: 'a stream', body: EVENT + EVENT, type: SSE_TYPE, end: WHOLE, count: 2 },
  { name: 'a stream said to be an object', body: EVENT, type: JSON_TYPE, end: WHOLE, count: 1 },
  {
    name: 'a stream that begins with a comment',
    body: `: hi\n\n${EVENT}`,
    type: null,
    end: WHOLE,
    count: 1,
  },
  {
    name: 'a stream of an unknown beginning',
    body: `x-y: 1\n${EVENT}`,
    type: `${SSE_TYPE}; charset=utf-8`,
    end: WHOLE,
    count: 1,
  },
  { name: 'nothing', body: ' \n', type: JSON_TYPE, end: WHOLE, count: 0 },
  { name: 'a page', body: '<p>', type: 'text/html', end: BROKEN, count: 1 },
  { name: 'an array', body: '[]', type: JSON_TYPE, end: BROKEN, count: 1 },
  { name: 'half an object', body: '{"model":"m",', type: JSON_TYPE, end: BROKEN, count: 1 },
  {
    name: 'an event that is no JSON',
    body: 'data: "model" {\n\n',
    type: SSE_TYPE,
    end: { isComplete: true, isMalformed: true },
    count: 0,
  },
]

for (const { name, body, type, end, count } of BODIES) {
  test(`reads ${name}`, () => {
    const { documents, isComplete, isMalformed } = read(body, type)
    assert.deepEqual({ isComplete, isMalformed }, end)
    assert.equal(documents.length, count)
  })
}

test('takes a stream for complete at its own last word, even when it breaks off after it', () => {
  assert.equal(read(EVENT, SSE_TYPE, false).isComplete, false)
  assert.equal(read(`${EVENT}data: [DONE]\n\n`, SSE_TYPE, false).isComplete, true)
})

test('reads on behind the last word of a stream, however often it comes', () => {
  const done = 'data: [DONE]\n\n'
  const { documents, isMalformed } = read(`${done}${EVENT}${done}${done}${EVENT}`, 'text/plain')
  assert.deepEqual([documents.length, isMalformed], [2, false])
})

test('hands out an error as one, also where it is no JSON', () => {
  for (const data of ['{"message":"late"}', 'upstream timed out', '', '{"message":']) {
    const events: (string | null)[] = []
    const reader = createBodyDocuments({
      contentType: SSE_TYPE,
      shape: {},
      needles: /error/,
      onDocument: (_, event) => events.push(event),
    })
    reader.feed(Buffer.from(`event: error\ndata: ${data}\n\n`))
    reader.end(true)
    assert.deepEqual(events, ['error'], data)
  }
})

test('parses a body whole up to the limit and keeps only the wanted members above it', () => {
  const frame = JSON.stringify({ model: 'm', text: '' })
  const fits = JSON.stringify({ model: 'm', text: 'x'.repeat(WHOLE_BYTES_MAX - frame.length) })
  assert.deepEqual(Object.keys(read(fits, JSON_TYPE).documents[0] as object), ['model', 'text'])
  const above = read(`${fits} `, JSON_TYPE)
  assert.deepEqual(above, { documents: [{ model: 'm' }], isComplete: true, isMalformed: false })
})

test('hands out the members that came whole when a large body breaks off', () => {
  const body = `{"model":"m","text":"${'x'.repeat(WHOLE_BYTES_MAX)}`
  assert.deepEqual(read(body, JSON_TYPE, false).documents, [{ model: 'm' }])
})
