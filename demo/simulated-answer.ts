// What the simulated providers answer, each in its own format: whole or as a stream, and errors.
// Must stay true: framing and names are those of the real ones, since real SDKs read them and Weir
// meters them.

import { formatMoney } from '../src/core/money.ts'
import type { Money } from '../src/core/money.ts'

/** One call as every dialect knows it. */
export interface Use {
  readonly id: string
  readonly model: string
  /** The answer in pieces, as a stream sends it. */
  readonly pieces: readonly string[]
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly createdAt: number
  /**
   * The list price, and whether the caller's own provider key was used: only the gateway reports
   * them.
   */
  readonly listCost: Money
  readonly isByok: boolean
  /** Whether a stream reports its usage at its end. */
  readonly wantsUsage: boolean
}

export interface Dialect {
  readonly whole: (use: Use) => unknown
  readonly events: (use: Use) => readonly string[]
  readonly error: (status: number, message: string) => unknown
}

function toEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function toChatUsage({ input, output, cached }: Use): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  }
}

export const openaiDialect: Dialect = {
  whole: (use) => {
    const message = { role: 'assistant', content: use.pieces.join('') }
    const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }]
    return { ...toChat(use, 'chat.completion'), choices, usage: toChatUsage(use) }
  },
  events: (use) => {
    const chunk = toChat(use, 'chat.completion.chunk')
    const noUsage = use.wantsUsage ? { usage: null } : {}
    const deltas = use.pieces.map((content, at) =>
      toEvent({
        ...chunk,
        choices: [{ index: 0, delta: toDelta(content, at), finish_reason: null }],
        ...noUsage,
      }),
    )
    const stop = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...noUsage }
    const usage = { ...chunk, choices: [], usage: toChatUsage(use) }
    return [
      ...deltas,
      toEvent(stop),
      ...(use.wantsUsage ? [toEvent(usage)] : []),
      'data: [DONE]\n\n',
    ]
  },
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_error' : 'server_error',
      param: null,
      code: null,
    },
  }),
}

function toChat({ id, model, createdAt }: Use, object: string): object {
  const created = Math.floor(createdAt / 1000)
  return { id: `chatcmpl-${id}`, object, created, model, service_tier: 'default' }
}

function toDelta(content: string, at: number): object {
  return at === 0 ? { role: 'assistant', content } : { content }
}

export const anthropicDialect: Dialect = {
  whole: (use) => ({
    ...toMessage(use),
    content: [{ type: 'text', text: use.pieces.join('') }],
    stop_reason: 'end_turn',
    usage: toMessageUsage(use, use.output),
  }),
  events: (use) => {
    const message = {
      ...toMessage(use),
      content: [],
      stop_reason: null,
      usage: toMessageUsage(use, 1),
    }
    const start = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    }
    const deltas = use.pieces.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    }))
    const delta = { stop_reason: 'end_turn', stop_sequence: null }
    const events = [
      { type: 'message_start', message },
      start,
      ...deltas,
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta, usage: { output_tokens: use.output } },
      { type: 'message_stop' },
    ]
    // Without its name the SDK drops an event.
    return events.map((event) => `event: ${event.type}\n${toEvent(event)}`)
  },
  error: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'overloaded_error', message },
  }),
}

function toMessage({ id, model }: Use): object {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null }
}

function toMessageUsage({ input, cached }: Use, output: number): object {
  return {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
    output_tokens: output,
  }
}

export const googleDialect: Dialect = {
  whole: (use) => toContent(use, { text: use.pieces.join(''), isLast: true }),
  events: (use) =>
    use.pieces.map((text, at) => {
      const content = toContent(use, { text, isLast: at === use.pieces.length - 1 })
      return `data: ${JSON.stringify(content)}\r\n\r\n`
    }),
  error: (status, message) => ({
    error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE' },
  }),
}

function toContent(use: Use, { text, isLast }: { text: string; isLast: boolean }): object {
  const { id, model, input, output, cached } = use
  const candidate = { content: { role: 'model', parts: [{ text }] }, index: 0 }
  return {
    candidates: [isLast ? { ...candidate, finishReason: 'STOP' } : candidate],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
      cachedContentTokenCount: cached,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
    },
    modelVersion: model,
    responseId: id,
  }
}

/** The AI SDK's own protocol, in its fourth version. */
export const gatewayDialect: Dialect = {
  whole: (use) => ({
    content: [{ type: 'text', text: use.pieces.join('') }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: toNativeUsage(use),
    providerMetadata: toGatewayMetadata(use),
    response: { id: `gen_${use.id}`, modelId: use.model.split('/').at(-1) },
    warnings: [],
  }),
  events: (use) => {
    const end = { finishReason: { unified: 'stop', raw: 'stop' }, usage: toNativeUsage(use) }
    const parts = [
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: `gen_${use.id}`, modelId: use.model.split('/').at(-1) },
      { type: 'text-start', id: '0' },
      ...use.pieces.map((delta) => ({ type: 'text-delta', id: '0', delta })),
      { type: 'text-end', id: '0' },
      { type: 'finish', ...end, providerMetadata: toGatewayMetadata(use) },
    ]
    return [...parts.map(toEvent), 'data: [DONE]\n\n']
  },
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_exceeded' : 'internal_server_error',
      param: null,
      code: null,
    },
  }),
}

function toNativeUsage({ input, output, cached }: Use): object {
  return {
    inputTokens: { total: input, noCache: input - cached, cacheRead: cached, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
    raw: { prompt_tokens: input, completion_tokens: output },
  }
}

function toGatewayMetadata({ id, model, listCost, isByok }: Use): object {
  const credentialType = isByok ? 'byok' : 'system'
  const [provider = ''] = model.split('/')
  const attempt = { provider, credentialType, success: true }
  const modelAttempts = [{ canonicalSlug: model, success: true, providerAttempts: [attempt] }]
  const routing = { originalModelId: model, finalProvider: provider, modelAttempts }
  const cost = formatMoney(isByok ? 0n : listCost)
  const generationId = `gen_${id}`
  return { gateway: { routing, cost, marketCost: formatMoney(listCost), generationId } }
}

/** The gateway's chat: OpenAI's, with what it charged. */
export const gatewayChatDialect: Dialect = {
  whole: (use) => ({
    ...(openaiDialect.whole(use) as object),
    id: `gen_${use.id}`,
    usage: { ...toChatUsage(use), ...toChatCost(use) },
    generationId: `gen_${use.id}`,
  }),
  events: (use) => {
    const chunk = { ...toChat(use, 'chat.completion.chunk'), id: `gen_${use.id}` }
    const deltas = use.pieces.map((content, at) =>
      toEvent({ ...chunk, choices: [{ index: 0, delta: toDelta(content, at) }] }),
    )
    const usage = { ...toChatUsage(use), ...toChatCost(use) }
    const choices = [{ index: 0, delta: {}, finish_reason: 'stop' }]
    const last = { ...chunk, choices, usage, generationId: `gen_${use.id}` }
    return [...deltas, toEvent(last), 'data: [DONE]\n\n']
  },
  error: gatewayDialect.error,
}

function toChatCost({ listCost, isByok }: Use): object {
  const marketCost = Number(formatMoney(listCost))
  return { cost: isByok ? 0 : marketCost, market_cost: marketCost, is_byok: isByok }
}
