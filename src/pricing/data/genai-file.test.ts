// What a later version of genai-prices may bring.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readGenaiFile } from './genai-file.ts'
import { createFileTables, parsePriceFile } from './price-file.ts'

const FILE = new URL('../../../test/fixtures/prices/genai-prices.json', import.meta.url)
const GOOD = { id: 'good', match: { equals: 'good' }, prices: { input_mtok: 1 } }

function read(...models: readonly unknown[]) {
  return readGenaiFile([{ id: 'openai', models: [GOOD, ...models] }])
}

test('models of other providers are counted, whatever they look like', () => {
  const { skipped, faults, providers } = readGenaiFile(JSON.parse(readFileSync(FILE, 'utf8')))
  assert.deepEqual(faults, [])
  assert.deepEqual(skipped, { providers: 2, models: 3, unreadable: 0, examples: [] })
  assert.deepEqual([...providers.keys()].toSorted(), ['anthropic', 'deepseek', 'openai'])
  const odd = readGenaiFile([
    { id: 'openai', models: [GOOD] },
    { id: 'new one', models: 'elsewhere' },
    { id: 'other', models: [{ prices: -1 }, null] },
  ])
  assert.deepEqual(odd.faults, [])
  assert.deepEqual([odd.skipped.providers, odd.skipped.models], [2, 2])
})

const UNREADABLE: readonly [string, Record<string, unknown>][] = [
  ['an id that no price version can name', { id: '@cf/some/model' }],
  ['no id', { id: undefined }],
  ['a match of a new kind', { match: { glob: 'odd*' } }],
  ['a match that could take forever', { match: { regex: '(a+)+$' } }],
  ['no prices', { prices: undefined }],
  ['a condition of a new kind', { prices: [{ constraint: { weekdays: [1] }, prices: {} }] }],
  [
    'a condition with more than is known',
    { prices: [{ constraint: { start_date: '2026-01-01', region: 'eu' }, prices: {} }] },
  ],
  ['a price that depends on something else', { prices: [{ region: 'eu', prices: {} }] }],
  ['a price of a new form', { prices: { input_mtok: { curve: [1, 2] } } }],
  ['a price in words', { prices: { input_mtok: '1' } }],
]

describe('the rest of a file is used when a model has', () => {
  for (const [name, change] of UNREADABLE) {
    test(name, () => {
      const { skipped, faults, providers } = read({ ...GOOD, id: 'odd', ...change })
      assert.deepEqual(faults, [])
      assert.equal(skipped.unreadable, 1)
      assert.equal(skipped.examples.length, 1)
      assert.deepEqual(providers.get('openai')?.models[0]?.prices, [{ prices: { input_mtok: 1 } }])
    })
  }
})

test('the name of a model without readable prices is not taken for another', () => {
  const models = [
    { id: 'odd', match: { starts_with: 'odd' }, prices: { input_mtok: 1 } },
    { id: 'odd-new', match: { equals: 'odd-2026-02-02' }, prices: { input_mtok: { curve: [] } } },
  ]
  const parsed = parsePriceFile(JSON.stringify([{ id: 'openai', models }]))
  assert.ok(parsed.kind === 'valid')
  const [table] = createFileTables(parsed.file)
  assert.equal(table?.findVersions('openai', 'odd-2026-01-01')?.length, 1)
  assert.deepEqual(table?.findVersions('openai', 'odd-2026-02-02'), [])
})

test('new units and fields are counted by model', () => {
  const newer = { ...GOOD, smells: 1, prices: { input_mtok: 1, smell_hours: { per: 'day' } } }
  const { ignoredUnits, ignoredFields, skipped } = read(
    { ...newer, id: 'one' },
    { ...newer, id: 'two', prices: [{ prices: newer.prices }, { prices: { smell_hours: 1 } }] },
  )
  assert.deepEqual(ignoredUnits, [{ name: 'smell_hours', models: 2 }])
  assert.deepEqual(ignoredFields, [{ name: 'smells', models: 2 }])
  assert.equal(skipped.unreadable, 0)
})

const FAULTY: readonly [string, unknown, RegExp][] = [
  ['below zero', { input_mtok: -1 }, /^0\.models\.1\.prices: input_mtok is not between 0 and/],
  ['beyond any price', { output_mtok: 2_000_000 }, /output_mtok is not between/],
  ['below zero in a step', { input_mtok: { base: 1, tiers: [{ start: 1, price: -1 }] } }, /input/],
]

for (const [name, prices, expected] of FAULTY) {
  test(`a figure ${name} is a fault of the file`, () => {
    assert.match(read({ ...GOOD, id: 'odd', prices }).faults.join('\n'), expected)
  })
}

test('a file in which nothing is readable is not a price file', () => {
  const { faults } = readGenaiFile([{ id: 'openai', models: [{ ...GOOD, prices: 'soon' }] }])
  assert.deepEqual(faults, ['has no prices of a known provider'])
})
