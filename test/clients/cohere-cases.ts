// The `cohere-ai` client: chat, streamed and not. What is billed is less than what was read.

import { CohereClientV2 } from 'cohere-ai'

import { eventsReply, jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import { MESSAGES, toEvent } from './client-case.ts'
import type { Address, ClientCase } from './client-case.ts'

const MODEL = 'command-r-plus'
const USAGE = {
  billed_units: { input_tokens: 2000, output_tokens: 300 },
  tokens: { input_tokens: 2060, output_tokens: 305 },
}
const EXPECTED = {
  requestedModel: MODEL,
  model: MODEL,
  tokens: { input: 2000, output: 300 },
  // 2000 × 2.50 and 300 × 10 USD a million.
  cost: '0.008',
  source: 'price-book',
} as const

function create({ baseUrl, headers }: Address): CohereClientV2 {
  return new CohereClientV2({ token: 'invented', environment: baseUrl, headers, maxRetries: 0 })
}

function toNamed(document: { type: string } & Record<string, unknown>): string {
  return toEvent(document, document.type)
}

export const cohereCases: readonly ClientCase[] = [
  {
    name: 'cohere: a chat',
    provider: 'cohere',
    reply: jsonReply({
      id: 'c-1',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'The Ister.' }] },
      usage: USAGE,
    }),
    call: async (address) => {
      const { message } = await create(address).chat({ model: MODEL, messages: MESSAGES })
      const [part] = message?.content ?? []
      return part?.type === 'text' ? part.text : ''
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: 'cohere: a streamed chat',
    provider: 'cohere',
    reply: eventsReply([
      toNamed({ type: 'message-start', id: 'c-1', delta: { message: { role: 'assistant' } } }),
      toNamed({
        type: 'content-start',
        index: 0,
        delta: { message: { content: { type: 'text', text: '' } } },
      }),
      toNamed({
        type: 'content-delta',
        index: 0,
        delta: { message: { content: { text: 'The Ister.' } } },
      }),
      toNamed({ type: 'content-end', index: 0 }),
      toNamed({ type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: USAGE } }),
    ]),
    call: async (address) => {
      let text = ''
      const stream = await create(address).chatStream({ model: MODEL, messages: MESSAGES })
      for await (const event of stream) {
        if (event.type === 'content-delta') text += event.delta?.message?.content?.text ?? ''
      }
      return text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
]
