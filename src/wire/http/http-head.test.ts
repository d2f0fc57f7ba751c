import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  findHeadEnd,
  hasBareLineFeed,
  isFault,
  parseRequestHead,
  parseResponseHead,
} from './http-head.ts'
import type { HeadFault, HeadSpan } from './http-head.ts'

const LINE = 'POST /v1/x HTTP/1.1'

/** A head in the midst of other bytes, as it lies in a connection's. */
function span(lines: readonly string[]): HeadSpan {
  const before = 'of an earlier body'
  const head = `${lines.join('\r\n')}\r\n\r\n`
  const bytes = Buffer.from(`${before}${head}and what follows`, 'latin1')
  return { bytes, start: before.length, end: before.length + head.length }
}

function request(...lines: string[]) {
  return parseRequestHead(span(lines), 128)
}

function whole<Head extends object>(parsed: Head | HeadFault): Head {
  assert.ok(!isFault(parsed), JSON.stringify(parsed))
  return parsed
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
  ['an absolute target with another host', 'GET http://b/ HTTP/1.1', 'Host: a'],
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
  ['CONNECT to a path', 'CONNECT /v1/x HTTP/1.1', 'Host: a'],
  ['TRACE', 'TRACE /v1/x HTTP/1.1', 'Host: a'],
  ['a method of 33 letters', `${'M'.repeat(33)} / HTTP/1.1`, 'Host: a'],
  ['a request line alone', LINE],
  ['bytes behind the version', 'GET / HTTP/1.1 ', 'Host: a'],
]

for (const [why, ...lines] of REFUSED) {
  test(`refuses ${why}`, () => assert.ok(isFault(request(...lines))))
}

test('reads names and values out of the lines', () => {
  const { lines, method, target } = whole(
    request(LINE, 'HOST:a', 'X-Odd:\t v\xe4l  ', 'x-odd: second', 'Empty: \t '),
  )
  assert.deepEqual([method, target], ['POST', '/v1/x'])
  assert.deepEqual(lines.toList(), [
    { name: 'host', value: 'a' },
    { name: 'x-odd', value: 'v\xe4l' },
    { name: 'x-odd', value: 'second' },
    { name: 'empty', value: '' },
  ])
  assert.equal(lines.find('x-odd'), 'v\xe4l')
  assert.equal(lines.find('empty'), '')
  assert.equal(lines.find('x'), null)
})

test('reads an absolute target from its path on', () => {
  const read = (target: string, host: string): string =>
    whole(request(`GET ${target} HTTP/1.1`, `Host: ${host}`)).target
  assert.equal(read('http://a:80/x?y=http://b/', 'A:80'), '/x?y=http://b/')
  assert.equal(read('HTTPs://[::1]/', '[::1]'), '/')
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
    const head = whole(request(LINE, 'Host: a', ...headers))
    assert.deepEqual(head.framing, framing)
    assert.equal(head.isKeepAlive, isKeepAlive)
  })
}

test('refuses one header more than allowed and takes exactly as many', () => {
  const lines = Array.from({ length: 4 }, (_, at) => `h${at}: x`)
  const head = span([LINE, 'Host: a', ...lines])
  assert.ok(!isFault(parseRequestHead(head, 5)))
  assert.deepEqual(parseRequestHead(head, 4), { fault: 'more than 4 headers', isTooMany: true })
})

const UPGRADES: [isUpgrade: boolean, ...lines: string[]][] = [
  [true, 'Connection: Upgrade', 'Upgrade: websocket'],
  [true, 'Connection: keep-alive, UPGRADE', 'upgrade:\tWebSocket '],
  [false, 'Upgrade: websocket'],
  [false, 'Connection: Upgrade'],
  [false, 'Connection: Upgrade', 'Upgrade: h2c'],
  [false, 'Connection: Upgrade', 'Upgrade: websocket2'],
  [false, 'Connection: Upgrade', 'Upgrade: h2c, websocket'],
  [false, 'Connection: Upgrade', 'Upgrade: websocket', 'Upgrade: h2c'],
  [false, 'Connection: Upgrade', 'Upgrade: h2c', 'Upgrade: websocket'],
]

for (const [isUpgrade, ...lines] of UPGRADES) {
  test(`knows ${lines.join(' and ')} as ${isUpgrade ? 'an upgrade' : 'none'}`, () => {
    assert.equal(whole(request(LINE, 'Host: a', ...lines)).isUpgrade, isUpgrade)
    assert.equal(whole(request('GET / HTTP/1.0', 'Host: a', ...lines)).isUpgrade, false)
  })
}

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
    const parsed = parseResponseHead(span([text]), { method, linesMax: 128 })
    assert.equal(isFault(parsed) ? null : parsed.framing.kind, framing)
  })
}

test('finds the end of a head, and sees a bare line feed in an unfinished one', () => {
  assert.equal(findHeadEnd(Buffer.from('a\r\n\r\nb'), 0), 5)
  assert.equal(findHeadEnd(Buffer.from('a\r\n\r'), 0), -1)
  assert.equal(hasBareLineFeed(Buffer.from('a\r\nb\r\n'), 0), false)
  assert.equal(hasBareLineFeed(Buffer.from('a\r\nb\n'), 0), true)
  assert.equal(hasBareLineFeed(Buffer.from('\n'), 0), true)
})
