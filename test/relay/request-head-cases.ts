// Wire cases about what a request's head says: methods, targets, header lines, and the few that
// stay.

import { answer, exchange, GET, head, OK, sized } from './wire-case.ts'
import type { WireCase } from './wire-case.ts'

const METHODS = ['GET', 'DELETE', 'OPTIONS', 'M-SEARCH', 'get', 'PROPFIND', 'X'.repeat(32)]
const ODD_METHOD = "!#$%&'*+-.^_`|~09azAZ"

const TARGETS: readonly [name: string, target: string][] = [
  ['the root', '/'],
  ['a query', '/v1/models?limit=2&after=a'],
  ['an empty query', '/v1/models?'],
  ['a query of odd characters', "/x?a[]=1&b={c}|d^e`f&&=&==&?/:@!$'()*,;"],
  ['a query with question marks, slashes and dots', '/x?u=http://h/../a?b=./c'],
  ['percent-encoding in both letter cases', '/a%2Fb%2fc%20d%C3%a9?q=%2B+%20'],
  ['percent signs that encode nothing', '/100%/%zz/%?%'],
  ['empty segments', '//a///b//'],
  ['parameters and a colon in segments', '/v1beta/models/gemini:generateContent;v=1/a=b,c'],
  ['segments that begin with dots and are no dot segments', '/.a/..b/.../a..'],
  ['a segment like a provider of Weir', '/v1/plain/v1/based'],
  ['a long path and query', `/${'a/'.repeat(800)}?${'k=v&'.repeat(800)}`],
]

const HEADERS: readonly [name: string, ...lines: string[]][] = [
  ['letter case and order', 'b: 1', 'A: 2', 'aCCepT: */*', 'X_under.score~: 3', 'a: 4'],
  ['the same header several times', 'X: 1', 'Y: 2', 'X: 1', 'x: 3', 'Cookie: a=b', 'Cookie: c=d'],
  ['empty values', 'X-Empty:', 'X-Blank: ', 'X-Tab:\t', 'X-Many:   \t  '],
  ['odd blanks around values', 'A:a', 'B:  b', 'C:\tc\t', 'D: \t d e\t f  ', 'E: e '],
  ['bytes beyond ASCII', 'X-Latin: caf\xe9', 'X-Utf8: \xc3\xa9\xe2\x82\xac', 'X-Raw: \x80\xff'],
  ['every visible character in a name', "!#$%&'*+-.^_`|~09azAZ: 1"],
  ['every visible character in a value', 'X: !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
  ['colons and header-like text in a value', 'X: a: b: Content-Length: 5, chunked', 'Y: ::'],
  ['a long value', `Authorization: Bearer ${'t'.repeat(16_000)}`],
  [
    'what other proxies wrote',
    'Via: 1.1 a, 1.0 b',
    'X-Forwarded-For: 192.0.2.1, 198.51.100.7',
    'X-Forwarded-Proto: https',
    'Forwarded: for=192.0.2.1;host=a',
    'X-Real-IP: 192.0.2.1',
    'Max-Forwards: 3',
  ],
  ['Accept-Encoding', 'Accept-Encoding: br;q=1.0, gzip;q=0.8, *;q=0', 'User-Agent: a/1 (b)'],
  ['TE and Trailer', 'TE: trailers, deflate;q=0.5', 'Trailer: X-Sum'],
  ['TE that Connection names', 'Connection: TE', 'TE: trailers'],
  [
    "a provider's own headers",
    'Authorization: Bearer sk-x',
    'x-api-key: sk-ant',
    'OpenAI-Beta: realtime=v1',
    'x-stainless-retry-count: 0',
    'Idempotency-Key: 8f',
    'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ],
  ['conditions and ranges', 'If-None-Match: "a", W/"b"', 'Range: bytes=0-,-5', 'If-Range: "a"'],
  // From here on: lines of the connection itself, which stay.
  ['but for Connection: keep-alive', 'A: 1', 'Connection: keep-alive', 'B: 2'],
  ['but for Keep-Alive', 'A: 1', 'Keep-Alive: timeout=5, max=9', 'B: 2'],
  [
    'but for Proxy-*',
    'Proxy-Authorization: Basic x',
    'A: 1',
    'proxy-connection: close',
    'Proxy-X: 1',
  ],
  [
    'but for what Connection names',
    'Connection: close, X-Foo',
    'x-foo: 1',
    'X-Food: 2',
    'X-FOO: 3',
  ],
  [
    'but for what several Connection lines name',
    'X-A: 1',
    'Connection: X-A ,, x-b',
    'X-B: 2',
    'connection:\tX-C',
    'X-C: 3',
    'X-D: 4',
  ],
  ['but for an Upgrade alone in Connection', 'Connection: upgrade', 'X: 1'],
  ['but for an Upgrade that Connection does not name', 'Upgrade: h2c', 'X: 1'],
  ['but for a WebSocket that Connection does not name', 'Upgrade: websocket', 'X: 1'],
  [
    'but for an offer of h2c and its settings',
    'A: 1',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
    'B: 2',
  ],
  [
    'but for an offer of h2c whose settings Connection does not name',
    'Connection: Upgrade',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
    'B: 2',
  ],
  ['but for an offer of TLS', 'Connection: keep-alive, Upgrade', 'Upgrade: TLS/1.2', 'B: 2'],
  ['but for several offers', 'Connection: Upgrade', 'Upgrade: h2c, websocket', 'B: 2'],
  [
    'but for offers on two lines',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Upgrade: h2c',
    'B: 2',
  ],
]

/**
 * The caller's own lines, so that with Host and the key there are exactly as many as Weir allows.
 */
const MANY = Array.from({ length: 126 }, (_, at) => `X-${at}: ${at}`)

export const REQUEST_HEAD_CASES: readonly WireCase[] = [
  ...METHODS.map((method) => exchange(`the method ${method}`, head(`${method} /x HTTP/1.1`))),
  exchange('a method of every token character', head(`${ODD_METHOD} /x HTTP/1.1`)),
  exchange('HEAD', head('HEAD /x HTTP/1.1'), answer('HTTP/1.1 200 OK', 'Content-Length: 99')),
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'OPTIONS'].map((method) =>
    exchange(`the method ${method} with a body`, sized(`${method} /x HTTP/1.1`, '{"a":1}')),
  ),
  ...TARGETS.map(([name, target]) =>
    exchange(`a target with ${name}`, head(`GET ${target} HTTP/1.1`)),
  ),
  ...HEADERS.map(([name, ...lines]) =>
    exchange(`header lines: ${name}`, head('GET /x HTTP/1.1', ...lines)),
  ),
  exchange('as many headers as there may be', head('GET /x HTTP/1.1', ...MANY)),
  exchange(
    'a head of nearly 64 KiB',
    head(
      'GET /x HTTP/1.1',
      ...Array.from({ length: 65 }, (_, at) => `X-${at}: ${'v'.repeat(990)}`),
    ),
  ),
  exchange(
    'a Host at the end, in odd letters',
    `GET /x HTTP/1.1\r\nA: 1\r\nhOST:api.example\r\n\r\n`,
  ),
  exchange('an empty Host', `GET /x HTTP/1.1\r\nHost:\r\nA: 1\r\n\r\n`),
  exchange('a request without any header of its own', GET, OK),
]
