// The gateway's four dialects, each by the client that speaks it: `ai` with `@ai-sdk/gateway`,
// `openai` for chat and Responses, `@anthropic-ai/sdk` for messages.

import { createGateway } from '@ai-sdk/gateway'
import Anthropic from '@anthropic-ai/sdk'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'

import { eventsReply, jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import { MESSAGES, QUESTION, toEvent } from './client-case.ts'
import type { Address, ClientCase, ExpectedRecord } from './client-case.ts'

const ASKED = 'acme/writer'
const SERVED = 'acme/writer-mini'

/** Fell back to another model; the charge comes as a text. */
const GATEWAY = {
  routing: {
    originalModelId: ASKED,
    canonicalSlug: ASKED,
    finalProvider: 'acme',
    modelAttempts: [
      { canonicalSlug: ASKED, success: false, providerAttempts: [] },
      { canonicalSlug: SERVED, success: true, providerAttempts: [] },
    ],
  },
  cost: '0.0123456789',
  marketCost: '0.02',
  generationId: 'gen_01X',
}

const EXPECTED: ExpectedRecord = {
  requestedModel: ASKED,
  model: SERVED,
  tokens: { input: 120, cacheRead: 20, output: 40, reasoning: 10 },
  cost: '0.0123456789',
  source: 'gateway',
}

const NATIVE_USAGE = {
  inputTokens: { total: 120, noCache: 100, cacheRead: 20, cacheWrite: 0 },
  outputTokens: { total: 40, text: 30, reasoning: 10 },
}
const FINISH = { unified: 'stop', raw: 'stop' }

function toModel({ baseUrl, headers }: Address) {
  const provider = createGateway({ baseURL: `${baseUrl}/v4/ai`, apiKey: 'vck_invented', headers })
  return provider(ASKED)
}

function createOpenai({ baseUrl, headers }: Address): OpenAI {
  const options = { apiKey: 'vck_invented', maxRetries: 0 }
  return new OpenAI({ ...options, baseURL: `${baseUrl}/v1`, defaultHeaders: headers })
}

const nativeCases: readonly ClientCase[] = [
  {
    name: 'gateway: text by the AI SDK',
    provider: 'gateway',
    reply: jsonReply({
      content: [{ type: 'text', text: 'The Ister.' }],
      finishReason: FINISH,
      usage: NATIVE_USAGE,
      providerMetadata: { gateway: GATEWAY },
      response: { modelId: 'writer-upstream' },
      warnings: [],
    }),
    call: async (address) => {
      const { text } = await generateText({
        model: toModel(address),
        prompt: QUESTION,
        maxRetries: 0,
      })
      return text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: 'gateway: streamed text by the AI SDK',
    provider: 'gateway',
    reply: eventsReply([
      toEvent({ type: 'stream-start', warnings: [] }),
      toEvent({ type: 'response-metadata', id: 'r-1', modelId: 'writer-upstream' }),
      toEvent({ type: 'text-start', id: '0' }),
      toEvent({ type: 'text-delta', id: '0', delta: 'The Ister.' }),
      toEvent({ type: 'text-end', id: '0' }),
      toEvent({
        type: 'finish',
        finishReason: FINISH,
        usage: NATIVE_USAGE,
        providerMetadata: { gateway: GATEWAY },
      }),
    ]),
    call: async (address) => {
      const { text } = streamText({ model: toModel(address), prompt: QUESTION, maxRetries: 0 })
      return text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
]

const dialectCases: readonly ClientCase[] = [
  {
    name: 'gateway: a streamed chat completion whose cost is a text',
    provider: 'gateway',
    reply: eventsReply([
      toEvent({
        id: 'gen_01X',
        object: 'chat.completion.chunk',
        created: 1,
        model: ASKED,
        choices: [{ index: 0, delta: { content: 'The Ister.' }, finish_reason: null }],
      }),
      toEvent({
        id: 'gen_01X',
        object: 'chat.completion.chunk',
        created: 1,
        model: ASKED,
        choices: [
          { index: 0, delta: { provider_metadata: { gateway: GATEWAY } }, finish_reason: 'stop' },
        ],
        usage: {
          prompt_tokens: 120,
          completion_tokens: 40,
          total_tokens: 160,
          prompt_tokens_details: { cached_tokens: 20 },
          completion_tokens_details: { reasoning_tokens: 10 },
        },
        generationId: 'gen_01X',
      }),
      'data: [DONE]\n\n',
    ]),
    call: async (address) => {
      const request = { model: ASKED, messages: MESSAGES, stream: true as const }
      let text = ''
      for await (const chunk of await createOpenai(address).chat.completions.create(request)) {
        text += chunk.choices[0]?.delta.content ?? ''
      }
      return text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: 'gateway: a response',
    provider: 'gateway',
    reply: jsonReply({
      id: 'gen_01X',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'writer-2026-01-01',
      error: null,
      output: [
        {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'The Ister.', annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 120,
        input_tokens_details: { cached_tokens: 20 },
        output_tokens: 40,
        output_tokens_details: { reasoning_tokens: 10 },
        total_tokens: 160,
      },
      provider_metadata: { gateway: GATEWAY },
    }),
    call: async (address) => {
      const request = { model: ASKED, input: QUESTION }
      return (await createOpenai(address).responses.create(request)).output_text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: "gateway: a message with the caller's own key",
    provider: 'gateway',
    reply: jsonReply({
      id: 'gen_01X',
      type: 'message',
      role: 'assistant',
      model: ASKED,
      content: [{ type: 'text', text: 'The Ister.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 100, cache_read_input_tokens: 20, output_tokens: 40 },
      provider_metadata: {
        gateway: {
          routing: {
            canonicalSlug: SERVED,
            modelAttempts: [
              {
                canonicalSlug: SERVED,
                success: true,
                providerAttempts: [{ credentialType: 'byok', success: true }],
              },
            ],
          },
          cost: '0',
          marketCost: '0.02',
          generationId: 'gen_01X',
        },
      },
    }),
    call: async ({ baseUrl, headers }) => {
      const client = new Anthropic({
        baseURL: baseUrl,
        apiKey: 'vck_invented',
        defaultHeaders: headers,
        maxRetries: 0,
      })
      const { content } = await client.messages.create({
        model: ASKED,
        max_tokens: 100,
        messages: MESSAGES,
      })
      return content[0]?.type === 'text' ? content[0].text : ''
    },
    text: 'The Ister.',
    expected: {
      requestedModel: ASKED,
      model: SERVED,
      tokens: { input: 120, cacheRead: 20, output: 40 },
      cost: '0',
      source: 'byok-zero',
    },
  },
]

export const gatewayCases: readonly ClientCase[] = [...nativeCases, ...dialectCases]
