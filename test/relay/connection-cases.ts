// Wire cases about connections: kept open, closed by either side, cut, of HTTP/1.0, pipelined,
// upgraded.

import { answer, BLANK_LINE, CHUNKED, exchange, exchangeAndEnd } from './wire-case.ts'
import { GET, head, OK, replyTo, sized } from './wire-case.ts'
import type { CallerStep, UpstreamStep, WireCase } from './wire-case.ts'

function numbered(at: number): { readonly request: string; readonly response: string } {
  const body = `body ${at}`
  const kinds = [
    head(`GET /${at} HTTP/1.1`),
    sized(`POST /${at} HTTP/1.1`, body),
    `${head(`PUT /${at} HTTP/1.1`, CHUNKED)}6\r\n${body}\r\n0\r\nX-T: ${at}\r\n\r\n`,
  ]
  const answers = [
    `${answer('HTTP/1.1 200 OK', 'Content-Length: 6')}${body}`,
    `${answer('HTTP/1.1 201 Created', CHUNKED)}6\r\n${body}\r\n0\r\n\r\n`,
  ]
  return { request: kinds[at % 3] as string, response: answers[at % 2] as string }
}

/** All requests at once, the answers one after the other. */
function pipelined(count: number): WireCase {
  const pairs = Array.from({ length: count }, (_, at) => numbered(at))
  return {
    name: `${count} pipelined requests, answered in order`,
    caller: pairs.map(({ request }): CallerStep => ({ kind: 'request', text: request })),
    upstream: pairs.map(({ request, response }) => replyTo(request, response)),
    isKept: true,
  }
}

/** Each request when the last one has been answered. */
function inTurns(count: number): WireCase {
  const pairs = Array.from({ length: count }, (_, at) => numbered(at))
  return {
    name: `${count} requests in turns, on connections that are kept`,
    caller: pairs.flatMap(({ request, response }): CallerStep[] => [
      { kind: 'request', text: request },
      { kind: 'await', text: response.slice(response.indexOf(BLANK_LINE)) },
    ]),
    upstream: pairs.map(({ request, response }) => replyTo(request, response)),
    isKept: true,
  }
}

const OLD_ANSWER = answer('HTTP/1.0 200 OK', 'Content-Length: 2')
const CLOSING = answer('HTTP/1.1 200 OK', 'Connection: close', 'Content-Length: 2', 'X: 1')

const UPGRADE = head(
  'GET /v1/realtime?model=m HTTP/1.1',
  'Connection: keep-alive, Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Protocol: realtime, key.sk-x',
)
const SWITCHING = answer(
  'HTTP/1.1 101 Switching Protocols',
  'upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzhZRbK+xOo=',
)

function tunnel(
  name: string,
  caller: readonly CallerStep[],
  upstream: readonly UpstreamStep[],
): WireCase {
  return { name, caller, upstream, isCut: true }
}

const TUNNELS: readonly WireCase[] = [
  tunnel(
    'a tunnel with bytes right behind both heads, ended by the caller first',
    [
      { kind: 'request', text: `${UPGRADE}\x81\x85ahead` },
      { kind: 'await', text: '\x81\x02hi' },
      { kind: 'bytes', text: '\x00\xff ping' },
      { kind: 'await', text: 'pong' },
      { kind: 'end' },
    ],
    [
      { after: BLANK_LINE, write: `${SWITCHING}\x81\x02hi` },
      { after: ' ping', write: 'pong' },
      { after: null, write: 'a last word', isEnd: true },
    ],
  ),
  tunnel(
    'a tunnel ended by the upstream first',
    [
      { kind: 'request', text: UPGRADE },
      { kind: 'await', text: 'bye' },
      { kind: 'await-end' },
      { kind: 'bytes', text: 'a last word\r\n\r\n' },
      { kind: 'end' },
    ],
    [{ after: BLANK_LINE, write: `${SWITCHING}bye`, isEnd: true }],
  ),
  tunnel(
    'a tunnel behind another request on the same connection',
    [
      { kind: 'request', text: GET },
      { kind: 'request', text: UPGRADE },
      { kind: 'await', text: 'hi' },
      { kind: 'bytes', text: 'GET / HTTP/1.1\r\n\r\n' },
      { kind: 'end' },
    ],
    [
      replyTo(GET, OK),
      { after: BLANK_LINE, write: `${SWITCHING}hi` },
      { after: BLANK_LINE, write: 'HTTP is not spoken here', isEnd: true },
    ],
  ),
]

