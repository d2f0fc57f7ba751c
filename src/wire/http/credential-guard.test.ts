import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { CredentialGuard } from './credential-guard.ts'
import { writeResponseHead } from './forwarded-headers.ts'
import { isFault, parseResponseHead } from './http-head.ts'

const SECRET = 'sk-stored/1+2=~z'

/** The head without its first line, as the caller gets it. */
function clean(head: string, secret = SECRET): string {
  const bytes = Buffer.from(`junk${head}\r\n\r\nbehind ${SECRET}`, 'latin1')
  const span = { bytes, start: 4, end: 4 + head.length + 4 }
  const parsed = parseResponseHead(span, { method: 'GET', linesMax: 10 })
  assert.ok(!isFault(parsed), head)
  const changes = new CredentialGuard(secret).clean(parsed.lines)
  const target = { bytes: Buffer.alloc(10_000), at: 0 }
  const end = writeResponseHead(parsed, { ending: '\r\n', changes }, target)
  return target.bytes.toString('latin1', 0, end - 4)
}

const OK = 'HTTP/1.1 200 OK'
const percent = (text: string): string => encodeURIComponent(text)
const lower = (text: string): string => percent(text).replaceAll(/%../g, (hex) => hex.toLowerCase())
const all = (text: string): string => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')
const url = (text: string): string => Buffer.from(text).toString('base64url')

const TAKEN_OUT: readonly (readonly [name: string, came: string, left: string])[] = [
  ['alone', `X: ${SECRET}`, 'X: '],
  ['in an address', `Location: https://a/?key=${SECRET}&b=1`, 'Location: https://a/?key=&b=1'],
  ['twice', `X: a${SECRET}b${SECRET}c`, 'X: abc'],
  ['percent-encoded', `Location: /?key=${percent(SECRET)}&b=%20`, 'Location: /?key=&b=%20'],
  ['percent-encoded in small letters', `X-Url: /?key=${lower(SECRET)}#a`, 'X-Url: /?key=#a'],
  ['percent-encoded throughout', `X: 1${all(SECRET)}2`, 'X: 12'],
  ['percent-encoded twice', `X: u=${percent(percent(SECRET))};`, 'X: u=;'],
  ['in base64', `X: ${btoa(SECRET)}`, 'X: '],
  ['as a password', `WWW-Authenticate: Basic ${btoa(`user:${SECRET}`)}`, 'WWW-Authenticate: '],
  ['as a user', `X: Basic ${btoa(`${SECRET}:pass`)}`, 'X: '],
  ['behind one byte', `X: ${btoa(`a${SECRET}b`)}`, 'X: '],
  ['in base64url', `X: a.${url(`{"k":"${SECRET}"}`)}.b`, 'X: '],
  ['in base64 within an address', `X: /?a=${percent(btoa(SECRET))}`, 'X: '],
  ['in hexadecimal digits', `X: ${Buffer.from(SECRET).toString('hex')}`, 'X: '],
  ['in two ways', `X: ${SECRET} ${btoa(SECRET)}`, 'X: '],
]

describe('a credential is taken out of a header', () => {
  for (const [name, came, left] of TAKEN_OUT) {
    test(name, () => {
      assert.equal(clean(`${OK}\r\nA: 1\r\n${came}\r\nB: 2`), `${OK}\r\nA: 1\r\n${left}\r\nB: 2`)
    })
  }
})

test('a credential is taken out of the reason, and its line where it is the name', () => {
  assert.equal(clean(`HTTP/1.1 401 Bad ${SECRET}.\r\nA: 1`), 'HTTP/1.1 401 Bad .\r\nA: 1')
  assert.equal(
    clean('HTTP/1.1 401 k-aaaaaaa\r\nA: 1\r\nk-aaaaaaa: 1', 'k-aaaaaaa'),
    'HTTP/1.1 401 \r\nA: 1',
  )
  assert.equal(clean('HTTP/1.1 200'), 'HTTP/1.1 200')
})

test('a head without it stays as it is, and no part of it is looked for', () => {
  const odd = `${OK}\r\nX: ${SECRET.slice(1)}\r\nY: %%%zz%2\r\nZ: ${btoa(SECRET.slice(0, 9))}`
  assert.equal(clean(odd), odd)
  const short = `${OK}\r\nX: abc1234`
  assert.equal(clean(short, 'abc1234'), short)
})

test('a credential is found in base64 behind and before anything', () => {
  for (let before = 0; before < 7; before++) {
    for (let behind = 0; behind < 4; behind++) {
      const text = 'é'.repeat(before) + 'q'.repeat(before % 3) + SECRET + '?'.repeat(behind)
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const head = `${OK}\r\nX: ${Buffer.from(text).toString(encoding)}`
        assert.equal(clean(head), `${OK}\r\nX: `, `${before} ${behind} ${encoding}`)
      }
    }
  }
})
