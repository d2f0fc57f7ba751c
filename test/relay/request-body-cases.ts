// Wire cases about request bodies: their bytes, their framing, and answers that do not wait for
// them.

import { gzipSync } from 'node:zlib'

import { ALL_BYTES, answer, BLANK_LINE, CHUNKED, exchange, head, OK, sized } from './wire-case.ts'
import type { WireCase } from './wire-case.ts'

const POST = 'POST /v1/chat/completions HTTP/1.1'
const EXPECTING = 'Expect: 100-continue'
const CONTINUE = answer('HTTP/1.1 100 Continue')

const CHUNKED_BODIES: readonly [name: string, body: string][] = [
  ['one chunk', '5\r\nhello\r\n0\r\n\r\n'],
  ['no chunk', '0\r\n\r\n'],
  ['chunks of one byte', `${'1\r\nx\r\n'.repeat(20)}0\r\n\r\n`],
  ['sizes in upper and lower case', `A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n`],
  ['sizes with leading zeros', '0005\r\nhello\r\n00\r\n\r\n'],
  ['extensions', '5;a;b=c;d="e f"\r\nhello\r\n0;last\r\n\r\n'],
  ['trailers', '2\r\nhi\r\n0\r\nX-Sum: 1\r\nx-odd:\t2 \r\nX-Empty:\r\n\r\n'],
  ['data that looks like framing', '10\r\n\r\n0\r\n\r\nGET / HTT\r\n0\r\n\r\n'],
  ['every byte value', `100\r\n${ALL_BYTES}\r\n0\r\n\r\n`],
  [
    'a large chunk among small ones',
    `1\r\na\r\n30d40\r\n${'z'.repeat(200_000)}\r\n1\r\nb\r\n0\r\n\r\n`,
  ],
]

const SVC_TRAILERS: readonly [name: string, trailers: string][] = [
  ['first', 'x-svc-dims: a=b\r\n'],
  ['a key in odd letters', 'X-Sum: X-SVC-\r\nx-SvC-Api-Key:svc_k_a.secret\r\n'],
  [
    'among others',
    'X-S: 1\r\nX-SVC-A: \xe9\r\nX-SVC-:\r\nX-SVCB: 2\r\nX-SVC-C: 3\r\nx-svc: \xe9\r\n',
  ],
]

const FORM = [
  '--b0undary\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1',
  'Content-Disposition: form-data; name="file"; filename="a b\xc3\xa9.mp3"\r\nContent-Type: audio/mpeg',
].join('\r\n--b0undary\r\n')
const MULTIPART = `${FORM}\r\n\r\n\xff\xfb\x90\x64${ALL_BYTES}\r\n--b0undary--\r\n`

const SIZED_BODIES: readonly [name: string, body: string, ...headers: string[]][] = [
  [
    'JSON with odd blanks',
    '{ "model" :"m",\r\n\t"messages":[ ] }\n',
    'Content-Type: application/json',
  ],
  ['nothing', ''],
  ['every byte value', ALL_BYTES, 'Content-Type: application/octet-stream'],
  ['a multipart upload', MULTIPART, 'Content-Type: multipart/form-data; boundary=b0undary'],
  ['gzip', gzipSync('{"model":"m"}').toString('latin1'), 'Content-Encoding: gzip'],
  ['invalid JSON and invalid UTF-8', '{"model":"\xff\xfe', 'Content-Type: application/json'],
  ['what looks like another request', 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['four megabytes', ALL_BYTES.repeat(16_384)],
]

function early(name: string, sentBefore: string, sentAfter: string): WireCase {
  const refusal = `${answer('HTTP/1.1 413 Content Too Large', 'Content-Length: 3')}big`
  return {
    name,
    caller: [
      { kind: 'request', text: head(POST, 'Content-Length: 3000000') + sentBefore },
      { kind: 'await', text: 'HTTP/1.1 413' },
      { kind: 'bytes', text: sentAfter },
    ],
    upstream: [{ after: BLANK_LINE + sentBefore, write: refusal, isEnd: true }],
    // The rest of the body would have to be read to find the next request: the connection ends
    // instead.
    isEarly: true,
    isBodyUnwanted: true,
  }
}

export const REQUEST_BODY_CASES: readonly WireCase[] = [
  ...SIZED_BODIES.map(([name, body, ...headers]) =>
    exchange(`a sized body of ${name}`, sized(POST, body, ...headers)),
  ),
  ...CHUNKED_BODIES.map(([name, body]) =>
    exchange(`a chunked body with ${name}`, head(POST, CHUNKED, 'Trailer: X-Sum') + body),
  ),
  ...SVC_TRAILERS.map(([name, trailers]): WireCase => {
    const body = `2\r\nhi\r\n0;e\r\n${trailers}X-Last: 1\r\n\r\n`
    return {
      name: `trailers for Weir, which stay here: ${name}`,
      caller: [{ kind: 'request', text: head(POST, CHUNKED, 'Trailer: X-Sum') + body }],
      upstream: [{ after: 'X-Last: 1\r\n\r\n', write: OK }],
    }
  }),
  exchange('a coding in odd letters', `${head(POST, 'tRANSFER-eNCODING:\tChunKED ')}0\r\n\r\n`),
  exchange('a length with zeros and blanks', `${head(POST, 'CONTENT-length:  0005 ')}hello`),
  {
    name: 'a body that waits for 100 Continue',
    caller: [
      { kind: 'request', text: head(POST, EXPECTING, 'Content-Length: 4') },
      { kind: 'await', text: CONTINUE },
      { kind: 'bytes', text: 'body' },
    ],
    upstream: [
      { after: BLANK_LINE, write: CONTINUE },
      { after: 'body', write: OK },
    ],
  },
  {
    name: 'a chunked body that waits for 100 Continue',
    caller: [
      { kind: 'request', text: head(POST, EXPECTING, CHUNKED) },
      { kind: 'await', text: CONTINUE },
      { kind: 'bytes', text: '4\r\nbody\r\n0\r\n\r\n' },
    ],
    upstream: [
      { after: BLANK_LINE, write: CONTINUE },
      { after: 'body\r\n0\r\n\r\n', write: OK },
    ],
  },
  exchange(
    'a body that does not wait for 100 Continue',
    sized(POST, 'body', EXPECTING),
    CONTINUE + OK,
  ),
  {
    name: 'a final answer in place of 100 Continue',
    caller: [{ kind: 'request', text: head(POST, EXPECTING, 'Content-Length: 4') }],
    upstream: [
      { after: BLANK_LINE, write: answer('HTTP/1.1 417 Expectation Failed', 'Content-Length: 0') },
    ],
    // Nobody can say whether the body still comes, so the connection carries no other request.
    isEarly: true,
  },
  {
    name: 'an answer that begins before the body has ended',
    caller: [
      { kind: 'request', text: `${head(POST, CHUNKED)}3\r\none\r\n` },
      { kind: 'await', text: 'ONE' },
      { kind: 'bytes', text: '3\r\ntwo\r\n0\r\n\r\n' },
    ],
    upstream: [
      { after: 'one\r\n', write: `${answer('HTTP/1.1 200 OK', CHUNKED)}3\r\nONE\r\n` },
      { after: 'two\r\n0\r\n\r\n', write: '3\r\nTWO\r\n0\r\n\r\n' },
    ],
  },
  early('a refusal while the body still comes', 'part', 'y'.repeat(1_000_000)),
  early('a refusal before any of the body', '', 'rest'),
]
