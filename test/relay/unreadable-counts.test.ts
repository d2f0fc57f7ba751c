// A count that is none, or a total that contradicts its parts: what was used is then not known, and
// half of a cost would be taken for the whole. All models here have a price.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Estimate } from '../../src/estimates/estimates.ts'
import { recordAnswer } from '../fakes/one-answer.ts'

interface Shape {
  readonly name: string
  readonly provider: string
  readonly path: string
  readonly model: string
  /** The answer with this usage. */
  readonly answer: (usage: object) => object
  /** Read as they are, at this cost. */
  readonly good: object
  readonly cost: string
  /** Members to put something else into. */
  readonly counts: readonly string[]
  readonly other?: readonly object[]
}

const chat = (usage: object): object => ({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage,
})

// USD per million tokens, input and output (LiteLLM's map 1.108.4): gpt-4o 2.50 and 10,
// text-embedding-3-small 0.02, gpt-image-1 5 and 40, mistral-large-latest 0.50 and 1.50,
// claude-sonnet-4-5 3 and 15, gemini-2.5-flash 0.30 and 2.50, command-a-03-2025 2.50 and 10,
// amazon.nova-lite-v1:0 0.06 and 0.24, grok-4 3 and 15.
const SHAPES: readonly Shape[] = [
  {
    name: 'a chat',
    provider: 'openai',
    path: '/v1/chat/completions',
    model: 'gpt-4o',
    answer: chat,
    good: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
    // 1000 × 2.50 + 100 × 10 = 3500 millionths.
    cost: '0.0035',
    counts: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
    other: [
      { total_tokens: 1500 },
      { total_tokens: 900 },
      { prompt_tokens: null },
      { completion_tokens: null },
      { prompt_tokens_details: { cached_tokens: '500' } },
      { completion_tokens_details: { reasoning_tokens: -1 } },
    ],
  },
  {
    name: 'a response',
    provider: 'openai',
    path: '/v1/responses',
    model: 'gpt-4o',
    answer: (usage) => ({ id: 'resp_1', object: 'response', status: 'completed', usage }),
    good: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
    cost: '0.0035',
    counts: ['input_tokens', 'output_tokens'],
    other: [{ total_tokens: 1101 }, { output_tokens: null }],
  },
  {
    name: 'embeddings',
    provider: 'openai',
    path: '/v1/embeddings',
    model: 'text-embedding-3-small',
    answer: (usage) => ({ object: 'list', data: [], usage }),
    good: { prompt_tokens: 1000, completion_tokens: null, total_tokens: 1000 },
    // 1000 × 0.02 = 20 millionths.
    cost: '0.00002',
    counts: ['prompt_tokens'],
    other: [{ total_tokens: 1001 }],
  },
  {
    name: 'images',
    provider: 'openai',
    path: '/v1/images/generations',
    model: 'gpt-image-1',
    answer: (usage) => ({ created: 1, data: [{}], usage }),
    good: { input_tokens: 10, output_tokens: 100, total_tokens: 110 },
    // 10 × 5 + 100 × 40 = 4050 millionths.
    cost: '0.00405',
    counts: ['input_tokens', 'output_tokens'],
    other: [{ total_tokens: 111 }, { input_tokens_details: { image_tokens: 2.5 } }],
  },
  {
    name: 'a chat of Mistral',
    provider: 'mistral',
    path: '/v1/chat/completions',
    model: 'mistral-large-latest',
    answer: chat,
    good: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
    // 1000 × 0.50 + 100 × 1.50 = 650 millionths.
    cost: '0.00065',
    counts: ['prompt_tokens', 'completion_tokens'],
    other: [{ total_tokens: 1101 }, { connector_tokens: '7' }],
  },
  {
    name: 'a chat of xAI, whose reasoning is beside its output',
    provider: 'xai',
    path: '/v1/chat/completions',
    model: 'grok-4',
    answer: chat,
    good: {
      prompt_tokens: 1000,
      completion_tokens: 60,
      total_tokens: 1100,
      completion_tokens_details: { reasoning_tokens: 40 },
    },
    // 1000 × 3 + 100 × 15 = 4500 millionths.
    cost: '0.0045',
    counts: ['prompt_tokens', 'completion_tokens'],
    other: [{ total_tokens: 1101 }, { completion_tokens_details: { reasoning_tokens: '40' } }],
  },
  {
    name: 'a message',
    provider: 'anthropic',
    path: '/v1/messages',
    model: 'claude-sonnet-4-5',
    answer: (usage) => ({ type: 'message', model: 'claude-sonnet-4-5', content: [], usage }),
    good: { input_tokens: 1000, output_tokens: 100 },
    // 1000 × 3 + 100 × 15 = 4500 millionths.
    cost: '0.0045',
    counts: ['input_tokens', 'output_tokens', 'cache_read_input_tokens'],
    other: [
      { input_tokens: null },
      { output_tokens: null },
      { cache_creation: { ephemeral_1h_input_tokens: 0.5 } },
      { server_tool_use: { web_search_requests: '3' } },
    ],
  },
  {
    name: 'generated content',
    provider: 'google',
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    model: 'gemini-2.5-flash',
    answer: (usageMetadata) => ({ candidates: [{ finishReason: 'STOP' }], usageMetadata }),
    // 64-bit numbers may be texts.
    good: { promptTokenCount: '1000', candidatesTokenCount: 100, totalTokenCount: 1100 },
    // 1000 × 0.30 + 100 × 2.50 = 550 millionths.
    cost: '0.00055',
    counts: ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount'],
    other: [{ totalTokenCount: 1101 }, { totalTokenCount: 1000 }],
  },
  {
    name: 'an interaction',
    provider: 'google',
    path: '/v1beta/interactions',
    model: 'gemini-2.5-flash',
    answer: (usage) => ({ id: 'i1', model: 'gemini-2.5-flash', status: 'completed', usage }),
    good: { total_input_tokens: 1000, total_output_tokens: 100, total_tokens: 1100 },
    // 1000 × 0.30 + 100 × 2.50 = 550 millionths.
    cost: '0.00055',
    counts: ['total_input_tokens', 'total_output_tokens', 'total_thought_tokens'],
    other: [{ total_tokens: 1101 }, { total_tokens: 1000 }],
  },
  {
    name: 'a chat of Cohere',
    provider: 'cohere',
    path: '/v2/chat',
    model: 'command-a-03-2025',
    answer: (billed) => ({ id: '1', message: {}, usage: { billed_units: billed } }),
    good: { input_tokens: 1000, output_tokens: 100 },
    cost: '0.0035',
    counts: ['input_tokens', 'output_tokens', 'search_units'],
  },
  {
    name: 'a conversation on Bedrock',
    provider: 'bedrock',
    path: '/model/amazon.nova-lite-v1%3A0/converse',
    model: 'amazon.nova-lite-v1:0',
    answer: (usage) => ({ output: {}, stopReason: 'end_turn', usage }),
    good: { inputTokens: 1000, outputTokens: 100, totalTokens: 1100 },
    // 1000 × 0.06 + 100 × 0.24 = 84 millionths.
    cost: '0.000084',
    counts: ['inputTokens', 'outputTokens', 'cacheReadInputTokens'],
    other: [{ totalTokens: 1101 }, { outputTokens: null }],
  },
]

