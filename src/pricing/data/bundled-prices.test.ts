import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createListTable } from '../tables/list-table.ts'
import { createPriceTables } from '../tables/price-tables.ts'
import type { PriceCatalog } from '../tables/price-tables.ts'
import { toFingerprint } from '../tables/price-sheet.ts'
import { FREE_RATES } from '../tables/price-table.ts'
import { toRuleRates } from '../tables/rate-text.ts'
import type { ListedModel, PriceTable } from '../tables/price-table.ts'
import { BUNDLE, BUNDLE_PUBLISHED_AT } from './bundle.ts'
import { bundledTables } from './bundled-prices.ts'
import { toModelSources } from './genai-versions.ts'
import type { GenaiModel } from './model-price.ts'

const DAY_MS = 86_400_000

/** What the list has from its first source, as if that had been published again. */
function publishAgain(change: (model: GenaiModel) => GenaiModel = (model) => model): PriceTable {
  const models = Object.entries(BUNDLE.providers).map(([provider, list]) => {
    const first = list.filter(({ source }) => source === undefined).map(withoutOthers)
    return [provider, first.map(change)] as const
  })
  const table = createListTable('again', toModelSources(new Map(models)))
  return { ...table, publishedAt: BUNDLE_PUBLISHED_AT + DAY_MS }
}

function withoutOthers(model: GenaiModel): GenaiModel {
  const { variants = [] } = model
  return { ...model, variants: variants.filter(({ source }) => source === undefined) }
}

test('what the list was made from changes none of its prices when it is imported', () => {
  const { bundle } = bundledTables()
  const [before, after] = [[bundle], [publishAgain(), bundle]].map((tables) => {
    return createPriceTables({ tables })
  }) as [PriceCatalog, PriceCatalog]
  const atMs = BUNDLE_PUBLISHED_AT + DAY_MS
  const ratesOf = (priceTables: PriceCatalog, listed: ListedModel): unknown =>
    priceTables
      .list({ ...listed, atMs })
      .map(({ tier, entry }) => [tier, toFingerprint(entry.rates)])
  for (const listed of bundle.listModels()) {
    assert.deepEqual(ratesOf(after, listed), ratesOf(before, listed), listed.model)
  }
})

test('a price that changed since comes before all that the list has for the model', () => {
  const { bundle } = bundledTables()
  const dearer = (model: GenaiModel): GenaiModel =>
    model.id === 'gpt-5.4' ? { ...model, prices: { input_mtok: 7 }, variants: [] } : model
  const priceTables = createPriceTables({ tables: [publishAgain(dearer), bundle] })
  const question = { serviceTier: null, atMs: BUNDLE_PUBLISHED_AT + DAY_MS }
  const find = (model: string) => priceTables.find({ provider: 'azure', model, ...question })
  assert.match(find('gpt-5.4')?.version ?? '', /^again azure\/gpt-5\.4 /)
  assert.match(find('gpt-5.5')?.version ?? '', /^bundle@/)
  // The European zone costs a tenth more: 2.75 and 2.5 in the list, LiteLLM 1.108.4.
  const zone = priceTables.find({
    provider: 'azure',
    model: 'gpt-5.4',
    region: 'data-zone-eu',
    ...question,
  })
  assert.equal(toRuleRates(zone?.rates ?? FREE_RATES)['input'], '7.7')
})
