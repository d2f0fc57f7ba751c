import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PriceRule, RulePrice } from '../core/price-rule.ts'
import { createPriceTables } from './tables/price-tables.ts'
import type { PriceQuestion } from './tables/price-tables.ts'
import { toRuleRates } from './tables/rate-text.ts'

const NOVEMBER = Date.parse('2026-11-01T00:00:00Z')
const NOW = Date.parse('2026-11-15T12:00:00Z')

let made = 0
function createRule(model: string, price: RulePrice | string, changes: Partial<PriceRule> = {}) {
  made += 1
  const own: RulePrice =
    typeof price === 'string' ? { kind: 'rates', rates: { input: price, output: price } } : price
  const rule: PriceRule = {
    id: `price_${made}`,
    provider: 'openai',
    model,
    tier: null,
    effectiveFrom: NOVEMBER,
    price: own,
    note: null,
    createdAt: NOVEMBER,
    ...changes,
  }
  return rule
}

const times = (factor: string): RulePrice => ({ kind: 'multiplier', factor })

function inputRate(rules: readonly PriceRule[], changes: Partial<PriceQuestion> = {}) {
  const question = { provider: 'openai', model: 'gpt-4o', serviceTier: null, atMs: NOW, ...changes }
  const entry = createPriceTables({ rules }).find(question)
  return entry === null ? null : (toRuleRates(entry.rates)['input'] ?? 'none')
}

const LATER = { effectiveFrom: NOVEMBER + 1 }
const RATE_CASES: readonly [string, readonly PriceRule[], string][] = [
  ['comes before the lists', [createRule('gpt-4o', '7')], '7'],
  [
    'of the exact name beats a pattern',
    [createRule('gpt-4o*', '7', LATER), createRule('gpt-4o', '8')],
    '8',
  ],
  [
    'of the pattern with the most literal characters beats the others',
    [createRule('*', '6', LATER), createRule('gpt*', '7'), createRule('g*4o', '8')],
    '7',
  ],
  [
    'that is in force later beats an earlier one',
    [createRule('gpt-4o', '7', LATER), createRule('gpt-4o', '8')],
    '7',
  ],
  [
    'that was made later beats an earlier one of the same moment',
    [createRule('gpt-4o', '7'), createRule('gpt-4o', '8', { createdAt: NOVEMBER + 1 })],
    '8',
  ],
  [
    'that was given first beats one that is alike',
    [createRule('gpt-4o', '7'), createRule('gpt-4o', '8')],
    '7',
  ],
  [
    'that is not in force yet does nothing',
    [createRule('gpt-4o', '7', { effectiveFrom: NOW + 1 })],
    '2.5',
  ],
  ['holds from its very moment', [createRule('gpt-4o', '7', { effectiveFrom: NOW })], '7'],
  ['for another provider does nothing', [createRule('gpt-4o', '7', { provider: 'azure' })], '2.5'],
  ['for another model does nothing', [createRule('gpt-4o-mini', '7')], '2.5'],
  [
    'that is not in force leaves the call to a pattern that is',
    [createRule('gpt-4o', '7', { effectiveFrom: NOW + 1 }), createRule('gpt*', '8')],
    '8',
  ],
  [
    'that is newer beats one that spells out the ordinary tier',
    [createRule('gpt-4o', '8', { tier: 'standard' }), createRule('gpt-4o', '7', LATER)],
    '7',
  ],
  ['is not multiplied', [createRule('gpt-4o', '7'), createRule('gpt-4o', times('0.5'))], '7'],
  ['may say a factor instead', [createRule('gpt-4o', times('0.8'))], '2'],
  [
    'with a factor is chosen like any other',
    [createRule('*', times('0.5'), LATER), createRule('gpt-*', times('0.8'))],
    '2',
  ],
  [
    'with a factor for the tier beats one for all of them',
    [
      createRule('gpt-4o', times('0.5'), LATER),
      createRule('gpt-4o', times('0.8'), { tier: 'standard' }),
    ],
    '2',
  ],
]

for (const [title, rules, expected] of RATE_CASES) {
  test(`an operator's price ${title}`, () => assert.equal(inputRate(rules), expected))
}