const CUTS: readonly [name: string, response: string][] = [
  ['a sized body', `${answer('HTTP/1.1 200 OK', 'Content-Length: 10')}half`],
  ['a sized body before its first byte', answer('HTTP/1.1 200 OK', 'Content-Length: 10')],
  ['a chunk', `${answer('HTTP/1.1 200 OK', CHUNKED)}a\r\nhalf`],
  ['a chunk size', `${answer('HTTP/1.1 200 OK', CHUNKED)}2\r\nok\r\n1`],
  ['a chunked body before its last chunk', `${answer('HTTP/1.1 200 OK', CHUNKED)}2\r\nok\r\n`],
  ['trailers', `${answer('HTTP/1.1 200 OK', CHUNKED)}2\r\nok\r\n0\r\nX: 1\r\n`],
]

export const CONNECTION_CASES: readonly WireCase[] = [
  pipelined(2),
  pipelined(3),
  pipelined(10),
  inTurns(6),
  exchange('Connection: close of the caller', head('GET /x HTTP/1.1', 'Connection: close')),
  exchangeAndEnd('Connection: close of the upstream', GET, `${CLOSING}ok`),
  exchangeAndEnd(
    'Connection: close of both',
    head('GET /x HTTP/1.1', 'connection:CLOSE'),
    `${CLOSING}ok`,
  ),
  exchangeAndEnd('an upstream that ends without saying so', GET, OK),
  exchange('a caller of HTTP/1.0', head('GET /x HTTP/1.0')),
  exchange('a caller of HTTP/1.0 without a Host', 'GET /x HTTP/1.0\r\nAccept: */*\r\n\r\n'),
  exchange('a caller of HTTP/1.0 with a body', sized('POST /x HTTP/1.0', 'body')),
  exchange(
    'a caller of HTTP/1.0 that would like to stay',
    head('GET /x HTTP/1.0', 'Connection: keep-alive'),
    `${answer('HTTP/1.0 200 OK', 'Connection: keep-alive', 'Content-Length: 2')}ok`,
  ),
  exchange(
    'a caller of HTTP/1.0 and an informational response',
    head('GET /x HTTP/1.0'),
    answer('HTTP/1.1 102 Processing') + OK,
  ),
  exchangeAndEnd('an upstream of HTTP/1.0', GET, `${OLD_ANSWER}ok`),
  exchangeAndEnd('an upstream of HTTP/1.0 without a length', GET, `${answer('HTTP/1.0 200 OK')}ok`),
  ...CUTS.map(([name, response]) => ({
    ...exchangeAndEnd(`an upstream that cuts ${name}`, GET, response),
    // Once a byte of the answer is out, the caller is cut where the upstream was.
    isCut: true,
  })),
  exchange('an upgrade refused with 200', UPGRADE),
  exchange(
    'an upgrade refused with 426',
    UPGRADE,
    answer('HTTP/1.1 426 Upgrade Required', 'Upgrade: h2c', 'Content-Length: 0'),
  ),
  {
    name: 'a request behind an upgrade that was refused',
    caller: [
      { kind: 'request', text: UPGRADE },
      { kind: 'request', text: GET },
    ],
    upstream: [replyTo(UPGRADE, OK), replyTo(GET, OK)],
  },
  ...TUNNELS,
]
