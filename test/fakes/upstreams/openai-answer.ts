// What OpenAI answers, beyond the steered chat of upstream.ts: chat with tool calls, a Responses
// stream with named events, uploaded files, errors as replies.

import { createChatAnswer, createErrorBody } from './chat-answer.ts'
import { eventsReply, jsonReply } from './replying-upstream.ts'
import type { AnswerReply } from './replying-upstream.ts'
import { parseSteering } from '../steering.ts'

const HEADERS = { 'x-request-id': 'req_fake', 'openai-processing-ms': '7' }
const MODEL = 'sparrow-4'
const CHAT = createChatAnswer({
  dialect: 'openai',
  request: { stream_options: { include_usage: true } },
  steering: parseSteering(MODEL, {}),
  number: 1,
})
const CHUNK = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1, model: MODEL }

export function openaiChat(text: string): AnswerReply {
  const message = { role: 'assistant', content: text }
  const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }]
  return jsonReply({ ...(CHAT.completion as object), choices }, { headers: HEADERS })
}

export function openaiEvents(texts: readonly string[]): string[] {
  const chunks = texts.map((content) => ({
    ...CHUNK,
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    usage: null,
  }))
  return [...[...chunks, ...CHAT.lastChunks].map(toEvent), 'data: [DONE]\n\n']
}

export function openaiStream(texts: readonly string[]): AnswerReply {
  return eventsReply(openaiEvents(texts), { headers: HEADERS })
}

export function openaiErrorEvent(message: string): string {
  return toEvent(createErrorBody('openai', 500, message))
}

export function openaiError(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): AnswerReply {
  const body = createErrorBody('openai', status, `As asked: ${status}`)
  return jsonReply(body, { status, headers: { ...HEADERS, ...headers } })
}

/** A stream in which a tool's arguments come in pieces. */
export function openaiToolStream(argumentPieces: readonly string[]): AnswerReply {
  const first = { id: 'call_fake', type: 'function', function: { name: 'gauge', arguments: '' } }
  const calls = [first, ...argumentPieces.map((piece) => ({ function: { arguments: piece } }))]
  const chunks = calls.map((call) => ({
    ...CHUNK,
    choices: [{ index: 0, delta: toToolDelta(call), finish_reason: null }],
  }))
  const end = { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }
  return eventsReply([...[...chunks, end].map(toEvent), 'data: [DONE]\n\n'], { headers: HEADERS })
}

function toToolDelta(call: object): unknown {
  return { role: 'assistant', content: null, tool_calls: [{ index: 0, ...call }] }
}

export function openaiResponseStream(deltas: readonly string[]): AnswerReply {
  const response = { id: 'resp_fake', object: 'response', model: MODEL, output: [], error: null }
  const details = { input_tokens_details: { cached_tokens: 0 } }
  const total = { total_tokens: 4 + deltas.length }
  const usage = { input_tokens: 4, ...details, output_tokens: deltas.length, ...total }
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', usage: null } },
    ...deltas.map((delta) => ({
      type: 'response.output_text.delta',
      item_id: 'msg_fake',
      output_index: 0,
      content_index: 0,
      delta,
    })),
    { type: 'response.completed', response: { ...response, status: 'completed', usage } },
  ]
  const pieces = events.map((event, index) => {
    return `event: ${event.type}\n${toEvent({ ...event, sequence_number: index })}`
  })
  return eventsReply(pieces, { headers: HEADERS })
}

export function openaiFile(filename: string, bytes: number): AnswerReply {
  const file = { id: 'file-fake', object: 'file', created_at: 1, purpose: 'user_data' }
  return jsonReply({ ...file, filename, bytes, status: 'processed' }, { headers: HEADERS })
}

function toEvent(document: unknown): string {
  return `data: ${JSON.stringify(document)}\n\n`
}
