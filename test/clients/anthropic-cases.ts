// The `@anthropic-ai/sdk` client: messages with both kinds of cache writes, streamed and not.

import Anthropic from '@anthropic-ai/sdk'

import { eventsReply, jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import { MESSAGES, toEvent } from './client-case.ts'
import type { Address, ClientCase } from './client-case.ts'

const ASKED = 'claude-sonnet-4-5'
const SERVED = 'claude-sonnet-4-5-20250929'
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: SERVED,
  stop_sequence: null,
}
const INPUT = {
  input_tokens: 1000,
  cache_creation_input_tokens: 3000,
  cache_read_input_tokens: 10_000,
  cache_creation: { ephemeral_5m_input_tokens: 2000, ephemeral_1h_input_tokens: 1000 },
  service_tier: 'standard',
}

const EXPECTED = {
  requestedModel: ASKED,
  model: SERVED,
  tokens: {
    input: 14_000,
    cacheRead: 10_000,
    cacheWrite5m: 2000,
    cacheWrite1h: 1000,
    output: 400,
  },
  // 1000 × 3, 10,000 × 0.30, 2000 × 3.75, 1000 × 6 and 400 × 15 USD a million.
  cost: '0.0255',
  source: 'price-book',
} as const

function create({ baseUrl, headers }: Address): Anthropic {
  const options = { apiKey: 'sk-ant-invented', maxRetries: 0 }
  return new Anthropic({ ...options, baseURL: baseUrl, defaultHeaders: headers })
}

const REQUEST = { model: ASKED, max_tokens: 1000, messages: MESSAGES }

function toNamed(document: { type: string } & Record<string, unknown>): string {
  return toEvent(document, document.type)
}

export const anthropicCases: readonly ClientCase[] = [
  {
    name: 'anthropic: a message that reads and writes caches',
    provider: 'anthropic',
    reply: jsonReply({
      ...MESSAGE,
      content: [{ type: 'text', text: 'The Ister.' }],
      stop_reason: 'end_turn',
      usage: { ...INPUT, output_tokens: 400 },
    }),
    call: async (address) => {
      const { content } = await create(address).messages.create(REQUEST)
      return content[0]?.type === 'text' ? content[0].text : ''
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: 'anthropic: a streamed message that reads and writes caches',
    provider: 'anthropic',
    reply: eventsReply([
      toNamed({
        type: 'message_start',
        message: { ...MESSAGE, content: [], usage: { ...INPUT, output_tokens: 1 } },
      }),
      toNamed({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
      toNamed({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: 'The Ister.' },
      }),
      toNamed({ type: 'content_block_stop', index: 0 }),
      toNamed({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 400 },
      }),
      toNamed({ type: 'message_stop' }),
    ]),
    call: (address) => create(address).messages.stream(REQUEST).finalText(),
    text: 'The Ister.',
    expected: EXPECTED,
  },
]
