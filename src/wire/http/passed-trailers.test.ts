import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isForWeir, PassedTrailers } from './passed-trailers.ts'

const KEY = `svc_k_0123456789abcdef.${'s'.repeat(43)}`

const CASES: readonly (readonly [came: string, goesOn: string])[] = [
  ['\r\n', '\r\n'],
  ['X-Sum: 1\r\n\r\n', 'X-Sum: 1\r\n\r\n'],
  ['X-SVC-API-Key: svc_k_a.secret\r\n\r\n', '\r\n'],
  ['x-svc-a:\r\nX-SvC-B: 1\r\n\r\n', '\r\n'],
  ['X-SVC-A: 1\r\nX-Sum: X-SVC-B: 2\r\n\r\n', 'X-Sum: X-SVC-B: 2\r\n\r\n'],
  ['A: \xe9\xff\r\nX-SVC-: 1\r\nX-SVC: 2\r\n\r\n', 'A: \xe9\xff\r\nX-SVC: 2\r\n\r\n'],
  [`Authorization: Bearer ${KEY}\r\nA: 1\r\nX_SVC_API_KEY: ${KEY}\r\n\r\n`, 'A: 1\r\n\r\n'],
  ['A: svc_k_0123456789abcdef\r\n\r\n', 'A: svc_k_0123456789abcdef\r\n\r\n'],
  ['AX-SVC-A: 1\r\nX-SVC-Dims: \xe9\r\n\r\n', 'AX-SVC-A: 1\r\n\r\n'],
]

test('passes on all lines but X-SVC-* and those with a key, however they are cut', () => {
  for (const [came, goesOn] of CASES) {
    for (let length = 1; length <= came.length; length++) {
      const trailers = new PassedTrailers(isForWeir)
      let passed = ''
      for (let at = 0; at < came.length; at += length) {
        const piece = Buffer.from(came.slice(at, at + length), 'latin1')
        passed += trailers.pass(piece).toString('latin1')
      }
      assert.equal(passed, goesOn, `${JSON.stringify(came)} in pieces of ${length}`)
    }
  }
})
