// The `openai` client: chat, its streams with and without usage, Responses, embeddings,
// transcription.

import OpenAI, { toFile } from 'openai'

import { eventsReply, jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import { MESSAGES, QUESTION, toEvent } from './client-case.ts'
import type { Address, ClientCase } from './client-case.ts'

const ASKED = 'gpt-4o-mini'
const SERVED = 'gpt-4o-mini-2024-07-18'

function create({ baseUrl, headers }: Address): OpenAI {
  const options = { apiKey: 'sk-invented', maxRetries: 0 }
  return new OpenAI({ ...options, baseURL: `${baseUrl}/v1`, defaultHeaders: headers })
}

const COMPLETION = { id: 'chatcmpl-1', created: 1, model: SERVED, service_tier: 'default' }

function toChunk(content: string, rest: object = {}): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }]
  return toEvent({ ...COMPLETION, object: 'chat.completion.chunk', choices, ...rest })
}

const USAGE = {
  prompt_tokens: 1000,
  completion_tokens: 100,
  total_tokens: 1100,
  prompt_tokens_details: { cached_tokens: 400, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
}
/** 600 × 0.15, 400 × 0.075 and 100 × 0.60 USD a million. */
const CHAT_COST = '0.00018'
const CHAT_TOKENS = { input: 1000, output: 100, cacheRead: 400 }

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: SERVED,
  background: false,
  error: null,
  service_tier: 'default',
}
const OUTPUT = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'The Ister.', annotations: [] }],
}
const RESPONSE_USAGE = {
  input_tokens: 2000,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 500,
  output_tokens_details: { reasoning_tokens: 300 },
  total_tokens: 2500,
}
/** 2000 × 0.15 and 500 × 0.60 USD a million. */
const RESPONSE_COST = '0.0006'
const RESPONSE_TOKENS = { input: 2000, output: 500, reasoning: 300 }

async function readChat(address: Address, includesUsage: boolean): Promise<string> {
  const options = includesUsage ? { stream_options: { include_usage: true } } : {}
  const request = { model: ASKED, messages: MESSAGES, stream: true as const, ...options }
  let text = ''
  for await (const chunk of await create(address).chat.completions.create(request)) {
    text += chunk.choices[0]?.delta.content ?? ''
  }
  return text
}

async function readResponse(address: Address): Promise<string> {
  let text = ''
  const request = { model: ASKED, input: QUESTION, stream: true as const }
  for await (const event of await create(address).responses.create(request)) {
    if (event.type === 'response.output_text.delta') text += event.delta
  }
  return text
}

const chatCases: readonly ClientCase[] = [
  {
    name: 'openai: a chat completion',
    provider: 'openai',
    reply: jsonReply({
      ...COMPLETION,
      object: 'chat.completion',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'The Ister.' }, finish_reason: 'stop' },
      ],
      usage: USAGE,
    }),
    call: async (address) => {
      const answer = await create(address).chat.completions.create({
        model: ASKED,
        messages: MESSAGES,
      })
      return answer.choices[0]?.message.content ?? ''
    },
    text: 'The Ister.',
    expected: {
      requestedModel: ASKED,
      model: SERVED,
      tokens: CHAT_TOKENS,
      cost: CHAT_COST,
      source: 'price-book',
    },
  },
  {
    name: 'openai: a streamed chat completion with its usage',
    provider: 'openai',
    reply: eventsReply([
      toChunk('The ', { usage: null }),
      toChunk('Ister.', { usage: null }),
      toEvent({ ...COMPLETION, object: 'chat.completion.chunk', choices: [], usage: USAGE }),
      'data: [DONE]\n\n',
    ]),
    call: (address) => readChat(address, true),
    text: 'The Ister.',
    expected: {
      requestedModel: ASKED,
      model: SERVED,
      tokens: CHAT_TOKENS,
      cost: CHAT_COST,
      source: 'price-book',
    },
  },
  {
    name: 'openai: a streamed chat completion that never says what it used',
    provider: 'openai',
    reply: eventsReply([toChunk('The river '), toChunk('is the Ister.'), 'data: [DONE]\n\n']),
    call: (address) => readChat(address, false),
    text: 'The river is the Ister.',
    expected: {
      requestedModel: ASKED,
      model: SERVED,
      // "Name a river." has 4 tokens, 3 go with every message and 1 with its role, 3 begin the
      // answer; "The river is the Ister." has 7.
      tokens: { input: 11, output: 7 },
      usage: 'estimated',
      // 11 × 0.15 and 7 × 0.60 USD a million.
      cost: '0.00000585',
      source: 'price-book',
    },
  },
]

