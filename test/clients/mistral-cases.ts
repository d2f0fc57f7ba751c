// The `@mistralai/mistralai` client: chat, streamed and not.

import { HTTPClient, Mistral } from '@mistralai/mistralai'

import { eventsReply, jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import { MESSAGES, toEvent } from './client-case.ts'
import type { Address, ClientCase } from './client-case.ts'

const MODEL = 'mistral-large-latest'
const ANSWER = { id: 'cmpl-1', created: 1, model: MODEL }
const USAGE = { prompt_tokens: 3000, completion_tokens: 500, total_tokens: 3500 }
const EXPECTED = {
  requestedModel: MODEL,
  model: MODEL,
  tokens: { input: 3000, output: 500 },
  // The name stands for Mistral Large 3: 3000 × 0.5 and 500 × 1.5 USD a million.
  cost: '0.00225',
  source: 'price-book',
} as const

function create({ baseUrl, headers }: Address): Mistral {
  const httpClient = new HTTPClient()
  httpClient.addHook('beforeRequest', (request) => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    return request
  })
  return new Mistral({ apiKey: 'invented', serverURL: baseUrl, httpClient })
}

/** Content may also come in parts; these answers have texts. */
function toText(content: unknown): string {
  return typeof content === 'string' ? content : ''
}

export const mistralCases: readonly ClientCase[] = [
  {
    name: 'mistral: a chat completion',
    provider: 'mistral',
    reply: jsonReply({
      ...ANSWER,
      object: 'chat.completion',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'The Ister.' }, finish_reason: 'stop' },
      ],
      usage: USAGE,
    }),
    call: async (address) => {
      const answer = await create(address).chat.complete({ model: MODEL, messages: MESSAGES })
      return toText(answer.choices[0]?.message?.content)
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: 'mistral: a streamed chat completion',
    provider: 'mistral',
    reply: eventsReply([
      toEvent({
        ...ANSWER,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { role: 'assistant', content: 'The ' }, finish_reason: null }],
      }),
      toEvent({
        ...ANSWER,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { content: 'Ister.' }, finish_reason: 'stop' }],
        usage: USAGE,
      }),
      'data: [DONE]\n\n',
    ]),
    call: async (address) => {
      let text = ''
      const stream = await create(address).chat.stream({ model: MODEL, messages: MESSAGES })
      for await (const { data } of stream) text += toText(data.choices[0]?.delta.content)
      return text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
]
