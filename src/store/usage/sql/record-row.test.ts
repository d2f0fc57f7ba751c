import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestId } from '../../../core/ids.ts'
import { fromIdBytes, parseIdBytes, toIdBytes } from './record-row.ts'

test('an id is its sixteen bytes, and comes back as it was', () => {
  const id = '01998f3e-0a1b-7c2d-8e3f-405162738495'
  assert.deepEqual(toIdBytes(id), Buffer.from('01998f3e0a1b7c2d8e3f405162738495', 'hex'))
  for (let count = 0; count < 100; count += 1) {
    const drawn = createRequestId(1_790_000_000_000 + count)
    assert.equal(fromIdBytes(toIdBytes(drawn)), drawn)
  }
})

const NO_IDS: readonly [string, string][] = [
  ['nothing', ''],
  ['a word', 'no id at all'],
  ['too few digits', '01998f3e-0a1b-7c2d-8e3f-40516273849'],
  ['too many', '01998f3e-0a1b-7c2d-8e3f-4051627384950'],
  ['a dash in another place', '01998f3e0-a1b-7c2d-8e3f-405162738495'],
  ['a digit for a dash', '01998f3e00a1b-7c2d-8e3f-405162738495'],
  ['upper case', '01998F3E-0A1B-7C2D-8E3F-405162738495'],
  ['a letter that is no digit', '01998f3e-0a1b-7c2d-8e3f-40516273849g'],
  ['a letter of another alphabet', '01998f3e-0a1b-7c2d-8e3f-40516273849\u0661'],
]

for (const [title, text] of NO_IDS) {
  test(`is no id: ${title}`, () => {
    assert.equal(parseIdBytes(text), null)
    assert.throws(() => toIdBytes(text))
  })
}