const NO_COUNTS: readonly unknown[] = ['many', -1, 1.5, 1e300, true, {}]

const unasked: Estimate = () => {
  throw new Error('no estimate of what was reported, however badly')
}

for (const { name, provider, path, model, answer, good, cost, counts, other = [] } of SHAPES) {
  const call = { provider, path, request: { model }, estimate: unasked }

  test(`${name} costs what its counts say`, async (t) => {
    const body = JSON.stringify(answer(good))
    const recorded = await recordAnswer(t, { ...call, body })
    assert.deepEqual([recorded.event.usage, recorded.cost], ['reported', cost])
  })

  const bad = counts.flatMap((count) => NO_COUNTS.map((value) => ({ [count]: value })))
  // Cohere's units may be fractions.
  const unreadable = bad.filter(
    (each) => provider !== 'cohere' || !Object.values(each).includes(1.5),
  )
  for (const changes of [...unreadable, ...other]) {
    test(`${name} with ${JSON.stringify(changes)} has no known cost`, async (t) => {
      const body = JSON.stringify(answer({ ...good, ...changes }))
      const { event, cost: found } = await recordAnswer(t, { ...call, body })
      assert.deepEqual([event.status, event.usage, event.tokens], ['delivered', 'partial', null])
      assert.deepEqual([event.chargeable, found], [true, null])
    })
  }
}

// Mistral's tokens of sound are in the total alone; 203 seconds are billed beside the others.
test('a total with the tokens of sound contradicts nothing', async (t) => {
  const usage = {
    prompt_audio_seconds: 203,
    prompt_tokens: 4,
    completion_tokens: 635,
    total_tokens: 3264,
  }
  const body = JSON.stringify(chat(usage))
  const request = { model: 'voxtral-small-latest' }
  const path = '/v1/chat/completions'
  const { event } = await recordAnswer(t, { provider: 'mistral', path, request, body })
  assert.deepEqual([event.usage, event.tokens?.input, event.tokens?.output], ['reported', 4, 635])
})

test('a later count that can be read replaces one that cannot', async (t) => {
  const chunks = [
    { prompt_tokens: 1000, completion_tokens: null, total_tokens: 1000 },
    { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
  ].map((usage) => `data: ${JSON.stringify({ model: 'gpt-4o', choices: [], usage })}\n\n`)
  const { event, cost } = await recordAnswer(t, {
    provider: 'openai',
    path: '/v1/chat/completions',
    request: { model: 'gpt-4o', stream: true },
    contentType: 'text/event-stream',
    body: `${chunks.join('')}data: [DONE]\n\n`,
  })
  assert.deepEqual([event.usage, cost], ['reported', '0.0035'])
})

test('a count of a local model that cannot be read leaves its usage partial', async (t) => {
  const answer = { model: 'llama3.2', done: true, prompt_eval_count: 26, eval_count: '298' }
  const { event } = await recordAnswer(t, {
    provider: 'ollama',
    path: '/api/chat',
    request: { model: 'llama3.2' },
    contentType: 'application/x-ndjson',
    body: `${JSON.stringify(answer)}\n`,
  })
  assert.deepEqual([event.usage, event.tokens], ['partial', null])
})
