// What the simulated upstream answers to a chat completion, in the words of the gateway or of
// OpenAI. Must stay true: the same request with the same number gets the same bytes, figures and
// cost.

import { formatMoney } from '../../../src/core/money.ts'
import type { Money } from '../../../src/core/money.ts'
import type { Steering } from '../steering.ts'

export type Dialect = 'gateway' | 'openai'

export interface ChatRequest {
  readonly model?: unknown
  readonly messages?: unknown
  readonly metadata?: unknown
  readonly stream?: unknown
  readonly stream_options?: { readonly include_usage?: unknown } | null
}

export interface AnswerOptions {
  readonly dialect: Dialect
  readonly request: ChatRequest
  readonly steering: Steering
  /** Which call of this upstream it is; ids are made from it. */
  readonly number: number
}

export interface ChatAnswer {
  /** What the account is charged, as the answer says; null where a dialect names no price. */
  readonly cost: Money | null
  /** The whole answer as one object. */
  readonly completion: unknown
  /** One event for each piece of text. */
  chunk(index: number): unknown
  /** What a stream ends with, usage included where the dialect and the request would have it. */
  readonly lastChunks: readonly unknown[]
}

const CREATED = 1_788_000_000
const WORDS = ['rivers', 'are', 'measured', 'where', 'they', 'fall', 'over', 'a', 'weir'] as const
const CHARS_PER_TOKEN = 4
/** 1 and 4 USD for a million tokens. */
const PROMPT_TOKEN_COST: Money = 1_000_000n
const COMPLETION_TOKEN_COST: Money = 4_000_000n

export function createChatAnswer(options: AnswerOptions): ChatAnswer {
  const { steering, request, number } = options
  const figures = toFigures(request, steering)
  const isGateway = options.dialect === 'gateway'
  const suffix = String(number).padStart(12, '0')
  const id = isGateway ? `gen_01FAKE${suffix}` : `chatcmpl-fake${suffix}`
  const base = { id, created: CREATED, model: steering.model, system_fingerprint: 'fp_fake' }
  const ofStream = { ...base, object: 'chat.completion.chunk' }
  const ofGateway = isGateway ? toGatewayParts(id, steering, figures) : null
  const usage = ofGateway?.usage ?? toUsage(figures)
  const metadata = ofGateway === null ? {} : { provider_metadata: ofGateway.metadata }
  const atRoot = isGateway ? { generationId: id } : { service_tier: 'default' }
  const includesUsage = request.stream_options?.include_usage === true
  const noUsage = !isGateway && includesUsage ? { usage: null } : {}
  const openEnd = { ...ofStream, choices: [choice({ delta: {} }, 'stop')], ...atRoot, ...noUsage }

  return {
    cost: isGateway ? figures.cost : null,
    completion: {
      ...base,
      object: 'chat.completion',
      choices: [choice({ message: { ...message(textOf(steering.chunks)), ...metadata } }, 'stop')],
      usage,
      ...atRoot,
    },
    chunk(index) {
      const delta = index === 0 ? message(wordAt(0)) : { content: wordAt(index) }
      return { ...ofStream, choices: [choice({ delta }, null)], ...noUsage }
    },
    lastChunks: isGateway
      ? [{ ...ofStream, choices: [choice({ delta: metadata }, 'stop')], usage, ...atRoot }]
      : [openEnd, ...(includesUsage ? [{ ...ofStream, choices: [], usage, ...atRoot }] : [])],
  }
}

export function createErrorBody(dialect: Dialect, status: number, message: string): unknown {
  const type = status >= 500 ? 'internal_server_error' : 'invalid_request_error'
  const error = { message, type, param: null, code: `fake_${status}` }
  return dialect === 'gateway' ? { error, generationId: 'gen_01FAKEERROR' } : { error }
}

interface Figures {
  readonly prompt: number
  readonly completion: number
  readonly cached: number
  readonly reasoning: number
  readonly cost: Money
  readonly marketCost: Money
}

function toFigures(request: ChatRequest, steering: Steering): Figures {
  const prompt = steering.promptTokens ?? estimateTokens(request.messages)
  const completion = steering.completionTokens ?? steering.chunks
  const listPrice = BigInt(prompt) * PROMPT_TOKEN_COST + BigInt(completion) * COMPLETION_TOKEN_COST
  const marketCost = steering.marketCost ?? (steering.isByok ? null : steering.cost) ?? listPrice
  const cost = steering.isByok ? 0n : (steering.cost ?? marketCost)
  const { cachedTokens: cached, reasoningTokens: reasoning } = steering
  return { prompt, completion, cached, reasoning, cost, marketCost }
}

function estimateTokens(messages: unknown): number {
  return Math.max(1, Math.ceil((JSON.stringify(messages) ?? '').length / CHARS_PER_TOKEN))
}

function toUsage(figures: Figures): Record<string, unknown> {
  const { prompt, completion, cached, reasoning } = figures
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  }
}

function toGatewayParts(
  generationId: string,
  steering: Steering,
  figures: Figures,
): { usage: unknown; metadata: unknown } {
  const cost = formatMoney(figures.cost)
  const marketCost = formatMoney(figures.marketCost)
  const { model, servedModel, isByok } = steering
  const attempt = { provider: 'fake', credentialType: isByok ? 'byok' : 'system', success: true }
  const served = { canonicalSlug: servedModel, success: true, providerAttempts: [attempt] }
  const failed = { canonicalSlug: model, success: false, providerAttempts: [] }
  const modelAttempts = servedModel === model ? [served] : [failed, served]
  const routing = { originalModelId: model, finalProvider: 'fake', modelAttempts }
  return {
    usage: {
      ...toUsage(figures),
      cost: Number(cost),
      market_cost: Number(marketCost),
      gateway_cost: Number(cost),
      is_byok: isByok,
    },
    metadata: { gateway: { routing, cost, marketCost, gatewayCost: cost, generationId } },
  }
}

function choice(content: Record<string, unknown>, finishReason: string | null): unknown {
  return { index: 0, ...content, logprobs: null, finish_reason: finishReason }
}

function message(content: string): Record<string, unknown> {
  return { role: 'assistant', content }
}

function wordAt(index: number): string {
  const word = WORDS[index % WORDS.length] as string
  return index === 0 ? word : ` ${word}`
}

function textOf(chunks: number): string {
  return Array.from({ length: chunks }, (_, index) => wordAt(index)).join('')
}
