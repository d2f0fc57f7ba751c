import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../../core/token-counts.ts'
import { EVENT_BYTES_MAX } from '../../../wire/sse/sse.ts'
import type { Operation, Reading, RequestView } from '../../provider.ts'
import { openaiResponses, openaiStoredResponse } from './openai-responses.ts'

const created = openaiResponses('/responses')
const stored = openaiStoredResponse('')
const USAGE = { input_tokens: 3, output_tokens: 2 }
const TOKENS = createTokenCounts({ input: 3, output: 2 })

const request: RequestView = {
  method: 'POST',
  path: '/responses',
  query: '',
  header: () => null,
  headers: () => [],
}

function read(operation: Operation, body: string, isWhole = true): Reading {
  const reader = operation.createUsageReader(request, { status: 200, header: () => null })
  for (let at = 0; at < body.length; at += 16_384) {
    reader.feed(Buffer.from(body.slice(at, at + 16_384)))
  }
  return reader.end(isWhole)
}

function event(type: string, more: object): string {
  return `data: ${JSON.stringify({ type, ...more })}\n\n`
}

const completed = (more: object = {}): string =>
  event('response.completed', { response: { id: 'r', background: false, usage: USAGE, ...more } })

test('reads a first event that is too large to be held, and the last', () => {
  const tools = [{ type: 'function', description: 'x'.repeat(EVENT_BYTES_MAX) }]
  const first = event('response.created', { response: { id: 'r', model: 'm', tools } })
  const reading = read(created, first + completed({ model: 'm-1' }))
  assert.equal(reading.kind, 'reported')
  assert.equal(reading.model, 'm-1')
  assert.deepEqual(reading.tokens, TOKENS)
  assert.equal(reading.skippedEvents, undefined)
})

test('counts the tools of a body that is too large to be parsed as one', () => {
  const picture = { type: 'image_generation_call', result: 'x'.repeat(400_000) }
  const search = { type: 'web_search_call', status: 'completed', action: { type: 'search' } }
  const output = [search, picture, { type: 'file_search_call', results: [{ text: '{}' }] }, search]
  const body = JSON.stringify({ id: 'r', background: false, model: 'm', output, usage: USAGE })
  const reading = read(created, body)
  assert.deepEqual(reading.tokens, TOKENS)
  assert.deepEqual(reading.toolCalls, { image_generation: 1, file_search: 1, web_search: 2 })
})

test('takes the tools from the stream where its last event does not repeat them', () => {
  const item = { type: 'web_search_call', action: { type: 'search' } }
  const items = event('response.output_item.done', { item })
  assert.deepEqual(read(created, items + completed({ output: [] })).toolCalls, { web_search: 1 })
  const output = [item, item]
  assert.deepEqual(read(created, items + completed({ output })).toolCalls, { web_search: 2 })
})

test('is complete with its last event, whatever breaks off behind it', () => {
  assert.equal(read(created, completed(), false).kind, 'reported')
  assert.equal(read(created, JSON.stringify({ usage: USAGE }).slice(0, -1), false).kind, 'partial')
})

const COUNTED: { name: string; response: object; isStored: boolean; countedAs?: string }[] = [
  { name: 'made in the foreground', response: { id: 'r', background: false }, isStored: false },
  { name: 'without an id', response: {}, isStored: false },
  {
    name: 'made in the background',
    response: { id: 'r', background: true, status: 'completed' },
    isStored: false,
    countedAs: 'response:r',
  },
  { name: 'of unknown making', response: { id: 'r' }, isStored: false },
  {
    name: 'read from the background',
    response: { id: 'r', background: true, status: 'incomplete' },
    isStored: true,
    countedAs: 'response:r',
  },
  {
    name: 'made in the background without an id',
    response: { background: true, status: 'completed' },
    isStored: false,
  },
]

for (const { name, response, isStored, countedAs } of COUNTED) {
  test(`charges a response ${name}, ${countedAs ? 'once' : 'as it comes'}`, () => {
    const operation = isStored ? stored : created
    const reading = read(operation, JSON.stringify({ ...response, usage: USAGE }))
    assert.deepEqual(reading.tokens, TOKENS)
    assert.equal(reading.countedAs, countedAs)
    assert.equal(reading.isCharged, undefined)
  })
}

const NOT_CHARGED: { name: string; response: object; isStored: boolean }[] = [
  { name: 'queued', response: { background: true, status: 'queued' }, isStored: false },
  { name: 'queued without a word of it', response: { status: 'queued' }, isStored: false },
  {
    name: 'read unfinished',
    response: { background: true, status: 'in_progress' },
    isStored: true,
  },
  { name: 'read again', response: { background: false, status: 'completed' }, isStored: true },
  { name: 'of unknown making, read', response: { status: 'completed' }, isStored: true },
  {
    name: 'read without figures',
    response: { background: true, status: 'failed', usage: null },
    isStored: true,
  },
]

for (const { name, response, isStored } of NOT_CHARGED) {
  test(`charges nothing, and tells no figures, for a response ${name}`, () => {
    const body = JSON.stringify({ id: 'r', usage: USAGE, ...response })
    const reading = read(isStored ? stored : created, body)
    assert.equal(reading.isCharged, false)
    assert.equal(reading.tokens, null)
    assert.equal(reading.countedAs, undefined)
  })
}

test('keeps what a response told when a bare error comes behind it', () => {
  const reading = read(created, `${completed()}data: {"error":{"message":"late"}}\n\n`)
  assert.deepEqual([reading.kind, reading.tokens, reading.hasError], ['reported', TOKENS, true])
})
