import assert from 'node:assert/strict'
import { test } from 'node:test'

import { RequestTrailers } from './request-trailers.ts'

const CASES: readonly (readonly [came: string, goesOn: string])[] = [
  ['\r\n', '\r\n'],
  ['X-Sum: 1\r\n\r\n', 'X-Sum: 1\r\n\r\n'],
  ['X-SVC-API-Key: svc_k_a.secret\r\n\r\n', '\r\n'],
  ['x-svc-a:\r\nX-SvC-B: 1\r\n\r\n', '\r\n'],
  ['X-SVC-A: 1\r\nX-Sum: X-SVC-B: 2\r\n\r\n', 'X-Sum: X-SVC-B: 2\r\n\r\n'],
  ['A: \xe9\xff\r\nX-SVC-: 1\r\nX-SVC: 2\r\n\r\n', 'A: \xe9\xff\r\nX-SVC: 2\r\n\r\n'],
  ['AX-SVC-A: 1\r\nX-SVC-Dims: \xe9\r\n\r\n', 'AX-SVC-A: 1\r\n\r\n'],
]

test('passes on all lines but X-SVC-*, however they are cut', () => {
  for (const [came, goesOn] of CASES) {
    for (let length = 1; length <= came.length; length++) {
      const trailers = new RequestTrailers()
      let passed = ''
      for (let at = 0; at < came.length; at += length) {
        const piece = Buffer.from(came.slice(at, at + length), 'latin1')
        passed += trailers.pass(piece).toString('latin1')
      }
      assert.equal(passed, goesOn, `${JSON.stringify(came)} in pieces of ${length}`)
    }
  }
})
