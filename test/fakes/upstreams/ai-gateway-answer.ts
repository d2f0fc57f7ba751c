// What the gateway answers in the AI SDK's native protocol (specification 4): a language model's
// result whole and as stream parts, embeddings, errors. The model stands in a header, not in the
// body.

import { eventsReply, jsonReply } from './replying-upstream.ts'
import type { AnswerReply } from './replying-upstream.ts'

const GENERATION_ID = 'gen_01FAKE'
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'forbidden',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
}

export function aiGatewayResult(text: string): AnswerReply {
  return jsonReply({
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: toUsage(5),
    providerMetadata: toMetadata(),
    response: { id: GENERATION_ID, modelId: 'writer-001', timestamp: '2026-08-29T00:00:00.000Z' },
    warnings: [],
  })
}

export function aiGatewayParts(texts: readonly string[]): string[] {
  return [
    toPart({ type: 'stream-start', warnings: [] }),
    toPart({
      type: 'response-metadata',
      id: GENERATION_ID,
      modelId: 'writer-001',
      timestamp: '2026-08-29T00:00:00.000Z',
    }),
    toPart({ type: 'text-start', id: '0' }),
    ...texts.map((delta) => toPart({ type: 'text-delta', id: '0', delta })),
    toPart({ type: 'text-end', id: '0' }),
    toPart({
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: toUsage(texts.length),
      providerMetadata: toMetadata(),
    }),
    'data: [DONE]\n\n',
  ]
}

/** How many parts stand before the first text. */
export const AI_GATEWAY_PARTS_BEFORE_TEXT = 3

export function aiGatewayStream(texts: readonly string[]): AnswerReply {
  return eventsReply(aiGatewayParts(texts))
}

export function aiGatewayErrorPart(message: string): string {
  return toPart({ type: 'error', error: { type: 'internal_server_error', message } })
}

export function aiGatewayError(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): AnswerReply {
  const type = ERROR_TYPES[status] ?? 'internal_server_error'
  const error = { message: `As asked: ${status}`, type, param: null, code: String(status) }
  return jsonReply({ error, generationId: GENERATION_ID }, { status, headers })
}

export function aiGatewayEmbeddings(count: number): AnswerReply {
  const embeddings = Array.from({ length: count }, () => [0.25, -0.5, 1])
  return jsonReply({ embeddings, usage: { tokens: 3 }, providerMetadata: toMetadata() })
}

function toUsage(output: number): unknown {
  return {
    inputTokens: { total: 12, noCache: 12, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
    raw: { prompt_tokens: 12, completion_tokens: output },
  }
}

function toMetadata(): unknown {
  const routing = { originalModelId: 'acme/writer', finalProvider: 'fake', modelAttemptCount: 1 }
  const cost = '0.00001'
  return { gateway: { routing, cost, marketCost: cost, generationId: GENERATION_ID } }
}

function toPart(part: unknown): string {
  return `data: ${JSON.stringify(part)}\n\n`
}
