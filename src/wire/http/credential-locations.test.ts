import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { findBrought, findInTarget, NOTHING_BROUGHT } from './credential-locations.ts'
import type { Brought } from './credential-locations.ts'
import { HeaderLines } from './header-lines.ts'

const KEY = `svc_k_0123456789abcdef.${'s'.repeat(43)}`

/** In words: each key with its place and text, then what else was found. */
function describeBrought({ keys, hasForeign, isMisplaced }: Brought): string[] {
  const found = keys.map(({ place, text }) => `${place} ${String(text).replace(KEY, 'KEY')}`)
  return [...found, ...(hasForeign ? ['foreign'] : []), ...(isMisplaced ? ['misplaced'] : [])]
}

function readLines(...lines: readonly string[]): Brought {
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const head = new HeaderLines(bytes, 0, 0)
  assert.equal(head.read(bytes.length - 2, 100), null)
  return findBrought(head, NOTHING_BROUGHT, true)
}

const LINES: readonly (readonly [line: string, found: readonly string[]])[] = [
  ['Accept: */*', []],
  ['Authorization: Bearer sk-1', ['foreign']],
  ['Authorization:', ['foreign']],
  ['Authorization: Bearer', ['foreign']],
  ['Authorization: B', ['foreign']],
  ['x-api-key: sk-1', ['foreign']],
  [`AUTHORIZATION: bEaReR \t ${KEY}  `, ['bearer KEY']],
  [`X-Api-Key:${KEY}`, ['x-api-key KEY']],
  [`API-KEY: ${KEY}`, ['api-key KEY']],
  [`X-Goog-Api-Key: ${KEY}`, ['x-goog-api-key KEY']],
  ['api-key: svc_k_', ['api-key svc_k_']],
  [`Authorization: ${KEY}`, ['misplaced']],
  [`Authorization: Token ${KEY}`, ['misplaced']],
  [`Authorization: Bearer"${KEY}"`, ['misplaced']],
  [`x-api-key: Bearer ${KEY}`, ['misplaced']],
  [`Authorization: Basic ${btoa(`${KEY}:`)}`, ['misplaced']],
  [`Authorization: basic ${btoa(`user:${KEY}`)}`, ['misplaced']],
  [`Authorization: Basic ${btoa('user:password')}`, ['foreign']],
  ['Authorization: Token svc_k_0123456789abcdef', ['foreign']],
  [`Authorization: Basic\t${btoa(`user:${KEY}`)}`, ['misplaced']],
  [`X-Other: ${KEY}`, ['misplaced']],
  [`Cookie: a=b; session=${KEY}`, ['misplaced']],
  [`X_SVC_API_KEY: ${KEY}`, ['misplaced']],
  [`X-${KEY}: 1`, ['misplaced']],
  ['X-Other: svc_k_0123456789abcdef', []],
  [`X-SVC-API-Key: ${KEY}`, []],
  [`Proxy-Authorization: Bearer ${KEY}`, []],
  ['Sec-WebSocket-Protocol: realtime', []],
  ['Sec-WebSocket-Protocol: realtime, api-key.ek_1', ['foreign']],
  [`Sec-WebSocket-Protocol: realtime, api-key.${KEY}`, ['misplaced']],
]

describe('a header line', () => {
  for (const [line, found] of LINES) {
    const name = line.replace(KEY, 'KEY')
    test(`${name} has ${found.join() || 'nothing'}`, () => {
      assert.deepEqual(describeBrought(readLines('A: 1', line, 'B: 2')), found)
    })
  }
})

test('a key in a subprotocol is found without an upgrade too', () => {
  const bytes = Buffer.from(`Sec-WebSocket-Protocol: ${KEY}\r\n\r\n`, 'latin1')
  const head = new HeaderLines(bytes, 0, 0)
  head.read(bytes.length - 2, 100)
  assert.ok(findBrought(head, NOTHING_BROUGHT, false).isMisplaced)
})

test('a key is found behind any beginning of another', () => {
  const beginnings = ['s', 'sv', 'svc', 'svc_', 'svc_k', 'svc_k_', '_', 'k_', '_k_', 'c_k', 'x']
  for (const one of beginnings) {
    for (const other of beginnings) {
      const line = `Authorization: Token ${one}${other}${KEY}`
      assert.deepEqual(describeBrought(readLines(line)), ['misplaced'], line)
    }
  }
})

const encode = (text: string): string => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')

const QUERIES: readonly (readonly [query: string, found: readonly string[]])[] = [
  ['', []],
  ['alt=sse&b', []],
  ['key=AIza', ['foreign']],
  ['api-key=1', []],
  ['%6Bey=AIza', ['foreign']],
  ['$key=AIza', ['foreign']],
  ['access_token=t', ['foreign']],
  ['X-Amz-Credential=c', ['foreign']],
  [`a=1&key=${KEY}`, ['?key KEY']],
  [`api-key=${KEY}&key=${KEY}`, ['?api-key KEY', '?key KEY']],
  [`k%65y=${encode(KEY)}`, ['?key KEY']],
  ['key=svc%5fk_half', ['?key svc_k_half']],
  [`Key=${KEY}`, ['misplaced']],
  [`a=${encode(KEY)}`, ['misplaced']],
  [`a=1;key=${KEY}`, ['misplaced']],
  [KEY, ['misplaced']],
  ['a=svc_k_0123456789abcdef', []],
  ['constructor=1&__proto__=2', []],
  ['a=%&b=%zz&key=%', ['foreign']],
]

describe('a query', () => {
  for (const [query, found] of QUERIES) {
    const name = query.replaceAll(KEY, 'KEY').replaceAll(encode(KEY), 'ENCODED')
    test(`${name} has ${found.join() || 'nothing'}`, () => {
      assert.deepEqual(
        describeBrought(findInTarget({ path: '/', query }, ['bearer', '?key'])),
        found,
      )
    })
  }
})

test('a key in the path is misplaced, its id alone is not', () => {
  const find = (path: string, query = ''): boolean =>
    findInTarget({ path, query }, ['bearer']).isMisplaced
  assert.ok(find(`/v1/${KEY}/x`))
  assert.ok(find(`/v1/${encode(KEY)}`, 'a=1'))
  assert.ok(!find('/v1/svc_k_0123456789abcdef'))
})
