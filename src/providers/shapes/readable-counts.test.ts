import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createTokenCounts } from '../../core/token-counts.ts'
import { NO_READING } from '../provider.ts'
import { anthropicBatchResults } from './anthropic/anthropic-batch-results.ts'
import { AiSdkUsage } from './gateway/ai-sdk-usage.ts'
import { geminiBatchResults } from './gemini/gemini-batch-results.ts'
import { areReadable } from './json-leaves.ts'
import { openaiRealtime } from './openai/openai-realtime.ts'
import { toReadable } from './readable-counts.ts'

const GOOD = createTokenCounts({ input: 5, output: 2 })
const BAD = createTokenCounts({ input: 5, output: NaN })
const REPORTED = { ...NO_READING, kind: 'reported' } as const

test('leaves a reading as it is while all of its counts are readable', () => {
  const reading = { ...REPORTED, tokens: GOOD, toolCalls: { image: 1 } }
  assert.equal(toReadable(reading), reading)
})

test('takes no part of the usage for the whole where a count is not readable', () => {
  const partial = { ...NO_READING, kind: 'partial' }
  assert.deepEqual(toReadable({ ...REPORTED, tokens: BAD }), partial)
  const shares = [
    { model: null, tokens: GOOD },
    { model: 'other', tokens: BAD },
  ]
  assert.deepEqual(toReadable({ ...REPORTED, tokens: GOOD, shares }), partial)
  assert.deepEqual(toReadable({ ...REPORTED, tokens: GOOD, toolCalls: { image: 1, page: NaN } }), {
    ...partial,
    toolCalls: { image: 1 },
  })
})

const view = { method: 'GET', query: '', header: () => null, headers: () => [] }

test('counts the results of a batch as partial where one line has such a count', () => {
  const line = (output: unknown): string => {
    const usage = { input_tokens: 5, output_tokens: output }
    const message = { model: 'm', usage }
    return JSON.stringify({ custom_id: 'c', result: { type: 'succeeded', message } })
  }
  const path = '/v1/messages/batches/b1/results'
  const operation = anthropicBatchResults('/v1')
  const reader = operation.createUsageReader({ ...view, path }, { status: 200, header: () => null })
  reader.feed(Buffer.from(`${line(2)}\n${line('2')}\n`))
  const { kind, tokens, shares, countedAs } = reader.end(true)
  assert.deepEqual([kind, tokens, shares, countedAs], ['partial', null, undefined, 'batch:b1'])
})

test('counts a session as partial where one response has such a count', () => {
  const { tunnel } = openaiRealtime('/v1/realtime')
  const reader = tunnel?.createUsageReader({ ...view, path: '/v1/realtime' })
  for (const output of [2, 2.5]) {
    const usage = { input_tokens: 5, output_tokens: output, total_tokens: 5 + output }
    reader?.read(Buffer.from(JSON.stringify({ type: 'response.done', response: { usage } })))
  }
  const reading = reader?.end(true)
  assert.deepEqual([reading?.kind, reading?.tokens], ['partial', null])
})

test('counts a batch with its answers inside as partial, not as one that is still running', () => {
  const answers = [7, 'seven'].map((candidatesTokenCount) => {
    return { response: { usageMetadata: { promptTokenCount: 6, candidatesTokenCount } } }
  })
  const response = { inlinedResponses: { inlinedResponses: answers } }
  const [operation] = geminiBatchResults('/v1beta')
  const head = { status: 200, header: () => null }
  const reader = operation?.createUsageReader({ ...view, path: '/v1beta/batches/b1' }, head)
  reader?.feed(Buffer.from(JSON.stringify({ done: true, response })))
  const { kind, tokens, isCharged, countedAs } = reader?.end(true) ?? NO_READING
  assert.deepEqual([kind, tokens, isCharged, countedAs], ['partial', null, undefined, 'batch:b1'])
})

for (const usage of [
  { inputTokens: { total: '5' }, outputTokens: { total: 2 } },
  { inputTokens: { noCache: 5, cacheRead: -1 }, outputTokens: { total: 2 } },
  { inputTokens: 5, outputTokens: 2.5 },
]) {
  test(`reads no whole usage of the AI SDK's ${JSON.stringify(usage)}`, () => {
    const read = new AiSdkUsage()
    read.read(usage)
    const tokens = read.tokens()
    assert.ok(tokens !== null && !areReadable(tokens))
  })
}
