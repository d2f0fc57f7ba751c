// OpenAI's realtime API over a WebSocket, simulated: a session, and for each `response.create` its
// deltas and one `response.done` with the usage of that response alone.

import type { ServerOptions, WebSocket } from 'ws'

import { openSocketUpstream } from './socket-upstream.ts'
import type { SocketUpstream } from './socket-upstream.ts'

export interface RealtimeEvent {
  readonly type: string
  readonly event_id?: string
  readonly [member: string]: unknown
}

const DELTAS = ['Rivers ', 'are ', 'measured ', 'at ', 'weirs.']
/** A fifth of a second of speech at 24 kHz, 16 bits. */
const AUDIO = Buffer.alloc(9600, 7).toString('base64')

export function openRealtimeUpstream(options: ServerOptions = {}): Promise<SocketUpstream> {
  return openSocketUpstream(converse, {
    handleProtocols: (offered) => firstOf(offered),
    ...options,
  })
}

/** The one that names the protocol; the others carry a key. */
function firstOf(offered: ReadonlySet<string>): string | false {
  return offered.has('realtime') ? 'realtime' : false
}

function converse(socket: WebSocket, request: { readonly url?: string | undefined }): void {
  const model = new URL(request.url ?? '', 'http://upstream').searchParams.get('model')
  let eventCount = 0
  let responseCount = 0
  const send = (event: RealtimeEvent): void => {
    eventCount += 1
    socket.send(JSON.stringify({ event_id: `event_${eventCount}`, ...event }))
  }
  const session = { id: 'sess_fake', object: 'realtime.session', model }
  send({ type: 'session.created', session })
  socket.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as RealtimeEvent
    if (event.type === 'session.update') {
      send({ type: 'session.updated', session: { ...session, ...(event['session'] as object) } })
    } else if (event.type === 'response.create') {
      responseCount += 1
      respond(send, `resp_${responseCount}`)
    } else if (event.type !== 'input_audio_buffer.append') {
      const error = { type: 'invalid_request_error', message: `Not known: ${event.type}` }
      send({ type: 'error', error })
    }
  })
}

function respond(send: (event: RealtimeEvent) => void, id: string): void {
  const response = { id, object: 'realtime.response' }
  send({ type: 'response.created', response: { ...response, status: 'in_progress' } })
  for (const delta of DELTAS) {
    send({ type: 'response.output_audio_transcript.delta', response_id: id, delta })
    send({ type: 'response.output_audio.delta', response_id: id, delta: AUDIO })
  }
  const usage = {
    total_tokens: 60,
    input_tokens: 20,
    output_tokens: 40,
    input_token_details: { text_tokens: 12, audio_tokens: 8, cached_tokens: 0 },
    output_token_details: { text_tokens: 10, audio_tokens: 30 },
  }
  send({ type: 'response.done', response: { ...response, status: 'completed', usage } })
}
