import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findHeadEnd, hasBareLineFeed, parseRequestHead, parseResponseHead } from './http-head.ts'

const LINE = 'POST /v1/x HTTP/1.1'

function request(...lines: string[]) {
  return parseRequestHead(lines.join('\r\n'), 128)
}

const REFUSED: [why: string, ...lines: string[]][] = [
  ['no Host', LINE],
  ['two Hosts', LINE, 'Host: a', 'Host: b'],
  ['a folded header', LINE, 'Host: a', 'X: 1', ' 2'],
  ['a blank before the colon', LINE, 'Host : a'],
  ['a header without a name', LINE, 'Host: a', ': x'],
  ['a header without a colon', LINE, 'Host: a', 'X'],
  ['a name with a character that is no token', LINE, 'Host: a', 'X(y): 1'],
  ['a NUL in a value', LINE, 'Host: a', 'X: \0'],
  ['a bare CR in a value', LINE, 'Host: a', 'X: a\rb'],
  ['a bare LF in a value', LINE, 'Host: a', 'X: a\nb'],
  ['a length twice', LINE, 'Host: a', 'Content-Length: 1', 'Content-Length: 1'],
  ['a length list', LINE, 'Host: a', 'Content-Length: 1, 1'],
  ['a signed length', LINE, 'Host: a', 'Content-Length: +1'],
  ['a negative length', LINE, 'Host: a', 'Content-Length: -1'],
  ['a hexadecimal length', LINE, 'Host: a', 'Content-Length: 0x10'],
  ['an empty length', LINE, 'Host: a', 'Content-Length:'],
  ['a length beyond 2^53', LINE, 'Host: a', 'Content-Length: 9999999999999999'],
  ['length and chunked', LINE, 'Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
  ['chunked and length', LINE, 'Host: a', 'Transfer-Encoding: chunked', 'Content-Length: 1'],
  ['chunked twice', LINE, 'Host: a', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  ['another transfer coding', LINE, 'Host: a', 'Transfer-Encoding: gzip, chunked'],
  ['a disguised chunked', LINE, 'Host: a', 'Transfer-Encoding: \x0bchunked'],
  ['identity', LINE, 'Host: a', 'Transfer-Encoding: identity'],
  ['chunked in HTTP/1.0', 'POST / HTTP/1.0', 'Transfer-Encoding: chunked'],
  ['Connection naming the length', LINE, 'Host: a', 'Connection: content-length'],
  ['Connection naming the coding', LINE, 'Host: a', 'Connection: close, Transfer-Encoding'],
  ['Connection naming the host', LINE, 'Host: a', 'Connection: host'],
  ['an absolute target', 'GET http://a/ HTTP/1.1', 'Host: a'],
  ['an authority target', 'CONNECT a:443 HTTP/1.1', 'Host: a'],
  ['an asterisk target', 'OPTIONS * HTTP/1.1', 'Host: a'],
  ['two blanks in the request line', 'GET  / HTTP/1.1', 'Host: a'],
  ['a tab in the request line', 'GET\t/ HTTP/1.1', 'Host: a'],
  ['a blank in the target', 'GET /a b HTTP/1.1', 'Host: a'],
  ['a byte beyond ASCII in the target', 'GET /\xe4 HTTP/1.1', 'Host: a'],
  ['no version', 'GET /', 'Host: a'],
  ['another version', 'GET / HTTP/2.0', 'Host: a'],
  ['a lower-case version', 'GET / http/1.1', 'Host: a'],
  ['a leading blank line', '', LINE, 'Host: a'],
]

for (const [why, ...lines] of REFUSED) {
  test(`refuses ${why}`, () => assert.equal(request(...lines).kind, 'fault'))
}

test('keeps lines as they came and reads names and values beside', () => {
  const parsed = request(LINE, 'HOST:a', 'X-Odd:\t v\xe4l  ', 'x-odd: second')
  assert.ok(parsed.kind === 'head')
  assert.deepEqual(parsed.head.headers, [
    { name: 'host', value: 'a', line: 'HOST:a' },
    { name: 'x-odd', value: 'v\xe4l', line: 'X-Odd:\t v\xe4l  ' },
    { name: 'x-odd', value: 'second', line: 'x-odd: second' },
  ])
})

const FRAMED: [headers: string[], framing: object, isKeepAlive: boolean][] = [
  [[], { kind: 'none' }, true],
  [['Content-Length: 0'], { kind: 'length', length: 0 }, true],
  [['content-length: 12'], { kind: 'length', length: 12 }, true],
  [['Transfer-Encoding: Chunked'], { kind: 'chunked' }, true],
  [['Connection: close'], { kind: 'none' }, false],
  [['Connection: x, CLOSE'], { kind: 'none' }, false],
]

for (const [headers, framing, isKeepAlive] of FRAMED) {
  test(`frames a request with ${headers.join(' and ') || 'no headers'}`, () => {
    const parsed = request(LINE, 'Host: a', ...headers)
    assert.ok(parsed.kind === 'head')
    assert.deepEqual(parsed.head.framing, framing)
    assert.equal(parsed.head.isKeepAlive, isKeepAlive)
  })
}

test('refuses one header more than allowed and takes exactly as many', () => {
  const lines = Array.from({ length: 4 }, (_, at) => `h${at}: x`)
  assert.equal(parseRequestHead([LINE, 'Host: a', ...lines].join('\r\n'), 5).kind, 'head')
  assert.equal(parseRequestHead([LINE, 'Host: a', ...lines].join('\r\n'), 4).kind, 'fault')
})

test('knows an upgrade by both of its headers', () => {
  const both = request(LINE, 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket')
  const one = request(LINE, 'Host: a', 'Upgrade: websocket')
  assert.ok(both.kind === 'head' && one.kind === 'head')
  assert.deepEqual([both.head.isUpgrade, one.head.isUpgrade], [true, false])
})

const RESPONSES: [text: string, method: string, framing: string | null][] = [
  ['HTTP/1.1 200 OK', 'GET', 'until-close'],
  ['HTTP/1.1 200', 'GET', 'until-close'],
  ['HTTP/1.1 299 A\xe4 b', 'GET', 'until-close'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 3', 'GET', 'length'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 3', 'HEAD', 'none'],
  ['HTTP/1.1 204 No Content\r\nContent-Length: 3', 'GET', 'none'],
  ['HTTP/1.1 304 Not Modified\r\nContent-Length: 3', 'GET', 'none'],
  ['HTTP/1.1 100 Continue', 'POST', 'none'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', 'GET', 'chunked'],
  ['HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked', 'GET', null],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3', 'GET', null],
  ['HTTP/1.1 2000 OK', 'GET', null],
  ['HTTP/1.1 020 OK', 'GET', null],
  ['ICY 200 OK', 'GET', null],
]

for (const [text, method, framing] of RESPONSES) {
  test(`frames the answer ${JSON.stringify(text)} to ${method} as ${framing ?? 'a fault'}`, () => {
    const parsed = parseResponseHead(text, method, 128)
    assert.equal(parsed.kind === 'head' ? parsed.head.framing.kind : null, framing)
  })
}

test('finds the end of a head, and sees a bare line feed in an unfinished one', () => {
  assert.equal(findHeadEnd(Buffer.from('a\r\n\r\nb'), 0), 5)
  assert.equal(findHeadEnd(Buffer.from('a\r\n\r'), 0), -1)
  assert.equal(hasBareLineFeed(Buffer.from('a\r\nb\r\n')), false)
  assert.equal(hasBareLineFeed(Buffer.from('a\r\nb\n')), true)
  assert.equal(hasBareLineFeed(Buffer.from('\n')), true)
})
