import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countEdits, suggest } from './suggest.ts'

const EDITS: readonly (readonly [string, string, number])[] = [
  ['', '', 0],
  ['', 'keys', 4],
  ['keys', '', 4],
  ['keys', 'keys', 0],
  ['key', 'keys', 1],
  ['kyes', 'keys', 1],
  ['keyz', 'keys', 1],
  ['craete', 'create', 1],
  ['delete', 'create', 4],
]

for (const [from, to, edits] of EDITS) {
  test(`"${from}" is ${edits} edits away from "${to}"`, () => {
    assert.equal(countEdits(from, to), edits)
  })
}

test('the nearest word is suggested, and none when all are far', () => {
  assert.equal(suggest('revok', ['rotate', 'revoke']), 'Did you mean revoke?')
  assert.equal(suggest('frobnicate', ['rotate', 'revoke']), null)
  assert.equal(suggest('x'.repeat(1000), ['x'.repeat(1000)]), null)
})
