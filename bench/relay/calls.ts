// The calls that are measured, as an SDK would send them. The same bytes go to every contender,
// apart from what it needs to know where to send them.

export const MODEL = 'acme/writer'
export const ID = 'gen_01BENCH0000000000000000'
/** Events of a streamed answer, the one with the usage included. */
export const EVENTS_PER_STREAM = 200
export const UPLOAD_BYTES = 5_000_000

const CHAT_BYTES = 1200

export function createChatBody(): string {
  return fill({ model: MODEL, temperature: 0.2 }, CHAT_BYTES)
}

export function createStreamBody(): string {
  return fill({ model: MODEL, stream: true, stream_options: { include_usage: true } }, CHAT_BYTES)
}

/** A picture in a message, as large calls mostly are. */
export function createUploadBody(): string {
  return fill({ model: MODEL }, UPLOAD_BYTES)
}

export interface RequestOptions {
  readonly path: string
  /** As they are sent: `name: value`. */
  readonly headers: readonly string[]
  readonly body: string
}

export function createRequest({ path, headers, body }: RequestOptions): Buffer {
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

function fill(members: object, bytes: number): string {
  const toBody = (content: string): string =>
    JSON.stringify({ ...members, messages: [{ role: 'user', content }] })
  return toBody('x'.repeat(bytes - toBody('').length))
}
