// Searches on OpenAI's Responses and chat: which tool searched decides the fee. Figures are worked
// out by hand, in USD: developers.openai.com/api/docs/pricing has `web_search` at 10 per thousand
// calls, `web_search_preview` at 10 for reasoning models and 25 for the others; LiteLLM's price map
// 1.108.4 has the same per query, and 0.025 for a call to gpt-4o-search-preview.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { recordAnswer } from '../fakes/one-answer.ts'
import type { Answered } from '../fakes/one-answer.ts'

const SEARCH = { type: 'web_search_call', status: 'completed', action: { type: 'search' } }
const PAGE = { type: 'web_search_call', status: 'completed', action: { type: 'open_page' } }

interface Row {
  readonly title: string
  readonly model: string
  readonly tools: readonly string[]
  readonly units: Readonly<Record<string, number>>
  readonly cost: string | null
}

// A thousand input tokens: gpt-4o 0.0025, gpt-4.1-mini 0.0004, gpt-5 0.00125, o4-mini 0.0011.
const ROWS: readonly Row[] = [
  {
    title: 'the preview without reasoning: 0.0025 + 2 × 0.025',
    model: 'gpt-4o-2024-08-06',
    tools: ['web_search_preview'],
    units: { web_search_preview: 2 },
    cost: '0.0525',
  },
  {
    title: 'the dated preview: 0.0004 + 2 × 0.025',
    model: 'gpt-4.1-mini-2025-04-14',
    tools: ['function', 'web_search_preview_2025_03_11'],
    units: { web_search_preview: 2 },
    cost: '0.0504',
  },
  {
    title: 'the preview with reasoning: 0.00125 + 2 × 0.01',
    model: 'gpt-5-2025-08-07',
    tools: ['web_search_preview'],
    units: { web_search_preview: 2 },
    cost: '0.02125',
  },
  {
    title: 'the preview with reasoning of the o-series: 0.0011 + 2 × 0.01',
    model: 'o4-mini-2025-04-16',
    tools: ['web_search_preview'],
    units: { web_search_preview: 2 },
    cost: '0.0211',
  },
  {
    title: 'the tool that is no preview: 0.0025 + 2 × 0.01',
    model: 'gpt-4o-2024-08-06',
    tools: ['web_search'],
    units: { web_search: 2 },
    cost: '0.0225',
  },
  {
    title: 'both at once, of which the output does not say which one searched',
    model: 'gpt-4o-2024-08-06',
    tools: ['web_search_2025_08_26', 'web_search_preview'],
    units: { web_search_of_two: 2 },
    cost: null,
  },
]

function respond({ model, tools }: Row): object {
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model,
    output: [SEARCH, PAGE, SEARCH],
    tools: tools.map((type) => ({ type })),
    usage: { input_tokens: 1000, output_tokens: 0, total_tokens: 1000 },
  }
}

for (const row of ROWS) {
  const { title, model, units, cost } = row
  test(`a search on Responses: ${title}`, async (t) => {
    const answered: Answered = {
      provider: 'openai',
      path: '/v1/responses',
      request: { model, input: 'hi' },
      body: JSON.stringify(respond(row)),
    }
    const recorded = await recordAnswer(t, answered)
    assert.deepEqual(recorded.event.toolCalls, units)
    assert.equal(recorded.cost, cost)
  })
  test(`the same as a stream: ${title}`, async (t) => {
    const items = [SEARCH, PAGE, SEARCH].map((item) => ({
      type: 'response.output_item.done',
      item,
    }))
    const events = [...items, { type: 'response.completed', response: respond(row) }]
    const recorded = await recordAnswer(t, {
      provider: 'openai',
      path: '/v1/responses',
      request: { model, input: 'hi', stream: true },
      body: events
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
      contentType: 'text/event-stream',
    })
    assert.deepEqual(recorded.event.toolCalls, units)
    assert.equal(recorded.cost, cost)
  })
}

// LiteLLM: input and output per million tokens, and per call: gpt-4o-search-preview 2.50, 10,
// 0.025; its mini 0.15, 0.60, 0.025; gpt-5-search-api 1.25, 10, 0.01.
const CHATS = [
  ['gpt-4o-search-preview-2025-03-11', '0.0276'], // (1000 × 2.5 + 10 × 10) / 1e6 + 0.025
  ['gpt-4o-mini-search-preview', '0.025156'], // (1000 × 0.15 + 10 × 0.6) / 1e6 + 0.025
  ['gpt-5-search-api-2025-10-14', '0.01135'], // (1000 × 1.25 + 10 × 10) / 1e6 + 0.01
] as const

for (const [model, cost] of CHATS) {
  test(`a chat that searches with every answer: ${model}`, async (t) => {
    const usage = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 }
    const recorded = await recordAnswer(t, {
      provider: 'openai',
      path: '/v1/chat/completions',
      request: { model, messages: [] },
      body: JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        model,
        choices: [],
        usage,
      }),
    })
    assert.equal(recorded.cost, cost)
  })
}
