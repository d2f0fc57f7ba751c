// The `@aws-sdk/client-bedrock-runtime` client with a bearer key: Converse, and the same streamed.

import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { NodeHttpHandler } from '@smithy/node-http-handler'

import { jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import type { AnswerReply } from '../fakes/upstreams/replying-upstream.ts'
import { QUESTION } from './client-case.ts'
import type { Address, ClientCase } from './client-case.ts'

const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const USAGE = {
  inputTokens: 1000,
  outputTokens: 200,
  totalTokens: 6200,
  cacheReadInputTokens: 4000,
  cacheWriteInputTokens: 1000,
}
const EXPECTED = {
  requestedModel: MODEL,
  model: MODEL,
  tokens: { input: 6000, cacheRead: 4000, cacheWrite5m: 1000, output: 200 },
  // The regional profile: 1000 × 3.30, 4000 × 0.33, 1000 × 4.125 and 200 × 16.50 USD a million.
  cost: '0.012045',
  source: 'price-book',
} as const

const REQUEST = {
  modelId: MODEL,
  messages: [{ role: 'user' as const, content: [{ text: QUESTION }] }],
}

function create({ baseUrl, headers }: Address): BedrockRuntimeClient {
  const client = new BedrockRuntimeClient({
    endpoint: baseUrl,
    region: 'us-east-1',
    token: { token: 'bedrock-api-key-invented' },
    authSchemePreference: ['httpBearerAuth'],
    maxAttempts: 1,
    // Left to itself this client speaks HTTP/2 without asking, which Weir does not.
    requestHandler: new NodeHttpHandler(),
  })
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: Record<string, string> }).headers, headers)
      return next(args)
    },
    { step: 'build' },
  )
  return client
}

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
)

function toMessage(type: string, payload: unknown): Uint8Array {
  const toHeader = (value: string) => ({ type: 'string' as const, value })
  return codec.encode({
    headers: {
      ':event-type': toHeader(type),
      ':content-type': toHeader('application/json'),
      ':message-type': toHeader('event'),
    },
    body: Buffer.from(JSON.stringify(payload)),
  })
}

const STREAM: AnswerReply = {
  headers: { 'content-type': 'application/vnd.amazon.eventstream' },
  pieces: [
    toMessage('messageStart', { role: 'assistant' }),
    toMessage('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'The Ister.' } }),
    toMessage('contentBlockStop', { contentBlockIndex: 0 }),
    toMessage('messageStop', { stopReason: 'end_turn' }),
    toMessage('metadata', { usage: USAGE, metrics: { latencyMs: 5 } }),
  ],
}

export const bedrockCases: readonly ClientCase[] = [
  {
    name: 'bedrock: a conversation',
    provider: 'bedrock',
    reply: jsonReply({
      output: { message: { role: 'assistant', content: [{ text: 'The Ister.' }] } },
      stopReason: 'end_turn',
      usage: USAGE,
      metrics: { latencyMs: 5 },
    }),
    call: async (address) => {
      const { output } = await create(address).send(new ConverseCommand(REQUEST))
      return output?.message?.content?.[0]?.text ?? ''
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: 'bedrock: a streamed conversation',
    provider: 'bedrock',
    reply: STREAM,
    call: async (address) => {
      const { stream } = await create(address).send(new ConverseStreamCommand(REQUEST))
      let text = ''
      for await (const event of stream ?? []) text += event.contentBlockDelta?.delta?.text ?? ''
      return text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
]
