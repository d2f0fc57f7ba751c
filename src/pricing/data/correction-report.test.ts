import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { STANDARD_TIER } from '../tables/price-table.ts'
import { toRuleRates } from '../tables/rate-text.ts'
import { bundledTables } from './bundled-prices.ts'
import { reportCorrections } from './correction-report.ts'
import { CORRECTIONS } from './corrections.ts'
import { exportPrices } from './export-prices.ts'
import { parsePriceFile } from './price-file.ts'
import type { FilePrice } from './price-file-schema.ts'

interface Model {
  readonly provider: string
  readonly names: readonly string[]
  readonly prices: readonly FilePrice[]
}

const model = (provider: string, name: string, prices: readonly FilePrice[]): Model => {
  return { provider, names: [name], prices }
}
const OTHER: readonly FilePrice[] = [{ rates: { input: '7', output: '70' } }]

/** What the bundle has for it, which is what was corrected. */
function bundled(provider: string, name: string): Model {
  const versions = bundledTables().bundle.findVersions(provider, name) ?? []
  assert.ok(versions.length > 0, `${name} is in the bundle`)
  const prices = versions.map(({ fromMs, entries }): FilePrice => {
    const entry = entries.get(STANDARD_TIER)
    assert.ok(entry !== undefined)
    const from = Number.isFinite(fromMs)
      ? { from: new Date(fromMs).toISOString().slice(0, 10) }
      : {}
    return { ...from, rates: toRuleRates(entry.rates) }
  })
  return model(provider, name, prices)
}

function report(publishedAt: string, models: readonly Model[]) {
  const head = {
    format: 'weir-prices/1',
    version: 'acme',
    published_at: `${publishedAt}T00:00:00Z`,
  }
  return read(JSON.stringify({ ...head, models }))
}

function read(text: string) {
  const parsed = parsePriceFile(text)
  assert.ok(parsed.kind === 'valid', parsed.kind === 'faulty' ? parsed.faults.join('; ') : '')
  const { replaced, standing } = reportCorrections(parsed.file)
  const names = new Map(standing.map(({ provider, model: id, why }) => [`${provider} ${id}`, why]))
  return { replaced: replaced.map(({ provider, model: id }) => `${provider} ${id}`), names }
}

const MODELS = [
  model('openai', 'o3', OTHER),
  bundled('openai', 'gpt-4o-mini'),
  // Of a pattern, and one that says that it is free.
  model('google', 'gemma-3-27b-it', OTHER),
  model('openai', 'acme-9', OTHER),
]

test('newer data replaces the corrections of what it has another price for, and no others', () => {
  const { replaced, names } = report(dayAfterBundle(2), MODELS)
  assert.deepEqual(replaced.toSorted(), ['google gemma', 'openai o3'])
  assert.equal(names.get('openai gpt-4o-mini'), 'unchanged')
  assert.equal(names.get('openai o4-mini'), 'no-price')
  assert.equal(names.get('openai acme-9'), undefined)
  const corrected = Object.values(CORRECTIONS).flat().length
  assert.equal(replaced.length + names.size, corrected, 'each is in one of the two')
})

test('data of the day that was corrected, or older, replaces none', () => {
  for (const day of ['2026-09-23', '2026-01-01']) {
    const { replaced, names } = report(day, MODELS)
    assert.deepEqual(replaced, [])
    assert.equal(names.get('openai o3'), 'older')
    assert.equal(names.get('openai gpt-4o-mini'), 'older')
    assert.equal(names.get('google gemma'), 'older')
    assert.equal(names.get('openai o4-mini'), 'no-price')
  }
})

test('what this Weir exports replaces none of its own', () => {
  const { replaced, names } = read(exportPrices())
  assert.deepEqual(replaced, [])
  assert.equal(names.get('openai o3'), 'older')
})