test('rates apply to the ordinary tier or the one they name, and to others by the list', () => {
  const rules = [createRule('gpt-4o', '7'), createRule('gpt-4o', '3', { tier: 'batch' })]
  const ask = (serviceTier: string | null) => inputRate(rules, { serviceTier })
  assert.equal(ask('default'), '7')
  assert.equal(ask('batch'), '3')
  // Listed at half of the ordinary price (developers.openai.com/api/docs/guides/flex-processing).
  assert.equal(ask('flex'), '3.5')
  assert.equal(ask('teleport'), null)
})

test('a factor holds for all tiers, or for the one it names', () => {
  const all = [createRule('gpt-4o', times('0.8'))]
  assert.equal(inputRate(all, { serviceTier: 'batch' }), '1')
  const one = [createRule('gpt-4o', times('0.8'), { tier: 'batch' })]
  assert.equal(inputRate(one, { serviceTier: 'batch' }), '1')
  assert.equal(inputRate(one), '2.5')
})

test('a model that no list knows can be priced, and not multiplied', () => {
  const changes = { provider: 'own', model: 'Sketch-1' }
  const own = { provider: 'own' }
  assert.equal(inputRate([createRule('sketch-1', '7', own)], changes), '7')
  assert.equal(inputRate([createRule('sketch-1', times('2'), own)], changes), null)
})

test('a factor multiplies tokens, steps, tools and fees, exactly', () => {
  const rules = [
    createRule('gpt-5.4', times('1.05')),
    createRule('sonar', times('0.333333333333'), { provider: 'perplexity' }),
  ]
  const priceTables = createPriceTables({ rules })
  const entry = priceTables.find({
    provider: 'openai',
    model: 'gpt-5.4',
    serviceTier: null,
    atMs: NOW,
  })
  assert.ok(entry !== null)
  const { input, web_search: search } = toRuleRates(entry.rates)
  assert.deepEqual(input, { base: '2.625', steps: [{ above: 272_000, rate: '5.25' }] })
  assert.equal(search, '0.0105')
})

test('versions tell which rule made the price, and from what', () => {
  const rates = createRule('gpt-4o', '7', { id: 'price_a' })
  const factor = createRule('gpt-4o', times('0.8'), { id: 'price_b', effectiveFrom: NOVEMBER + 1 })
  const find = (rules: readonly PriceRule[]) =>
    createPriceTables({ rules }).find({
      provider: 'openai',
      model: 'gpt-4o',
      serviceTier: null,
      atMs: NOW,
    })
  const listed = find([])
  assert.deepEqual(
    [find([rates])?.source, find([rates])?.version],
    ['override', 'override price_a@2026-11-01'],
  )
  assert.deepEqual(
    [find([factor])?.source, find([factor])?.version],
    ['override', `override price_b@2026-11-01T00:00:00.001Z × ${listed?.version}`],
  )
})

test('what is free stays free, whatever it is multiplied by', () => {
  const rules = [createRule('omni-moderation*', times('2'))]
  const question = { provider: 'openai', model: 'omni-moderation-latest', atMs: NOW }
  const entry = createPriceTables({ rules }).find({ ...question, serviceTier: null })
  assert.deepEqual([entry?.rates.isFree, entry?.source], [true, 'price-book'])
})

test('a price that was multiplied once is the same object the next time', () => {
  const priceTables = createPriceTables({ rules: [createRule('gpt-4o', times('0.8'))] })
  const question = { provider: 'openai', model: 'gpt-4o', serviceTier: null, atMs: NOW }
  assert.equal(priceTables.find(question), priceTables.find({ ...question, atMs: NOW + 1 }))
})

test('a book lists the prices of a model with where they come from', () => {
  const priceTables = createPriceTables({
    rules: [
      createRule('gpt-4*', '7'),
      createRule('gpt-4o', '3', { tier: 'teleport', effectiveFrom: NOW }),
      createRule('gpt-4o', '3', { tier: 'later', effectiveFrom: NOW + 1 }),
    ],
  })
  const effective = priceTables.list({ provider: 'openai', model: 'gpt-4o', atMs: NOW })
  const find = (tier: string) => effective.find((price) => price.tier === tier)
  assert.deepEqual([find('standard')?.matched, find('standard')?.fromMs], ['gpt-4*', NOVEMBER])
  assert.deepEqual([find('teleport')?.matched, find('teleport')?.fromMs], ['gpt-4o', NOW])
  assert.deepEqual([find('batch')?.matched, find('batch')?.fromMs], ['gpt-4*', NOVEMBER])
  assert.equal(find('later'), undefined)
  assert.deepEqual(priceTables.list({ provider: 'openai', model: 'gpt-99', atMs: NOW }), [])
})
