import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { BUNDLE, BUNDLE_PUBLISHED_AT } from './bundle.ts'
import { exportPrices } from './export-prices.ts'
import { createPriceTables } from '../tables/price-tables.ts'
import type { PriceCatalog } from '../tables/price-tables.ts'
import { createFileTables, parsePriceFile } from './price-file.ts'
import type { PriceFile } from './price-file.ts'

function parse(text: string): PriceFile {
  const parsed = parsePriceFile(text)
  assert.ok(parsed.kind === 'valid', parsed.kind === 'faulty' ? parsed.faults.join('; ') : '')
  return parsed.file
}

const MOMENTS = [
  '2023-01-01T00:00:00Z',
  '2025-06-09T23:59:59Z',
  '2025-06-10T00:00:00Z',
  '2026-08-16T02:00:00Z',
  '2026-08-17T02:00:00Z',
  '2026-08-17T05:00:00Z',
  '2026-11-15T12:00:00Z',
  '2027-02-01T20:00:00Z',
].map((text) => Date.parse(text))

/** Names that no list spells out, but some rule may fit. */
const TAILS = ['-2026-10-01', '-latest', '-v1:0', '-pro']

function ratesOf(priceTables: PriceCatalog, question: Parameters<PriceCatalog['list']>[0]) {
  return new Map(priceTables.list(question).map(({ tier, entry }) => [tier, entry.rates]))
}

interface Question {
  readonly atMs: number
  readonly tails?: readonly string[]
}

function assertSame(
  one: PriceCatalog,
  other: PriceCatalog,
  { atMs, tails = [''] }: Question,
): void {
  const names = one.listModels()
  assert.ok(names.length > 1000)
  for (const { provider, model } of names) {
    for (const tail of tails) {
      const question = { provider, model: `${model}${tail}`, atMs }
      assert.deepEqual(ratesOf(other, question), ratesOf(one, question), question.model)
    }
  }
}

const exported = parse(exportPrices())
const own = createPriceTables()
const imported = createPriceTables({ tables: createFileTables(exported) })

for (const atMs of MOMENTS) {
  test(`what was exported and imported gives the same prices at ${new Date(atMs).toISOString()}`, () => {
    assertSame(own, imported, { atMs })
  })
}

test('a name that no list spells out is found, or not, as before', () => {
  assertSame(own, imported, { atMs: Date.parse('2026-11-15T12:00:00Z'), tails: TAILS })
})

test('an export says where its prices are from and of when they are', () => {
  assert.match(exported.version, /^bundle@[\d-]+\+corrections@\d+$/)
  assert.equal(exported.publishedAt, BUNDLE_PUBLISHED_AT)
})

test('an export has imported data where it was, by date, beside corrections and bundle', () => {
  const models = ['gpt-4o', 'gpt-4o-audio-preview', 'sketch-1'].map((name) => ({
    provider: 'openai',
    names: [name],
    prices: [{ from: '2026-01-01', rates: { input: '7' } }],
  }))
  // After the corrections, between them and the bundle, and before the bundle.
  for (const published_at of [dayAfterBundle(2), BUNDLE.publishedAt, '2026-06-01']) {
    const head = { format: 'weir-prices/1', version: 'acme' }
    const at = `${published_at}T00:00:00Z`
    const file = parse(JSON.stringify({ ...head, published_at: at, models }))
    const priceTables = createPriceTables({ imported: file })
    const all = parse(exportPrices(file))
    assert.equal(all.publishedAt, Math.max(Date.parse(at), BUNDLE_PUBLISHED_AT))
    const again = createPriceTables({ tables: createFileTables(all) })
    // On a machine that has its own corrections and bundle, too.
    const elsewhere = createPriceTables({ imported: all })
    for (const atMs of [Date.parse('2025-12-31'), Date.parse('2026-11-15')]) {
      assertSame(priceTables, again, { atMs })
      assertSame(priceTables, elsewhere, { atMs })
    }
  }
})
