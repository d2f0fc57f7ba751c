import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggest } from './suggest.ts'

test('the nearest word is suggested, and none when all are far', () => {
  assert.equal(suggest('revok', ['rotate', 'revoke']), 'Did you mean revoke?')
  assert.equal(suggest('kyes', ['keys', 'tokens'], 'weir '), 'Did you mean weir keys?')
  assert.equal(suggest('frobnicate', ['rotate', 'revoke']), null)
  assert.equal(suggest('x'.repeat(1000), ['x'.repeat(1000)]), null)
})
