// The calls that are measured, as an SDK would send them. The same bytes go to every contender,
// apart from what it needs to know where to send them.

import type { Contender } from './contender.ts'

export const MODEL = 'acme/writer'
export const ID = 'gen_01BENCH0000000000000000'
/** Events of a streamed answer, the one with the usage included. */
export const EVENTS_PER_STREAM = 200

const CHAT_BYTES = 1200

export const CHAT_BODY = createBody({ temperature: 0.2 }, CHAT_BYTES)
export const STREAM_BODY = createBody(
  { stream: true, stream_options: { include_usage: true } },
  CHAT_BYTES,
)

/** A message that fills the body up to so many bytes. */
export function createBody(members: object, bytes: number): string {
  const toBody = (content: string): string =>
    JSON.stringify({ model: MODEL, ...members, messages: [{ role: 'user', content }] })
  return toBody('x'.repeat(bytes - toBody('').length))
}

export function createRequest({ path, headers }: Contender, body: string): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...headers,
    'authorization: Bearer sk-bench-0000000000000000000000000000',
    'accept: application/json',
    'content-type: application/json',
    'user-agent: OpenAI/JS 7.0.0',
    'x-stainless-lang: js',
    'x-stainless-runtime: node',
    'x-stainless-retry-count: 0',
    `content-length: ${body.length}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
