// Six calls that are easily counted wrong, through the real program, against totals worked out by
// hand: caches written for two lengths of time, a fallback between models, a cost that is a text,
// the caller's own key, a background answer that is read again and again, thoughts that come on
// top.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openLedgerStore } from '../../../src/store/open-store.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { formatMoney } from '../../../src/core/money.ts'
import type { UsageSum } from '../../../src/store/usage/usage-store.ts'
import {
  eventsReply,
  jsonReply,
  openReplyingUpstream,
} from '../../fakes/upstreams/replying-upstream.ts'
import type { AnswerReply } from '../../fakes/upstreams/replying-upstream.ts'
import { openScene } from '../scene.ts'
import type { Scene } from '../scene.ts'

interface Step {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly reply: AnswerReply
}

const MESSAGES = [{ role: 'user', content: 'Name a river.' }]
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }

/**
 * 1000 × 3, 10,000 × 0.30, 2000 × 3.75, 1000 × 6 and 400 × 15 USD a million: 0.0255 for 14,400
 * tokens.
 */
const SONNET: Step = {
  path: '/anthropic/v1/messages',
  body: { model: 'claude-sonnet-4-5', max_tokens: 500, messages: MESSAGES },
  reply: jsonReply({
    ...MESSAGE,
    model: 'claude-sonnet-4-5-20250929',
    usage: {
      input_tokens: 1000,
      cache_creation_input_tokens: 3000,
      cache_read_input_tokens: 10_000,
      cache_creation: { ephemeral_5m_input_tokens: 2000, ephemeral_1h_input_tokens: 1000 },
      output_tokens: 400,
    },
  }),
}

/**
 * Opus declined: 1000 × 5 and 10 × 25. Sonnet answered: 1000 × 3 and 200 × 15. Together 0.01125 for
 * 2210 tokens; the figures at the top are Sonnet's alone and are not added.
 */
const FALLBACK: Step = {
  path: '/anthropic/v1/messages',
  body: {
    model: 'claude-opus-4-5',
    max_tokens: 500,
    fallbacks: [{ model: 'claude-sonnet-4-5' }],
    messages: MESSAGES,
  },
  reply: jsonReply({
    ...MESSAGE,
    model: 'claude-sonnet-4-5',
    usage: {
      input_tokens: 1000,
      output_tokens: 200,
      iterations: [
        { type: 'message', model: 'claude-opus-4-5', input_tokens: 1000, output_tokens: 10 },
        {
          type: 'fallback_message',
          model: 'claude-sonnet-4-5',
          input_tokens: 1000,
          output_tokens: 200,
        },
      ],
    },
  }),
}

const CHUNK = { id: 'gen_01A', object: 'chat.completion.chunk', created: 1, model: 'acme/writer' }
const CHAT_USAGE = { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160 }

/** 0.0123456789 for 160 tokens, in two spellings of the same charge, which counts once. */
const TEXT_COST: Step = {
  path: '/gateway/v1/chat/completions',
  body: { model: 'acme/writer', stream: true, messages: MESSAGES },
  reply: eventsReply([
    `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: { content: 'Ister' } }] })}\n\n`,
    `data: ${JSON.stringify({
      ...CHUNK,
      choices: [
        {
          index: 0,
          delta: {
            provider_metadata: { gateway: { cost: '0.0123456789', generationId: 'gen_01A' } },
          },
          finish_reason: 'stop',
        },
      ],
      usage: { ...CHAT_USAGE, cost: '0.0123456789' },
    })}\n\n`,
    'data: [DONE]\n\n',
  ]),
}

/** Nothing, for 160 tokens. */
const OWN_KEY: Step = {
  path: '/gateway/v1/chat/completions',
  body: { model: 'acme/writer', messages: MESSAGES },
  reply: jsonReply({
    id: 'gen_01B',
    object: 'chat.completion',
    model: 'acme/writer',
    choices: [],
    usage: { ...CHAT_USAGE, cost: 0, market_cost: 0.5, is_byok: true },
  }),
}

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  background: true,
  model: 'gpt-4o-mini-2024-07-18',
  output: [],
  error: null,
}
const QUEUED: Step = {
  path: '/openai/v1/responses',
  body: { model: 'gpt-4o-mini', input: 'Name a river.', background: true },
  reply: jsonReply({ ...RESPONSE, status: 'queued', usage: null }),
}
const LOOK = { method: 'GET', path: '/openai/v1/responses/resp_1' }
const RUNNING: Step = {
  ...LOOK,
  reply: jsonReply({ ...RESPONSE, status: 'in_progress', usage: null }),
}
/** 2000 × 0.15 and 500 × 0.60 USD a million: 0.0006 for 2500 tokens, however often it is read. */
const COMPLETED: Step = {
  ...LOOK,
  reply: jsonReply({
    ...RESPONSE,
    status: 'completed',
    usage: {
      input_tokens: 2000,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 500,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2500,
    },
  }),
}

