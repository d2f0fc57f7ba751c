import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPriceTables } from './price-tables.ts'
import { fromStoredPrice, toFingerprint, toStoredPrice } from './price-sheet.ts'
import { FREE_RATES } from './price-table.ts'
import type { PriceEntry } from './price-table.ts'

const NOW = Date.parse('2026-11-01T12:00:00Z')
const priceTables = createPriceTables()
const ALL = priceTables
  .listModels()
  .flatMap((listed) => priceTables.list({ ...listed, atMs: NOW }))
  .map(({ entry }) => entry)

test('every price that the book has is the same after it was stored and read', () => {
  assert.ok(ALL.length > 1000)
  for (const { version, source, rates } of ALL) {
    const entry = { version, source, rates }
    assert.deepEqual(fromStoredPrice(toStoredPrice(entry)), entry)
  }
})

test('no two prices of the book share a version', () => {
  const rates = new Map<string, PriceEntry['rates']>()
  for (const entry of ALL) {
    const known = rates.get(entry.version)
    if (known !== undefined) assert.deepEqual(entry.rates, known, entry.version)
    rates.set(entry.version, entry.rates)
  }
})

test('a version changes with its rates', () => {
  const rate = { base: 1n, steps: [] }
  const rates = { tokens: { input: rate }, toolCalls: {}, request: null, isFree: false }
  const dearer = { ...rates, tokens: { input: { base: 2n, steps: [] } } }
  assert.equal(toFingerprint(rates), toFingerprint({ ...rates }))
  assert.notEqual(toFingerprint(rates), toFingerprint(dearer))
  assert.notEqual(toFingerprint({ ...FREE_RATES, isFree: false }), toFingerprint(FREE_RATES))
})

const UNREADABLE = [
  ['no JSON', 'once upon a time'],
  ['no object', '7'],
  ['nothing', ''],
  ['a newer format', '{"format":2,"source":"override","isFree":false,"rates":{}}'],
  ['an unknown source', '{"format":1,"source":"magic","isFree":false,"rates":{}}'],
  ['no rates', '{"format":1,"source":"override","isFree":false}'],
  ['a damaged rate', '{"format":1,"source":"override","isFree":false,"rates":{"input":"2,5"}}'],
] as const

for (const [title, sheet] of UNREADABLE) {
  test(`a sheet with ${title} gives no price instead of a wrong one`, () => {
    assert.equal(fromStoredPrice({ version: 'v', sheet }), null)
  })
}
