// Wire cases about responses: status lines, header lines, framing, informational ones, errors.

import { ALL_BYTES, answer, CHUNKED, exchange, exchangeAndEnd, GET, head, OK } from './wire-case.ts'
import type { WireCase } from './wire-case.ts'

const STATUS_LINES: readonly [name: string, line: string][] = [
  ['an odd reason', 'HTTP/1.1 200 It\'s (quite) "fine": \xc3\xa9 \t!'],
  ['an empty reason', 'HTTP/1.1 200 '],
  ['no reason', 'HTTP/1.1 200'],
  ['a reason of many words', `HTTP/1.1 200 ${'so '.repeat(300)}`],
  ['an unknown success', 'HTTP/1.1 299 Odd'],
  ['an unknown server error', 'HTTP/1.1 599 Odd'],
  ['a status beyond all classes', 'HTTP/1.1 999 Odd'],
]

const ERRORS: readonly [line: string, ...headers: string[]][] = [
  ['HTTP/1.1 400 Bad Request', 'x-request-id: req_1'],
  ['HTTP/1.1 401 Unauthorized', 'WWW-Authenticate: Bearer realm="a", error="b"'],
  ['HTTP/1.1 403 Forbidden', 'cf-ray: 1'],
  ['HTTP/1.1 404 Not Found', 'X-Should-Retry: true'],
  ['HTTP/1.1 408 Request Timeout', 'Retry-After: 1'],
  ['HTTP/1.1 429 Too Many Requests', 'retry-after: 20', 'x-ratelimit-remaining-tokens: 0'],
  ['HTTP/1.1 500 Internal Server Error', 'x-should-retry: true'],
  ['HTTP/1.1 502 Bad Gateway', 'Server: a'],
  ['HTTP/1.1 503 Service Unavailable', 'Retry-After: Fri, 31 Dec 1999 23:59:59 GMT'],
  ['HTTP/1.1 529 Overloaded', 'anthropic-ratelimit-requests-remaining: 0'],
]

const REDIRECTS = [
  'HTTP/1.1 301 Moved Permanently',
  'HTTP/1.1 302 Found',
  'HTTP/1.1 303 See Other',
  'HTTP/1.1 307 Temporary Redirect',
  'HTTP/1.1 308 Permanent Redirect',
]

const HEADERS: readonly [name: string, ...lines: string[]][] = [
  ['several Set-Cookie', 'Set-Cookie: a=1; Path=/', 'X: 1', 'set-cookie: b=2', 'Set-Cookie: a=1'],
  ['letter case, order and blanks', 'x-b:1', 'X-A:  2 ', 'X-b:\t3', 'EMPTY:', 'x-a: 4'],
  ['bytes beyond ASCII', 'X-Name: \xe9\xc3\xa9\x80\xff'],
  ['Date, Server, Via, Age', 'Date: x', 'Server: y', 'Via: 1.1 z', 'Age: 1', 'Alt-Svc: h3=":443"'],
  ['a request id of its own', 'x-request-id: req_1', 'request-id: req_2'],
  ['a long value', `X: ${'v'.repeat(16_000)}`],
  [
    'but for Connection: keep-alive and Keep-Alive',
    'Connection: keep-alive',
    'Keep-Alive: timeout=5',
  ],
  ['but for what Connection names', 'X-A: 1', 'Connection: x-a, x-b', 'X-B: 2', 'X-C: 3'],
  ['but for Proxy-*', 'Proxy-Authenticate: Basic', 'X: 1', 'proxy-status: a'],
  [
    "but for the names of Weir's own",
    'X-SVC-Request-Id: 01890000-0000-7000-8000-000000000000',
    'X-A: 1',
    'x-svc-ERROR: budget_exceeded',
    'X-SVC-Errors: 2',
    'X-SVC-Other: 3',
    'X-Svc-Request-Id:',
  ],
  ['as many as there may be', ...Array.from({ length: 127 }, (_, at) => `X-${at}: ${at}`)],
  [
    'nearly 64 KiB of them',
    ...Array.from({ length: 65 }, (_, at) => `X-${at}: ${'v'.repeat(990)}`),
  ],
]