/** 4000 × 0.30, 2000 × 0.03 and (300 + 700) × 2.50 USD a million: 0.00376 for 7000 tokens. */
const THOUGHTS: Step = {
  path: '/google/v1beta/models/gemini-2.5-flash:generateContent',
  body: { contents: [{ role: 'user', parts: [{ text: 'Name a river.' }] }] },
  reply: jsonReply({
    candidates: [],
    modelVersion: 'gemini-2.5-flash',
    usageMetadata: {
      promptTokenCount: 5000,
      cachedContentTokenCount: 2000,
      toolUsePromptTokenCount: 1000,
      candidatesTokenCount: 300,
      thoughtsTokenCount: 700,
      totalTokenCount: 7000,
    },
  }),
}

const STEPS: readonly Step[] = [
  SONNET,
  FALLBACK,
  TEXT_COST,
  OWN_KEY,
  QUEUED,
  RUNNING,
  ...Array.from({ length: 5 }, () => COMPLETED),
  THOUGHTS,
]

/** As servers answer that keep no responses, and so need no new id for each. */
const SAME_ID: Step = {
  path: '/openai/v1/responses',
  body: { model: 'gpt-4o-mini', input: 'x' },
  reply: jsonReply({
    id: 'resp_0',
    object: 'response',
    status: 'completed',
    model: 'gpt-4o-mini',
    usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
  }),
}

const closes: (() => Promise<void>)[] = []
let scene: Scene

before(async () => {
  const upstream = await openReplyingUpstream([...STEPS, SAME_ID].map(({ reply }) => reply))
  closes.push(() => upstream.close())
  const providers = ['GATEWAY', 'OPENAI', 'ANTHROPIC', 'GOOGLE']
  const settings = providers.map((id) => [`PROVIDER_${id}_URL`, upstream.url])
  scene = await openScene(
    { after: (close) => closes.push(close) },
    { ...(Object.fromEntries(settings) as Record<string, string>), PROXY_WORKERS: '1' },
  )
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

async function take({ method = 'POST', path, body }: Step): Promise<string> {
  const response = await fetch(`${scene.program.addresses.proxy}/v1${path}`, {
    method,
    headers: { 'x-svc-api-key': scene.key.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.equal(response.status, 200)
  await response.arrayBuffer()
  return response.headers.get('x-svc-request-id') as string
}

test('calls that are easily counted wrong add up to what was worked out by hand', async () => {
  for (const step of STEPS) await take(step)
  // 0.0255 + 0.01125 + 0.0123456789 + 0 + 0.0006 + 0.00376, to the billionth.
  await scene.untilValue('metric=cost_usd&window=today', 0.053455679)
  const sum = await sumMonth(scene.program.dataDir)
  assert.deepEqual(
    { cost: formatMoney(sum.cost), requests: sum.requests, unpriced: sum.unpriced },
    { cost: '0.0534556789', requests: STEPS.length, unpriced: 0 },
  )
  // 14,400 + 2210 + 160 + 160 + 2500 + 7000.
  assert.equal(sum.tokens, 26_430)
})

// Calls of their own, unless they say that they read a stored object again.
test('three answers with the same response id are three calls, and none of them is free', async () => {
  const costs = new Set<string>()
  for (let call = 0; call < 3; call++) {
    const { event, cost } = await scene.record(await take(SAME_ID))
    assert.deepEqual([event.chargeable, event.tokens?.input], [true, 1000])
    costs.add(String(cost.amount))
  }
  assert.equal(costs.size, 1)
  assert.ok(!costs.has('0') && !costs.has('null'))
})

async function sumMonth(dataDir: string): Promise<UsageSum> {
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  try {
    const month = new Date(systemClock.now()).toISOString().slice(0, 7)
    const period = { grain: 'month', from: month, to: month } as const
    const sums = await store.usage.sum({ period, grouping: { by: 'total' }, keyId: null })
    return sums[0] as UsageSum
  } finally {
    await store.close()
  }
}
