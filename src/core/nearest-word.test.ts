import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestWord } from './nearest-word.ts'

const known = ['port', 'host', 'headersMax', 'headBytesMax', 'workers']

const cases: readonly (readonly [word: string, nearest: string | null])[] = [
  ['port', 'port'],
  ['prot', 'port'],
  ['pot', 'port'],
  ['ports', 'port'],
  ['PORT', 'port'],
  ['headermax', 'headersMax'],
  ['headbytesmax', 'headBytesMax'],
  ['worker', 'workers'],
  ['xyzzy', null],
  ['', null],
  ['p'.repeat(1_000_000), null],
]

for (const [word, nearest] of cases) {
  test(`finds ${nearest ?? 'nothing'} near "${word.slice(0, 20)}"`, () => {
    assert.equal(nearestWord(word, known), nearest)
  })
}
