// The upstream's answers, built once: what it costs to make them is not part of any figure. Each
// names its usage and its cost as the gateway does, so that metering has everything to read.

import { EVENTS_PER_STREAM, ID, MODEL } from './calls.ts'

const CREATED = 1_788_000_000
/** What one call costs, in USD; the sum over all of them is compared with the usage API's. */
export const CALL_COST_USD = '0.0001'
const TEXT = 'Rivers are measured where they fall over a weir. '
const TEXT_CHARACTERS = 440

const USAGE = {
  prompt_tokens: 260,
  completion_tokens: EVENTS_PER_STREAM,
  total_tokens: 260 + EVENTS_PER_STREAM,
  cost: Number(CALL_COST_USD),
}
const METADATA = { gateway: { cost: CALL_COST_USD, generationId: ID } }

export function createChatAnswer(): Buffer {
  const body = JSON.stringify({
    id: ID,
    object: 'chat.completion',
    created: CREATED,
    model: MODEL,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: TEXT.repeat(TEXT_CHARACTERS / TEXT.length + 1).slice(0, TEXT_CHARACTERS),
          provider_metadata: METADATA,
        },
        finish_reason: 'stop',
      },
    ],
    usage: USAGE,
    generationId: ID,
  })
  const head = [
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    `x-request-id: req_${ID}`,
    `content-length: ${body.length}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

export function createStreamHead(): Buffer {
  const head = [
    'HTTP/1.1 200 OK',
    'content-type: text/event-stream',
    'cache-control: no-cache',
    `x-request-id: req_${ID}`,
    'transfer-encoding: chunked',
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
}

/** One event a chunk; `stamp` is put where a client can find it. */
export function createStreamEvent(content: string, stamp = ''): Buffer {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }]
  const stamped = stamp === '' ? {} : { stamp }
  return toChunk({ ...ofStream, ...stamped, choices })
}

/** The event with the usage, the end of the events, and the end of the body. */
export function createStreamEnd(): Buffer {
  const delta = { provider_metadata: METADATA }
  const choices = [{ index: 0, delta, finish_reason: 'stop' }]
  const last = toChunk({ ...ofStream, choices, usage: USAGE, generationId: ID })
  return Buffer.concat([last, frame('data: [DONE]\n\n'), Buffer.from('0\r\n\r\n')])
}

const ofStream = { id: ID, object: 'chat.completion.chunk', created: CREATED, model: MODEL }

function toChunk(event: object): Buffer {
  return frame(`data: ${JSON.stringify(event)}\n\n`)
}

function frame(text: string): Buffer {
  return Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`)
}
