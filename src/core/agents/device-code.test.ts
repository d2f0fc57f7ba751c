import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createUserCode, parseUserCode } from './device-code.ts'

test('a code has eight letters of twenty, and is read however it was typed', () => {
  const code = createUserCode()
  assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.equal(parseUserCode(code), code)
  assert.equal(parseUserCode(` ${code.toLowerCase().replace('-', ' ')} `), code)
})

for (const text of ['', 'WDJB', 'WDJB-MJHA', 'WDJB-MJHTT', 'WDJB-MJH1', 'ＷDJB-MJHT']) {
  test(`"${text}" is no code`, () => assert.equal(parseUserCode(text), null))
}
