// The calls of the torture: what the n-th caller asks, what the simulated provider answers, and
// what it costs, worked out from list prices here and not by the code under test. All of it follows
// from n.

import { formatMoney } from '../../src/core/money.ts'

export type CallKind =
  | 'openai-json'
  | 'openai-stream'
  | 'openai-untold'
  | 'gateway-json'
  | 'gateway-stream'
  | 'anthropic-stream'
  | 'refused'
  | 'abandoned'

export interface CallPlan {
  readonly n: number
  readonly kind: CallKind
  readonly path: string
  readonly body: string
  /** Of the answer, piece by piece. */
  readonly pieces: readonly string[]
  readonly status: number
  readonly isStreamed: boolean
  /**
   * In 1e-12 USD; null where it is not known to the picodollar: counted from texts, or broken off.
   */
  readonly cost: bigint | null
}

/** Commoner kinds stand more than once. */
const KINDS: readonly CallKind[] = [
  'openai-json',
  'openai-stream',
  'gateway-json',
  'gateway-stream',
  'anthropic-stream',
  'openai-json',
  'openai-stream',
  'gateway-stream',
  'openai-untold',
  'refused',
  'abandoned',
]

const OPENAI_MODEL = 'gpt-4.1-mini'
// USD a million tokens, times 1e6, is 1e-12 USD a token: 0.40 in, 0.10 cached, 1.60 out.
const OPENAI = { input: 400_000n, cached: 100_000n, output: 1_600_000n }
const ANTHROPIC_MODEL = 'claude-sonnet-4-5-20250929'
// 3 in, 0.30 read from the cache, 3.75 written to it for five minutes, 15 out.
const ANTHROPIC = { input: 3_000_000n, read: 300_000n, write: 3_750_000n, output: 15_000_000n }

export function planCall(n: number): CallPlan {
  const kind = KINDS[(n * 7) % KINDS.length] as CallKind
  switch (kind) {
    case 'openai-json':
    case 'openai-stream':
    case 'openai-untold':
    case 'refused':
    case 'abandoned':
      return planOpenai(n, kind)
    case 'gateway-json':
    case 'gateway-stream':
      return planGateway(n, kind)
    case 'anthropic-stream':
      return planAnthropic(n)
  }
}

function planOpenai(n: number, kind: CallKind): CallPlan {
  const input = 100 + (n % 977)
  const cached = n % 64
  const output = 10 + (n % 311)
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  }
  const cost =
    BigInt(input - cached) * OPENAI.input +
    BigInt(cached) * OPENAI.cached +
    BigInt(output) * OPENAI.output
  const isStreamed = kind !== 'openai-json' && kind !== 'refused'
  const isReported = kind === 'openai-stream'
  const options = isReported ? { stream_options: { include_usage: true } } : {}
  const shared = {
    n,
    kind,
    path: '/v1/openai/v1/chat/completions',
    body: toBody(n, { model: OPENAI_MODEL, stream: isStreamed, ...options }),
    isStreamed,
  }
  if (kind === 'refused') {
    const pieces = ['{"error":{"message":"later","type":"requests","code":"rate_limit_exceeded"}}']
    return { ...shared, status: 429, pieces, cost: 0n }
  }
  if (!isStreamed) {
    const pieces = [JSON.stringify({ ...toChat(n, OPENAI_MODEL), usage })]
    return { ...shared, status: 200, pieces, cost }
  }
  const pieces = [...toChunks(n, OPENAI_MODEL, isReported ? { usage } : null), 'data: [DONE]\n\n']
  return { ...shared, status: 200, pieces, cost: isReported ? cost : null }
}

function planGateway(n: number, kind: CallKind): CallPlan {
  const model = 'acme/writer'
  const cost = BigInt(n % 9973) * 1_234_567n + 1n
  const isStreamed = kind === 'gateway-stream'
  const usage = {
    prompt_tokens: 50 + (n % 500),
    completion_tokens: 5 + (n % 200),
    cost: formatMoney(cost),
    is_byok: false,
  }
  const pieces = isStreamed
    ? [...toChunks(n, model, { usage }), 'data: [DONE]\n\n']
    : [JSON.stringify({ ...toChat(n, model), usage })]
  const path = '/v1/gateway/v1/chat/completions'
  const body = toBody(n, { model, stream: isStreamed })
  return { n, kind, path, body, pieces, status: 200, isStreamed, cost }
}

function planAnthropic(n: number): CallPlan {
  const [input, read, write, output] = [20 + (n % 400), n % 900, n % 70, 8 + (n % 150)] as const
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write,
    output_tokens: 1,
  }
  const message = { id: `msg_${n}`, type: 'message', role: 'assistant', model: ANTHROPIC_MODEL }
  const delta = { type: 'text_delta', text: 'The weir measures. ' }
  const pieces = [
    { type: 'message_start', message: { ...message, content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: output } },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  const cost =
    BigInt(input) * ANTHROPIC.input +
    BigInt(read) * ANTHROPIC.read +
    BigInt(write) * ANTHROPIC.write +
    BigInt(output) * ANTHROPIC.output
  const path = '/v1/anthropic/v1/messages'
  const body = toBody(n, { model: ANTHROPIC_MODEL, stream: true, max_tokens: 500 })
  return { n, kind: 'anthropic-stream', path, body, pieces, status: 200, isStreamed: true, cost }
}

function toBody(n: number, members: object): string {
  const messages = [{ role: 'user', content: `Call ${n}: how high does the river stand?` }]
  return JSON.stringify({ ...members, messages })
}

function toChat(n: number, model: string): object {
  const message = { role: 'assistant', content: 'As high as yesterday.' }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return { id: `chatcmpl-${n}`, object: 'chat.completion', created: 1, model, choices }
}

function toChunks(n: number, model: string, last: object | null): string[] {
  const chunk = (members: object): string => {
    const base = { id: `chatcmpl-${n}`, object: 'chat.completion.chunk', created: 1, model }
    return `data: ${JSON.stringify({ ...base, ...members })}\n\n`
  }
  const said = ['As high ', 'as ', 'yesterday.'].map((content) =>
    chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  )
  const stop = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  return [...said, stop, ...(last === null ? [] : [chunk({ choices: [], ...last })])]
}
