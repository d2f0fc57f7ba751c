// The upstream's answers, built once: what it costs to make them is not part of any figure. Each
// names its usage and its cost as the gateway does, so that metering has everything to read.

import { EVENTS_PER_STREAM, ID, MODEL } from './calls.ts'

/**
 * chat    a chat completion as one JSON document
 * stream  a chat completion of many events, each in a write of its own, as fast as they go
 * paced   the same with a pause between events, so that each goes its way alone
 * steady  a stream that stays open, with a stamped event now and then, until it is released
 */
export type AnswerKind = 'chat' | 'stream' | 'paced' | 'steady'

/** What one call costs, in USD; the sum over all of them is compared with the usage API's. */
export const CALL_COST_USD = '0.0001'
const TEXT = 'Rivers are measured where they fall over a weir. '
const TEXT_CHARACTERS = 440
const ANSWER = { id: ID, created: 1_788_000_000, model: MODEL }
const USAGE = {
  prompt_tokens: 260,
  completion_tokens: EVENTS_PER_STREAM,
  total_tokens: 260 + EVENTS_PER_STREAM,
  cost: Number(CALL_COST_USD),
}
const METADATA = { gateway: { cost: CALL_COST_USD, generationId: ID } }

export function createChatAnswer(): Buffer {
  const content = TEXT.repeat(TEXT_CHARACTERS / TEXT.length + 1).slice(0, TEXT_CHARACTERS)
  const message = { role: 'assistant', content, provider_metadata: METADATA }
  const body = JSON.stringify({
    ...ANSWER,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: USAGE,
    generationId: ID,
  })
  const head = createHead('content-type: application/json', `content-length: ${body.length}`)
  return Buffer.concat([head, Buffer.from(body)])
}

export function createStreamHead(): Buffer {
  const lines = ['content-type: text/event-stream', 'cache-control: no-cache']
  return createHead(...lines, 'transfer-encoding: chunked')
}

/** One event a chunk; `stamp` is put where a client can find it. */
export function createStreamEvent(content: string, stamp?: string): Buffer {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }]
  return toEvent({ stamp, choices })
}

/** The event with the usage, the end of the events, and the end of the body. */
export function createStreamEnd(): Buffer {
  const choices = [{ index: 0, delta: { provider_metadata: METADATA }, finish_reason: 'stop' }]
  const last = toEvent({ choices, usage: USAGE, generationId: ID })
  return Buffer.concat([last, toChunk('data: [DONE]\n\n'), Buffer.from('0\r\n\r\n')])
}

function createHead(...lines: readonly string[]): Buffer {
  const head = ['HTTP/1.1 200 OK', `x-request-id: req_${ID}`, ...lines]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
}

function toEvent(members: object): Buffer {
  const event = { ...ANSWER, object: 'chat.completion.chunk', ...members }
  return toChunk(`data: ${JSON.stringify(event)}\n\n`)
}

function toChunk(text: string): Buffer {
  return Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`)
}
