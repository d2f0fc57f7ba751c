import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { Reading, RequestView } from '../provider.ts'
import { batchResults } from './batch-results.ts'
import { OTHER_MODELS, SHARES_MAX } from './model-shares.ts'
import { toCount, toName } from './json-leaves.ts'

const results = batchResults({
  name: 'results',
  path: /^\/batches\/(?<id>[^/]+)\/results$/,
  countedAs: 'batch',
  members: { id: true, model: true, input: true, searches: true },
  readLine(line) {
    if (toName(line['id']) === null) return null
    const input = toCount(line['input'])
    if (input === null) return { shares: [] }
    const tokens = createTokenCounts({ input })
    const searches = toCount(line['searches'])
    return {
      shares: [{ model: toName(line['model']), tokens }],
      ...(searches === null ? {} : { toolCalls: { web_search: searches } }),
    }
  },
})

const request: RequestView = {
  method: 'GET',
  path: '/batches/b1/results',
  query: '',
  header: () => null,
  headers: () => [],
}

function read(pieces: readonly string[], isWhole = true): Reading {
  const reader = results.createUsageReader(request, { status: 200, header: () => null })
  for (const piece of pieces) reader.feed(Buffer.from(piece))
  return reader.end(isWhole)
}

function line(model: string | null, input: number, more: object = {}): string {
  return `${JSON.stringify({ id: 'i', model, input, ...more })}\n`
}

test('sums the lines of one model', () => {
  const reading = read([line('m', 3), line('m', 4)])
  assert.equal(reading.kind, 'reported')
  assert.equal(reading.model, 'm')
  assert.deepEqual(reading.tokens, createTokenCounts({ input: 7 }))
  assert.equal(reading.serviceTier, 'batch')
  assert.equal(reading.countedAs, 'batch:b1')
  assert.equal(reading.shares, undefined)
})

test('tells the models apart, and is named after the one that used most', () => {
  const reading = read([line('m', 3, { searches: 1 }), line('n', 9, { searches: 2 }), line('m', 4)])
  assert.equal(reading.model, 'n')
  assert.deepEqual(reading.tokens, createTokenCounts({ input: 16 }))
  assert.deepEqual(reading.toolCalls, { web_search: 3 })
  assert.deepEqual(reading.shares, [
    { model: 'm', tokens: createTokenCounts({ input: 7 }) },
    { model: 'n', tokens: createTokenCounts({ input: 9 }) },
  ])
})

test('puts the models beyond the limit, and those without a name, under a name without a price', () => {
  const lines = Array.from({ length: SHARES_MAX + 5 }, (_, index) => line(`m${index}`, 1))
  const shares = read(lines).shares ?? []
  assert.equal(shares.length, SHARES_MAX + 1)
  assert.deepEqual(shares.at(-1), {
    model: OTHER_MODELS,
    tokens: createTokenCounts({ input: 5 }),
  })
  assert.equal(read([line(null, 1)]).model, OTHER_MODELS)
})

test('passes over blank lines and reads a last line without its end', () => {
  const reading = read(['\n', '  \r\n', `${line('m', 3).trimEnd()}\r\n\n`, line('m', 4).trimEnd()])
  assert.deepEqual(reading.tokens, createTokenCounts({ input: 7 }))
})

test('counts the lines that it can read, and says that there were others', () => {
  for (const bad of ['{"id":"i","mo\n', 'oh no\n', '{"other":1}\n']) {
    const reading = read([line('m', 3), bad, line('m', 4)])
    assert.equal(reading.kind, 'partial')
    assert.deepEqual(reading.tokens, createTokenCounts({ input: 7 }))
    assert.equal(reading.countedAs, 'batch:b1')
  }
})

test('reads a line of any length', () => {
  const reader = results.createUsageReader(request, { status: 200, header: () => null })
  const piece = Buffer.alloc(64 * 1024, 'x')
  reader.feed(Buffer.from('{"id":"i","text":"'))
  for (let count = 0; count < 64; count++) reader.feed(piece)
  reader.feed(Buffer.from('","model":"m","input":5}\n'))
  assert.deepEqual(reader.end(true).tokens, createTokenCounts({ input: 5 }))
})

const NOT_DUE: { name: string; pieces: readonly string[]; isWhole?: boolean }[] = [
  { name: 'an empty file', pieces: [] },
  { name: 'a picture', pieces: ['\u0089PNG\r\n', line('m', 3)] },
  { name: 'another kind of lines', pieces: ['{"messages":[]}\n', line('m', 3)] },
  { name: 'a broken first line', pieces: ['{"id":"i","model"\n', line('m', 3)] },
  { name: 'requests that all failed', pieces: ['{"id":"i"}\n{"id":"j"}\n'] },
  { name: 'a file that broke off', pieces: [line('m', 3)], isWhole: false },
]

for (const { name, pieces, isWhole } of NOT_DUE) {
  test(`charges nothing for ${name}`, () => {
    const reading = read(pieces, isWhole)
    assert.equal(reading.isCharged, false)
    assert.equal(reading.tokens, null)
    assert.equal(reading.countedAs, undefined)
  })
}
