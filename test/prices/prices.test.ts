import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoney } from '../../src/core/money.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import { priceEvent } from '../../src/pricing/tables/price.ts'
import { PROVIDERS } from '../../src/providers/registry.ts'
import * as aliasRows from './alias-rows.ts'
import * as anthropicRows from './anthropic-rows.ts'
import { calculate } from './arithmetic.ts'
import * as bedrockRows from './bedrock-rows.ts'
import * as googleRows from './google-rows.ts'
import * as namedBedrockRows from './named-bedrock-rows.ts'
import * as namedCatalogueRows from './named-catalogue-rows.ts'
import * as namedCloudRows from './named-cloud-rows.ts'
import * as namedRows from './named-rows.ts'
import * as openaiRows from './openai-rows.ts'
import * as otherRows from './other-rows.ts'

const TABLES = [
  openaiRows,
  anthropicRows,
  googleRows,
  bedrockRows,
  aliasRows,
  otherRows,
  namedRows,
  namedCloudRows,
  namedBedrockRows,
  namedCatalogueRows,
]
const ROWS = TABLES.flatMap((table) => Object.values(table)).flat()
const priceTables = createPriceTables({ local: new Set(['ollama']) })

for (const { title, event, arithmetic, usd, costSource } of ROWS) {
  test(`${title} is ${usd === null ? 'unpriced' : `${usd} USD`}`, () => {
    const { amount, source } = priceEvent(event, priceTables)
    assert.equal(amount === null ? null : formatMoney(amount), usd, arithmetic)
    assert.equal(source, costSource)
    if (source === 'price-book' || source === 'gateway') {
      assert.equal(calculate(arithmetic), usd, 'the arithmetic comes to what the table says')
    }
  })
}

test('the tables have every provider, no usage twice, and at least 300 usages', () => {
  const named = new Set(ROWS.map(({ event }) => event.provider))
  assert.deepEqual([...named].toSorted(), PROVIDERS.map(({ id }) => id).toSorted())
  assert.equal(new Set(ROWS.map(({ title }) => title)).size, ROWS.length)
  assert.ok(ROWS.length >= 300)
})

const SUMS = [
  ['1×0.02/1e6', '0.00000002'],
  ['(1 + 2)×0.5 + 1/4', '1.75'],
  ['0.0000000000005', '0'],
  ['0.0000000000015', '0.000000000002'],
  ['2/3', '0.666666666667'],
] as const

for (const [text, expected] of SUMS) {
  test(`the calculator takes ${text} for ${expected}`, () =>
    assert.equal(calculate(text), expected))
}
