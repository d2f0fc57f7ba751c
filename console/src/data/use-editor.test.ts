import { test } from 'node:test'
import { rebase } from './use-editor.ts'
import assert from 'node:assert/strict'

const BASE = { name: 'a', limit: 1, models: ['x'] }

const CASES: readonly (readonly [
  string,
  Partial<typeof BASE>,
  Partial<typeof BASE>,
  Partial<typeof BASE>,
  readonly string[],
])[] = [
  ['nothing was changed meanwhile', { limit: 2 }, {}, { limit: 2 }, []],
  ['others changed other fields', { limit: 2 }, { name: 'b' }, { name: 'b', limit: 2 }, []],
  ['both changed one field', { limit: 2 }, { limit: 3 }, { limit: 2 }, ['limit']],
  ['both changed it to the same', { models: ['y'] }, { models: ['y'] }, { models: ['y'] }, []],
  ['what was not typed is theirs', {}, { models: ['z'] }, { models: ['z'] }, []],
]

for (const [called, mine, theirs, draft, conflicts] of CASES) {
  test(`a draft on what others saved: ${called}`, () => {
    const drafts = { base: BASE, mine: { ...BASE, ...mine }, theirs: { ...BASE, ...theirs } }
    assert.deepEqual(rebase(drafts, ['name', 'limit', 'models']), {
      draft: { ...BASE, ...draft },
      conflicts,
    })
  })
}
