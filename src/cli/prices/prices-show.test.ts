import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { dayAfterBundle, msAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { findDifferingPrice } from '../../../test/prices/differing-price.ts'
import type { PriceDifference } from '../../api/contract.ts'

interface Shown {
  readonly prices: readonly {
    readonly tier: string
    readonly source: string
    readonly sources: readonly string[]
    readonly differs: readonly PriceDifference[]
  }[]
}

test('a price is shown with its source, and with both figures where sources differ', async (context) => {
  const { weir, json, clock } = createCommandLine(context)
  const price = findDifferingPrice(clock.nowMs)
  const { provider, model, source, other, unit, listedUsd, otherUsd } = price
  const { out } = await weir('prices', 'show', provider, model)
  const standard = out.split('\n\n').find((part) => part.startsWith('Tier standard:')) ?? ''
  assert.match(standard, new RegExp(`^ {2}from ${source}$`, 'm'))
  const line = standard.split('\n').find((each) => each.startsWith('  sources differ: ')) ?? ''
  assert.ok(line.startsWith(`  sources differ: ${other} has `), standard)
  assert.ok(line.includes(` ${unit} ${otherUsd} (listed ${listedUsd})`), line)
  assert.match(line, / USD \/ million$/)

  const { prices } = await json<Shown>('prices', 'show', provider, model)
  const shown = prices.find(({ tier }) => tier === 'standard')
  assert.deepEqual(shown?.sources, [source])
  const [difference] = shown.differs
  assert.equal(difference?.source, other)
  const rateOf = (rates: PriceDifference['rates']) => rates.find((rate) => rate.unit === unit)
  const figure = { unit, per: 1_000_000, steps: [] }
  assert.deepEqual(rateOf(difference.rates), { ...figure, rate_usd: otherUsd })
  assert.deepEqual(rateOf(difference.listed_rates), { ...figure, rate_usd: listedUsd })
})

test('a factor is on the listed price, whose sources still differ', async (context) => {
  const { weir, clock } = createCommandLine(context)
  const { provider, model, other, unit, listedUsd, otherUsd } = findDifferingPrice(clock.nowMs)
  await weir('prices', 'set', provider, model, '--multiplier', '0.5', '--from', '2026-01-01')
  const { out } = await weir('prices', 'show', provider, model)
  assert.match(out, /^Tier standard: override, /m)
  assert.ok(out.includes(`sources differ: ${other} has `), out)
  assert.ok(out.includes(` ${unit} ${otherUsd} (listed ${listedUsd})`), out)
})

test('a price that the sources agree on does not say that they differ', async (context) => {
  const { weir, json } = createCommandLine(context)
  const { out } = await weir('prices', 'show', 'openai', 'gpt-4o')
  assert.match(out, /^ {2}from genai-prices$/m)
  assert.doesNotMatch(out, /sources differ/)
  const { prices } = await json<Shown>('prices', 'show', 'openai', 'gpt-4o')
  assert.ok(prices.every(({ differs }) => differs.length === 0))
})

test('imports and corrections are named, own rates are from no list', async (context) => {
  const { weir, json, dataDir, clock } = createCommandLine(context)
  clock.nowMs = msAfterBundle(16)
  const file = path.join(path.dirname(dataDir), 'prices.json')
  const published = `${dayAfterBundle(2)}T00:00:00Z`
  const head = { format: 'weir-prices/1', version: 'v-7', published_at: published }
  const models = [{ provider: 'openai', names: ['acme-9'], prices: [{ rates: { input: '1' } }] }]
  writeFileSync(file, JSON.stringify({ ...head, models }))
  const imported = await weir('prices', 'import', file)
  assert.equal(imported.code, 0, imported.err)
  assert.match((await weir('prices', 'show', 'openai', 'acme-9')).out, /^ {2}from the import v-7$/m)
  const corrected = await weir('prices', 'show', 'cohere', 'rerank-v3.5')
  assert.match(corrected.out, /^ {2}from Weir's corrections$/m)

  await weir('prices', 'set', 'openai', 'acme-9', '--input', '2', '--from', '2026-01-01')
  const { out } = await weir('prices', 'show', 'openai', 'acme-9')
  assert.match(out, /^Tier standard: override, /m)
  assert.doesNotMatch(out, /^ {2}from /m)
  const { prices } = await json<Shown>('prices', 'show', 'openai', 'acme-9')
  assert.deepEqual(
    prices.map(({ source, sources, differs }) => ({ source, sources, differs })),
    [{ source: 'override', sources: [], differs: [] }],
  )
})
