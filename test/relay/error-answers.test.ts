// An error in the place of an answer, under a status that says it went well: nothing was made, so
// nothing is due. An error behind an answer's beginning leaves its cost open.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { recordAnswer } from '../fakes/one-answer.ts'

const SSE = 'text/event-stream'
const ERROR = { message: 'The engine is overloaded', type: 'server_error', code: 503 }

interface Case {
  readonly name: string
  readonly provider: string
  readonly path: string
  readonly model: string
  readonly body: string
  readonly contentType?: string
}

const CHAT = { provider: 'openai', path: '/v1/chat/completions', model: 'gpt-4o' }
const CLAUDE = { provider: 'anthropic', path: '/v1/messages', model: 'claude-sonnet-4-5' }
const CLAUDE_ERROR = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }

const FREE: readonly Case[] = [
  { name: 'a chat', ...CHAT, body: JSON.stringify({ error: ERROR }) },
  {
    name: 'the stream of a chat',
    ...CHAT,
    contentType: SSE,
    body: `data: ${JSON.stringify({ error: ERROR })}\n\n`,
  },
  {
    name: 'embeddings',
    provider: 'openai',
    path: '/v1/embeddings',
    model: 'text-embedding-3-small',
    body: JSON.stringify({ error: ERROR }),
  },
  {
    name: 'images',
    provider: 'openai',
    path: '/v1/images/generations',
    model: 'gpt-image-1',
    body: JSON.stringify({ error: ERROR }),
  },
  { name: 'a message', ...CLAUDE, body: JSON.stringify(CLAUDE_ERROR) },
  {
    name: 'the stream of a message',
    ...CLAUDE,
    contentType: SSE,
    body: `event: error\ndata: ${JSON.stringify(CLAUDE_ERROR)}\n\n`,
  },
  {
    name: 'generated content',
    provider: 'google',
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    model: 'gemini-2.5-flash',
    body: JSON.stringify({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
  },
  {
    name: 'a local model',
    provider: 'ollama',
    path: '/api/chat',
    model: 'llama3.2',
    contentType: 'application/x-ndjson',
    body: `${JSON.stringify({ error: 'out of memory' })}\n`,
  },
]

for (const { name, model, ...answer } of FREE) {
  test(`an error in the place of ${name} costs nothing`, async (t) => {
    const { event, cost } = await recordAnswer(t, { ...answer, request: { model } })
    assert.deepEqual([event.status, event.httpStatus], ['delivered', 200])
    assert.deepEqual([event.errorCode, event.usage], ['provider_error', 'none'])
    assert.deepEqual([event.chargeable, cost], [false, '0'])
  })
}

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ model: 'gpt-4o', choices: [{ index: 0, delta: { content } }] })}\n\n`

for (const [name, body, cost] of [
  ['text', `${chunk('Hello')}data: ${JSON.stringify({ error: ERROR })}\n\n`, null],
  ['a beginning without text', `${chunk('')}data: ${JSON.stringify({ error: ERROR })}\n\n`, null],
  // 1000 × 2.50 + 100 × 10 USD per million (gpt-4o, LiteLLM's map 1.108.4) = 3500 millionths.
  [
    'a usage',
    JSON.stringify({ error: ERROR, usage: { prompt_tokens: 1000, completion_tokens: 100 } }),
    '0.0035',
  ],
] as const) {
  test(`an error behind ${name} does not make it free`, async (t) => {
    const contentType = body.startsWith('data') ? SSE : 'application/json'
    const { model, ...place } = CHAT
    const recorded = await recordAnswer(t, { ...place, contentType, body, request: { model } })
    assert.deepEqual([recorded.event.chargeable, recorded.cost], [true, cost])
  })
}