const responseCases: readonly ClientCase[] = [
  {
    name: 'openai: a response',
    provider: 'openai',
    reply: jsonReply({
      ...RESPONSE,
      status: 'completed',
      output: [OUTPUT],
      usage: RESPONSE_USAGE,
    }),
    call: async (address) => {
      const answer = await create(address).responses.create({ model: ASKED, input: QUESTION })
      return answer.output_text
    },
    text: 'The Ister.',
    expected: {
      requestedModel: ASKED,
      model: SERVED,
      tokens: RESPONSE_TOKENS,
      cost: RESPONSE_COST,
      source: 'price-book',
    },
  },
  {
    name: 'openai: a streamed response',
    provider: 'openai',
    reply: eventsReply([
      toEvent(
        {
          type: 'response.created',
          sequence_number: 0,
          response: { ...RESPONSE, status: 'in_progress', output: [], usage: null },
        },
        'response.created',
      ),
      toEvent(
        {
          type: 'response.output_text.delta',
          sequence_number: 1,
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta: 'The Ister.',
        },
        'response.output_text.delta',
      ),
      toEvent(
        {
          type: 'response.completed',
          sequence_number: 2,
          response: { ...RESPONSE, status: 'completed', output: [OUTPUT], usage: RESPONSE_USAGE },
        },
        'response.completed',
      ),
    ]),
    call: readResponse,
    text: 'The Ister.',
    expected: {
      requestedModel: ASKED,
      model: SERVED,
      tokens: RESPONSE_TOKENS,
      cost: RESPONSE_COST,
      source: 'price-book',
    },
  },
]

const otherCases: readonly ClientCase[] = [
  {
    name: 'openai: embeddings',
    provider: 'openai',
    reply: jsonReply({
      object: 'list',
      model: 'text-embedding-3-small',
      data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }],
      usage: { prompt_tokens: 5000, total_tokens: 5000 },
    }),
    call: async (address) => {
      const request = { model: 'text-embedding-3-small', input: QUESTION }
      const answer = await create(address).embeddings.create({
        ...request,
        encoding_format: 'float',
      })
      return String(answer.data[0]?.embedding.length)
    },
    text: '2',
    expected: {
      requestedModel: 'text-embedding-3-small',
      model: 'text-embedding-3-small',
      tokens: { input: 5000 },
      // 5000 × 0.02 USD a million.
      cost: '0.0001',
      source: 'price-book',
    },
  },
  {
    name: 'openai: a transcription sent as a form',
    provider: 'openai',
    reply: jsonReply({
      text: 'The Ister.',
      usage: {
        type: 'tokens',
        input_tokens: 200,
        input_token_details: { text_tokens: 20, audio_tokens: 180 },
        output_tokens: 10,
        total_tokens: 210,
      },
    }),
    call: async (address) => {
      const file = await toFile(Buffer.from('RIFF0000WAVE'), 'river.wav')
      const request = { file, model: 'gpt-4o-mini-transcribe' }
      const answer = await create(address).audio.transcriptions.create(request)
      return answer.text
    },
    text: 'The Ister.',
    expected: {
      requestedModel: 'gpt-4o-mini-transcribe',
      model: 'gpt-4o-mini-transcribe',
      tokens: { input: 200, inputAudio: 180, output: 10 },
      // 20 × 1.25, 180 × 3 and 10 × 5 USD a million.
      cost: '0.000615',
      source: 'price-book',
    },
  },
]

export const openaiCases: readonly ClientCase[] = [...chatCases, ...responseCases, ...otherCases]