const BODILESS: readonly [name: string, line: string, ...headers: string[]][] = [
  ['204', 'HTTP/1.1 204 No Content'],
  ['304 with a length', 'HTTP/1.1 304 Not Modified', 'Content-Length: 5', 'ETag: "a"'],
  ['304 with a coding', 'HTTP/1.1 304 Not Modified', CHUNKED],
  ['205 with a length of nothing', 'HTTP/1.1 205 Reset Content', 'Content-Length: 0'],
  ['200 with a length of nothing', 'HTTP/1.1 200 OK', 'Content-Length: 0'],
]

const FRAMED: readonly [name: string, framing: string, body: string][] = [
  ['a sized body of every byte value', 'Content-Length: 256', ALL_BYTES],
  ['a length with zeros and blanks', 'content-LENGTH:   002 ', 'ok'],
  ['chunks', CHUNKED, '1\r\na\r\n0000B\r\n0123456789\n\r\n0\r\n\r\n'],
  ['chunks in other letters', 'transfer-encoding:CHUNKED', 'a\r\n0123456789\r\n000\r\n\r\n'],
  ['chunk extensions', CHUNKED, '2;a=b;c="d e"\r\nok\r\n0;z\r\n\r\n'],
  ['trailers', CHUNKED, '2\r\nok\r\n0\r\nX-Sum: 1\r\nServer-Timing: a;dur=1\r\nx:\r\n\r\n'],
  ['chunks of every byte value', CHUNKED, `100\r\n${ALL_BYTES}\r\n0\r\n\r\n`],
  ['chunks without data', CHUNKED, '0\r\n\r\n'],
]

const HEAD_REQUEST = head('HEAD /x HTTP/1.1')
const EARLY = answer('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload', 'X: 1', 'link: </b>')

export const RESPONSE_CASES: readonly WireCase[] = [
  ...STATUS_LINES.map(([name, line]) =>
    exchange(`a status line with ${name}`, GET, `${answer(line, 'Content-Length: 2')}ok`),
  ),
  ...ERRORS.map(([line, ...headers]) =>
    exchange(
      `the error ${line}`,
      GET,
      `${answer(line, 'Content-Type: application/json', ...headers, 'Content-Length: 12')}{"error":{}}`,
    ),
  ),
  ...REDIRECTS.map((line) =>
    exchange(line, GET, answer(line, 'Location: https://other.example/a?b#c', 'Content-Length: 0')),
  ),
  ...HEADERS.map(([name, ...lines]) =>
    exchange(
      `a response's header lines: ${name}`,
      GET,
      `${answer('HTTP/1.1 200 OK', ...lines, 'Content-Length: 2')}ok`,
    ),
  ),
  ...BODILESS.map(([name, line, ...headers]) =>
    exchange(`a response without a body: ${name}`, GET, answer(line, ...headers)),
  ),
  ...FRAMED.map(([name, framing, body]) =>
    exchange(`a response with ${name}`, GET, answer('HTTP/1.1 200 OK', framing) + body),
  ),
  exchange('HEAD with chunked and no chunks', HEAD_REQUEST, answer('HTTP/1.1 200 OK', CHUNKED)),
  exchange('HEAD without framing', HEAD_REQUEST, answer('HTTP/1.1 200 OK', 'X: 1')),
  exchange('102 Processing', GET, answer('HTTP/1.1 102 Processing') + OK),
  exchange('103 Early Hints', GET, EARLY + OK),
  exchange(
    "103 with names of Weir's own",
    GET,
    answer('HTTP/1.1 103 Early Hints', 'X-SVC-Error: overloaded', 'X: 1') + OK,
  ),
  exchange('many informational responses', GET, `${EARLY.repeat(3)}${answer('HTTP/1.1 199')}${OK}`),
  exchangeAndEnd(
    'a body until the end',
    GET,
    `${answer('HTTP/1.1 200 OK', 'X: 1')}until \r\n the end`,
  ),
  exchangeAndEnd('an empty body until the end', GET, answer('HTTP/1.1 200 OK')),
  exchangeAndEnd('205 until the end', GET, answer('HTTP/1.1 205 Reset Content')),
]
