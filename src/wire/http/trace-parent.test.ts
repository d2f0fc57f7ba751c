import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readTraceParent, toTraceParent } from './trace-parent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const KEPT = `${TRACE}-${SPAN}-01`

const CASES: readonly (readonly [name: string, header: string | null, kept: string | null])[] = [
  ['no header', null, null],
  ['version 00', `00-${KEPT}`, KEPT],
  ['a later version', `01-${KEPT}`, KEPT],
  ['a later version with more', `cc-${KEPT}-what-comes`, KEPT],
  ['version 00 with more', `00-${KEPT}-x`, null],
  ['the version that is none', `ff-${KEPT}`, null],
  ['upper case', `00-${KEPT.toUpperCase()}`, null],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`, null],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, null],
  ['flags that are missing', `00-${TRACE}-${SPAN}`, null],
  ['a quote', `00-${KEPT}"`, null],
  ['two headers in one', `00-${KEPT}, 00-${KEPT}`, null],
  ['an endless one', `01-${KEPT}-${'x'.repeat(300)}`, null],
  ['nothing', '', null],
]

for (const [name, header, kept] of CASES) {
  test(`of ${name}, ${kept === null ? 'nothing' : 'the ids and flags'} is kept`, () => {
    assert.equal(readTraceParent(header), kept)
  })
}

test('what is kept says whether the caller keeps the trace', () => {
  assert.deepEqual(toTraceParent(KEPT), { traceId: TRACE, spanId: SPAN, isSampled: true })
  assert.equal(toTraceParent(`${TRACE}-${SPAN}-00`).isSampled, false)
  assert.equal(toTraceParent(`${TRACE}-${SPAN}-02`).isSampled, false)
  assert.equal(toTraceParent(`${TRACE}-${SPAN}-ff`).isSampled, true)
})
