// The `groq-sdk` client: chat, and a stream that reports its usage in Groq's own place.

import Groq from 'groq-sdk'

import { eventsReply, jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import { MESSAGES, toEvent } from './client-case.ts'
import type { Address, ClientCase } from './client-case.ts'

const MODEL = 'llama-3.3-70b-versatile'
const ANSWER = { id: 'chatcmpl-1', created: 1, model: MODEL }
const USAGE = {
  queue_time: 0.01,
  prompt_tokens: 10_000,
  prompt_time: 0.02,
  completion_tokens: 1000,
  completion_time: 0.5,
  total_tokens: 11_000,
  total_time: 0.52,
}
const EXPECTED = {
  requestedModel: MODEL,
  model: MODEL,
  tokens: { input: 10_000, output: 1000 },
  // 10,000 × 0.59 and 1000 × 0.79 USD a million.
  cost: '0.00669',
  source: 'price-book',
} as const

function create({ baseUrl, headers }: Address): Groq {
  const options = { apiKey: 'gsk_invented', maxRetries: 0 }
  return new Groq({ ...options, baseURL: baseUrl, defaultHeaders: headers })
}

function toChunk(delta: object, rest: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason: null }]
  return toEvent({ ...ANSWER, object: 'chat.completion.chunk', choices, ...rest })
}

export const groqCases: readonly ClientCase[] = [
  {
    name: 'groq: a chat completion',
    provider: 'groq',
    reply: jsonReply({
      ...ANSWER,
      object: 'chat.completion',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'The Ister.' }, finish_reason: 'stop' },
      ],
      usage: USAGE,
      x_groq: { id: 'req_1' },
    }),
    call: async (address) => {
      const request = { model: MODEL, messages: MESSAGES }
      const answer = await create(address).chat.completions.create(request)
      return answer.choices[0]?.message.content ?? ''
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: 'groq: a streamed chat completion',
    provider: 'groq',
    reply: eventsReply([
      toChunk({ role: 'assistant', content: '' }, { x_groq: { id: 'req_1' } }),
      toChunk({ content: 'The Ister.' }),
      toChunk({}, { x_groq: { id: 'req_1', usage: USAGE } }),
      'data: [DONE]\n\n',
    ]),
    call: async (address) => {
      const request = { model: MODEL, messages: MESSAGES, stream: true as const }
      let text = ''
      for await (const chunk of await create(address).chat.completions.create(request)) {
        text += chunk.choices[0]?.delta.content ?? ''
      }
      return text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
]
