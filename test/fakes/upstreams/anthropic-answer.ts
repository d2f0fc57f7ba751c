// What Anthropic's Messages API answers: one message, its stream of named events, errors, and a
// token count. Must stay true: every event carries its `event:` name, without which the SDK drops
// it.

import { eventsReply, jsonReply } from './replying-upstream.ts'
import type { AnswerReply } from './replying-upstream.ts'

const MESSAGE = {
  id: 'msg_01Fake',
  type: 'message',
  role: 'assistant',
  model: 'claude-fake-1',
  stop_sequence: null,
}
const USAGE = {
  input_tokens: 12,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  service_tier: 'standard',
}
const HEADERS = { 'request-id': 'req_fake' }

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  503: 'api_error',
  529: 'overloaded_error',
}

export function anthropicMessage(text: string): AnswerReply {
  const body = {
    ...MESSAGE,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { ...USAGE, output_tokens: 5 },
  }
  return jsonReply(body, { headers: HEADERS })
}

export function anthropicEvents(texts: readonly string[]): string[] {
  const usage = { ...USAGE, output_tokens: 1 }
  return [
    toEvent({
      type: 'message_start',
      message: { ...MESSAGE, content: [], stop_reason: null, usage },
    }),
    toEvent({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    }),
    toEvent({ type: 'ping' }),
    ...texts.map(toDelta),
    toEvent({ type: 'content_block_stop', index: 0 }),
    toEvent({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: texts.length },
    }),
    toEvent({ type: 'message_stop' }),
  ]
}

/** How many events stand before the first text. */
export const ANTHROPIC_EVENTS_BEFORE_TEXT = 3

export function anthropicStream(texts: readonly string[]): AnswerReply {
  return eventsReply(anthropicEvents(texts), { headers: HEADERS })
}

export function anthropicErrorEvent(message: string): string {
  return toEvent({ type: 'error', error: { type: 'overloaded_error', message } })
}

export function anthropicError(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): AnswerReply {
  const error = { type: ERROR_TYPES[status] ?? 'api_error', message: `As asked: ${status}` }
  const body = { type: 'error', error, request_id: 'req_fake' }
  return jsonReply(body, { status, headers: { ...HEADERS, ...headers } })
}

function toDelta(text: string): string {
  return toEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
}

function toEvent(data: Readonly<Record<string, unknown>> & { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}
