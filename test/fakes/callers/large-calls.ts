// Calls that are large, or slow to read, each as it stands on the wire.

import { gzipSync } from 'node:zlib'

export interface LargeCall {
  readonly request: () => Buffer
  readonly answerHeaders: Readonly<Record<string, string>>
  readonly answer: () => Buffer
}

const MEGABYTE = 1_048_576
const JSON_TYPE = { 'content-type': 'application/json' }
const GZIP_TYPE = { ...JSON_TYPE, 'content-encoding': 'gzip' }
const SSE_TYPE = { 'content-type': 'text/event-stream' }
const QUESTION = '{"model":"m"}'
const USAGE = '"usage":{"prompt_tokens":1,"completion_tokens":2}}'

const fill = (text: string, bytes: number): Buffer =>
  Buffer.alloc(Math.ceil(bytes / text.length) * text.length, text)
const join = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))

function answered(answerHeaders: LargeCall['answerHeaders'], answer: () => Buffer): LargeCall {
  return { request: () => Buffer.from(QUESTION), answerHeaders, answer }
}

function asked(request: () => Buffer): LargeCall {
  return { request, answerHeaders: JSON_TYPE, answer: () => Buffer.from(`{"model":"m",${USAGE}`) }
}

/** Members one behind the other, which decode to one document. */
function zipped(part: string, times: number, level = 1): Buffer {
  const member = gzipSync(fill(part, MEGABYTE), { level })
  const members = Array.from({ length: times }, () => member)
  return join(gzipSync('{"model":"m","x":['), ...members, gzipSync(`0],${USAGE}`))
}

const VECTOR = `{"embedding":[${'-0.0123456789,'.repeat(50)}0],"index":1},`

export const LARGE_CALLS: Readonly<Record<string, LargeCall>> = {
  'an answer of 4 MB of text': answered(JSON_TYPE, () =>
    join('{"model":"m","x":"', fill('water ', 4 * MEGABYTE), `",${USAGE}`),
  ),
  'an answer of 4 MB of numbers': answered(JSON_TYPE, () =>
    join('{"model":"m","x":[', fill(VECTOR, 4 * MEGABYTE), `0],${USAGE}`),
  ),
  'an answer of 4 MB of choices': answered(JSON_TYPE, () =>
    join('{"model":"m","choices":[', fill('{"error":null,"a":{}},', 4 * MEGABYTE), `{}],${USAGE}`),
  ),
  'an answer of 4 MB of gzip': answered(GZIP_TYPE, () => zipped(VECTOR, 4, 0)),
  'an answer of gzip that grows': answered(GZIP_TYPE, () => zipped('{"error":1},', 6)),
  'a request of 4 MB of members': asked(() =>
    join('{"model":"m","x":{', fill('"a":1,', 4 * MEGABYTE), '"b":1}}'),
  ),
  'a request of 4 MB of objects': asked(() =>
    join('{"model":"m","tools":[', fill('{"type":"a","a":{}},', 4 * MEGABYTE), '{}]}'),
  ),
  'a request of many tools': asked(() =>
    join('{"model":"m","tools":[', fill('{"TYPE":"function"},', MEGABYTE), '{}]}'),
  ),
  'a request of 4 MB of escapes': asked(() =>
    join('{"model":"m","x":"', fill('\\u0061\\\\', 4 * MEGABYTE), '"}'),
  ),
  'an event of 1 MB of numbers': answered(SSE_TYPE, () =>
    join('data: {"usage":[', fill('1,', MEGABYTE - 64), '1]}\n\n', 'data: [DONE]\n\n'),
  ),
  'events of 60 KB for 4 MB': answered(SSE_TYPE, () =>
    fill(`data: {"error":[${'1,'.repeat(30_000)}1]}\n\n`, 4 * MEGABYTE),
  ),
}
