import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKnownModelReader } from './body-model.ts'
import { NAME_CHARS_MAX } from './json-leaves.ts'

const LONGEST = 'm'.repeat(NAME_CHARS_MAX)

const NAMES: readonly [name: string, given: string | null, model: string | null][] = [
  ['a name', 'm', 'm'],
  ['none', null, null],
  ['an empty one', '', null],
  ['the longest', LONGEST, LONGEST],
  // A path can have sixty thousand characters, and a line of the journal not many more.
  ['one that is too long', `${LONGEST}m`, null],
]

for (const [name, given, model] of NAMES) {
  test(`knows before the body: ${name}`, () => {
    const reader = createKnownModelReader(given)
    assert.equal(reader.feed(Buffer.from('{}')), true)
    assert.equal(reader.end(), model)
  })
}
