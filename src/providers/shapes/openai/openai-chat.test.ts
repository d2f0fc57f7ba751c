import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelReader, Reading, RequestView } from '../../provider.ts'
import { NAME_CHARS_MAX } from '../json-leaves.ts'
import { openaiChat } from './openai-chat.ts'

const chat = openaiChat('/chat')
const request: RequestView = {
  method: 'POST',
  path: '/chat',
  query: '',
  header: () => null,
  headers: () => [],
}

function createModelReader(): ModelReader {
  const reader = chat.createModelReader(request)
  assert.ok(reader)
  return reader
}

const LONGEST = 'm'.repeat(NAME_CHARS_MAX)

const BODIES: { name: string; body: string; model: string | null }[] = [
  { name: 'a model in front', body: '{"model":"m","messages":[]}', model: 'm' },
  { name: 'a model at the end', body: '{"messages":[{"model":"no"}],"model":"m"}', model: 'm' },
  { name: 'the first of two', body: '{"model":"m","model":"n"}', model: 'm' },
  { name: 'an escaped key and value', body: '{"\\u006dodel":"a\\/b"}', model: 'a/b' },
  { name: 'none', body: '{"messages":[]}', model: null },
  { name: 'an empty one', body: '{"model":""}', model: null },
  { name: 'one that is no text', body: '{"model":{"id":"m"}}', model: null },
  { name: 'the longest', body: JSON.stringify({ model: LONGEST }), model: LONGEST },
  { name: 'one that is too long', body: JSON.stringify({ model: `${LONGEST}m` }), model: null },
  { name: 'a form', body: '--boundary\r\n', model: null },
  { name: 'nothing', body: '', model: null },
]

for (const { name, body, model } of BODIES) {
  test(`reads of a request: ${name}`, () => {
    const whole = createModelReader()
    whole.feed(Buffer.from(body))
    assert.equal(whole.end(), model)
    const pieces = createModelReader()
    for (const byte of Buffer.from(body)) pieces.feed(Uint8Array.of(byte))
    assert.equal(pieces.end(), model)
  })
}

test('wants no more bytes once the model is known, or can no longer be', () => {
  const reader = createModelReader()
  assert.equal(reader.feed(Buffer.from('{"stream":true,"mod')), false)
  assert.equal(reader.feed(Buffer.from('el":"m","messages":[')), true)
  assert.equal(createModelReader().feed(Buffer.from('multipart')), true)
})

test('decodes the events of a stream only while they can tell something new', () => {
  const reader = chat.createUsageReader(request, { status: 200, header: () => null })
  const event = (model: string, more: object): Buffer =>
    Buffer.from(`data: ${JSON.stringify({ model, ...more })}\n\n`)
  reader.feed(event('first', {}))
  reader.feed(event('passed over', { usage: null }))
  reader.feed(event('last', { usage: { prompt_tokens: 1, completion_tokens: 2 } }))
  assert.equal(reader.end(true).model, 'last')

  const short = chat.createUsageReader(request, { status: 200, header: () => null })
  short.feed(event('first', {}))
  short.feed(event('passed over', { usage: null }))
  assert.equal(short.end(true).model, 'first')
})

test('takes zeros that a stream began with for no figures, once it breaks off', () => {
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  const chunk = { model: 'm', choices: [{ delta: { content: 'Hello' } }], usage }
  const read = (isWhole: boolean): Reading => {
    const reader = chat.createUsageReader(request, { status: 200, header: () => null })
    reader.feed(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`))
    return reader.end(isWhole)
  }
  const cut = read(false)
  assert.deepEqual([cut.kind, cut.tokens, cut.text], ['missing', null, 'Hello'])
  const whole = read(true)
  assert.deepEqual([whole.kind, whole.tokens?.input], ['reported', 0])
})
