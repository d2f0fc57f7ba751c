// Tiers and regions, of lists and of the operator's own prices. Figures are worked out by hand from
// the listed ones, which are named beside them in USD per million.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PriceRule, RulePrice, RuleRates } from '../../core/price-rule.ts'
import { createPriceTables } from './price-tables.ts'
import type { PriceQuestion } from './price-tables.ts'
import { isUnknown } from './price-table.ts'
import type { PriceTable } from './price-table.ts'
import { createListTable } from './list-table.ts'
import { FREE_RATES } from './price-table.ts'
import { fromRuleRates, toRuleRates } from './rate-text.ts'

const SINCE = Date.parse('2026-11-01T00:00:00Z')
const NOW = Date.parse('2026-11-15T12:00:00Z')

function rule(
  price: RuleRates | string,
  { provider = 'openai', model = 'gpt-5.4', ...changes }: Partial<PriceRule> = {},
): PriceRule {
  const own: RulePrice =
    typeof price === 'string'
      ? { kind: 'multiplier', factor: price }
      : { kind: 'rates', rates: price }
  const about = { id: 'price_a', tier: null, note: null, createdAt: SINCE }
  return { ...about, provider, model, effectiveFrom: SINCE, price: own, ...changes }
}

interface Asked extends Partial<PriceQuestion> {
  readonly rules?: readonly PriceRule[]
  readonly tables?: readonly PriceTable[]
}

function find({ rules = [], tables, ...changes }: Asked) {
  const priceTables = createPriceTables({ rules, ...(tables === undefined ? {} : { tables }) })
  const question = { provider: 'openai', model: 'gpt-5.4', serviceTier: null, atMs: NOW }
  return priceTables.find({ ...question, ...changes })
}

/** `input/output`, bases alone; `none` for what has no price. */
function ask(asked: Asked): string {
  const entry = find(asked)
  if (entry === null || isUnknown(entry.rates)) return 'none'
  const { input, output } = toRuleRates(entry.rates)
  const base = (rate: typeof input) => (typeof rate === 'object' ? rate.base : (rate ?? '-'))
  return `${base(input)}/${base(output)}`
}

const vertex = (model: string, region: string, serviceTier: string | null = null): Asked => {
  return { provider: 'vertex', model, region, serviceTier }
}
const azure = (model: string, region: string, serviceTier: string | null = null): Asked => {
  return { provider: 'azure', model, region, serviceTier }
}

// LiteLLM's price map 1.108.4: regional_endpoint_uplift_multiplier and
// regional_processing_uplift_multiplier_us/_eu are 1.1; azure/us/… and azure/eu/… 1.1 × azure/….
const REGIONS: readonly [string, Asked, string][] = [
  // 3/15 everywhere else.
  ['Claude on Vertex, global', vertex('claude-sonnet-4-5', 'global'), '3/15'],
  ['Claude on Vertex, regional', vertex('claude-sonnet-4-5', 'us-east5'), '3.3/16.5'],
  ['Claude by its dated name', vertex('claude-sonnet-4-5@20250929', 'eu'), '3.3/16.5'],
  ['Claude before 4.5', vertex('claude-opus-4-1', 'us-east5'), '15/75'],
  // 1.5/9.
  ['a new Gemini, regional', vertex('gemini-3.5-flash', 'europe-west1'), '1.65/9.9'],
  ['a new Gemini, global', vertex('gemini-3.5-flash', 'global'), '1.5/9'],
  // Batches are half: 0.75/4.5.
  ['a batch, regional', vertex('gemini-3.5-flash', 'europe-west1', 'batch'), '0.825/4.95'],
  ['a batch, global', vertex('gemini-3.5-flash', 'global', 'batch'), '0.75/4.5'],
  ['an older Gemini', vertex('gemini-2.5-flash', 'europe-west1'), '0.3/2.5'],
  // 2.5/15; batch 1.25/7.5; priority 5/30.
  ['GPT-5.4 anywhere', { region: null }, '2.5/15'],
  ['GPT-5.4 in Europe', { region: 'eu' }, '2.75/16.5'],
  [
    'GPT-5.4 in Europe, by the word for the ordinary tier',
    { region: 'eu', serviceTier: 'default' },
    '2.75/16.5',
  ],
  ['a batch in Europe', { region: 'eu', serviceTier: 'batch' }, '1.375/8.25'],
  ['a priority call in Europe', { region: 'eu', serviceTier: 'priority' }, '5.5/33'],
  ['a batch in Europe, asked for by name', { serviceTier: 'batch+regional' }, '1.375/8.25'],
  ['a tier without a price in Europe', { region: 'eu', serviceTier: 'scale' }, 'none'],
  ['GPT-4o in Europe', { region: 'eu', model: 'gpt-4o' }, '2.5/10'],
  [
    'a batch of GPT-4o in Europe',
    { region: 'eu', model: 'gpt-4o', serviceTier: 'batch' },
    '1.25/5',
  ],
  ['a data zone', azure('gpt-5.4', 'data-zone-eu'), '2.75/16.5'],
  ['a batch in a data zone', azure('gpt-5.4', 'data-zone-eu', 'batch'), '1.375/8.25'],
  ['Azure in a region', azure('gpt-5.4', 'eastus2'), '2.5/15'],
  // LiteLLM 1.108.4: azure/us/gpt-6-sol is 1.1 times 2/10, azure/eu/gpt-6-sol 1.2 times.
  ['a data zone in the United States', azure('gpt-6-sol', 'data-zone-us'), '2.2/11'],
  ['a data zone in Europe', azure('gpt-6-sol', 'data-zone-eu'), '2.4/12'],
  // Half of 2/10 in batches, and 1.2 times that.
  ['a batch in Europe at Azure', azure('gpt-6-sol', 'data-zone-eu', 'batch'), '1.2/6'],
  // Its name says where: amazon.nova-lite-v1:0 is 0.06/0.24.
  [
    'Bedrock in a region without a price of its own',
    { provider: 'bedrock', model: 'amazon.nova-lite-v1:0', region: 'eu-north-1' },
    '0.06/0.24',
  ],
  // LiteLLM 1.108.4: bedrock/eu-west-3/mistral.mistral-7b-instruct-v0:2, and 0.15/0.2 elsewhere.
  [
    'Bedrock in a region with one',
    { provider: 'bedrock', model: 'mistral.mistral-7b-instruct-v0:2', region: 'eu-west-3' },
    '0.2/0.26',
  ],
  // 0.59/0.79.
  [
    'a provider without regional prices',
    { provider: 'groq', model: 'llama-3.3-70b-versatile', region: 'eu' },
    '0.59/0.79',
  ],
]

for (const [title, asked, expected] of REGIONS) {
  test(`${title}: ${expected}`, () => assert.equal(ask(asked), expected))
}

test('a region changes cached tokens and long prompts, too, and no fees', () => {
  const listed = toRuleRates(find(vertex('claude-sonnet-4-5', 'global'))?.rates ?? FREE_RATES)
  const regional = toRuleRates(find(vertex('claude-sonnet-4-5', 'us-east5'))?.rates ?? FREE_RATES)
  assert.deepEqual(regional['input'], {
    base: '3.3',
    steps: [{ above: 200_000, rate: '6.6' }],
  })
  assert.deepEqual(regional['cache_read'], {
    base: '0.33',
    steps: [{ above: 200_000, rate: '0.66' }],
  })
  assert.equal(regional['web_search'], listed['web_search'])
})

test('a figure of a data zone that is no round percentage is the listed one', () => {
  const entry = find(azure('gpt-4o-mini', 'data-zone-us'))
  const { input, cache_read: cached, output } = toRuleRates(entry?.rates ?? FREE_RATES)
  // azure/us/gpt-4o-mini: 0.165, 0.083, 0.66.
  assert.deepEqual([input, cached, output], ['0.165', '0.083', '0.66'])
})

// Listed: 2.5/15; batch 1.25/7.5; flex 1.25/7.5; priority 5/30; regional 2.75/16.5.
const OWN = rule({ input: '2', output: '12' })
const BATCH = rule({ input: '0.5', output: '3' }, { id: 'price_b', tier: 'batch' })
const REGIONAL = rule({ input: '3', output: '20' }, { id: 'price_r', tier: 'regional' })
const ELSEWHERE = { provider: 'acme', model: 'big' }
const ACME = rule({ input: '1', output: '2' }, ELSEWHERE)

const OWN_PRICES: readonly [string, Asked, string][] = [
  ['its own tier', { rules: [OWN] }, '2/12'],
  ['a batch', { rules: [OWN], serviceTier: 'batch' }, '1/6'],
  ['priority', { rules: [OWN], serviceTier: 'priority' }, '4/24'],
  ['a region', { rules: [OWN], region: 'eu' }, '2.2/13.2'],
  ['a batch in a region', { rules: [OWN], region: 'eu', serviceTier: 'batch' }, '1.1/6.6'],
  ['a tier that no list has', { rules: [OWN], serviceTier: 'scale' }, 'none'],
  ['a tier that is given', { rules: [OWN, BATCH], serviceTier: 'batch' }, '0.5/3'],
  [
    'a region of a tier that is given',
    { rules: [OWN, BATCH], serviceTier: 'batch', region: 'eu' },
    '0.55/3.3',
  ],
  ['a region that is given', { rules: [OWN, REGIONAL], region: 'eu' }, '3/20'],
  [
    'a batch in a region that is given',
    { rules: [OWN, REGIONAL], region: 'eu', serviceTier: 'batch' },
    '1.5/10',
  ],
  [
    'a tier with a factor of its own',
    { rules: [OWN, rule('0.5', { id: 'price_f', tier: 'batch' })], serviceTier: 'batch' },
    '0.625/3.75',
  ],
  [
    'a tier beside a factor for all of them',
    { rules: [OWN, rule('0.5', { id: 'price_f' })], serviceTier: 'batch' },
    '1/6',
  ],
  ['a time before the rule', { rules: [OWN], serviceTier: 'batch', atMs: SINCE - 1 }, '1.25/7.5'],
  [
    'a region without a surcharge',
    {
      rules: [rule({ input: '2', output: '8' }, { model: 'gpt-4o' })],
      model: 'gpt-4o',
      region: 'eu',
    },
    '2/8',
  ],
  [
    'Vertex, by a pattern',
    {
      rules: [rule({ input: '2', output: '10' }, { provider: 'vertex', model: 'claude-*' })],
      ...vertex('claude-sonnet-4-5', 'us-east5'),
    },
    '2.2/11',
  ],
  // 2 times 2.4 / 2.
  [
    'a data zone',
    {
      rules: [rule({ input: '2', output: '10' }, { provider: 'azure', model: 'gpt-6-sol' })],
      ...azure('gpt-6-sol', 'data-zone-eu'),
    },
    '2.4/12',
  ],
  ['a model that no list has', { rules: [ACME], ...ELSEWHERE }, '1/2'],
  ['its region, where no list says more', { rules: [ACME], ...ELSEWHERE, region: 'eu' }, '1/2'],
  [
    'a region that only the operator knows',
    {
      rules: [ACME, rule({ input: '7', output: '8' }, { ...ELSEWHERE, tier: 'eu' })],
      ...ELSEWHERE,
      region: 'eu',
    },
    '7/8',
  ],
  [
    'a model in a Vertex region that no list has',
    {
      rules: [rule({ input: '1', output: '2' }, { provider: 'vertex', model: 'big' })],
      ...vertex('big', 'eu'),
    },
    '1/2',
  ],
  [
    'a region of a model that is listed as free',
    {
      rules: [rule({ input: '1', output: '2' }, { model: 'omni-moderation*' })],
      model: 'omni-moderation-latest',
      region: 'eu',
    },
    '1/2',
  ],
  [
    'a region of a model whose listed price is not known',
    { rules: [OWN], tables: [listOf({}, {}, 'regional')], region: 'eu' },
    '2/12',
  ],
  [
    'a region of a tier that is given, before a factor on the region',
    {
      rules: [OWN, BATCH, rule('0.5', { id: 'price_f', tier: 'regional' })],
      serviceTier: 'batch',
      region: 'eu',
    },
    '0.55/3.3',
  ],
  [
    'a region with a factor of its own',
    { rules: [OWN, rule('0.5', { id: 'price_f', tier: 'regional' })], region: 'eu' },
    '1.375/8.25',
  ],
  // 2.5 × 0.8, and 1.1 times that.
  ['a factor in a region', { rules: [rule('0.8')], region: 'eu' }, '2.2/13.2'],
  [
    'a factor on the region alone',
    { rules: [rule('0.8', { tier: 'regional' })], region: 'eu' },
    '2.2/13.2',
  ],
  ['a factor on the region, elsewhere', { rules: [rule('0.8', { tier: 'regional' })] }, '2.5/15'],
  [
    'a factor on batches, in a region',
    { rules: [rule('0.8', { tier: 'batch' })], region: 'eu', serviceTier: 'batch' },
    '1.1/6.6',
  ],
]

for (const [title, asked, expected] of OWN_PRICES) {
  test(`an operator's price applies to ${title}: ${expected}`, () => {
    assert.equal(ask(asked), expected)
  })
}

test('cached tokens that a batch charges as any other are charged so at a price of your own', () => {
  // Listed: o3 at 2, cached 0.5; in batches 1, cached or not.
  const own = { input: '1.8', cache_read: '0.45', output: '7.2' }
  const rules = [rule(own, { model: 'o3' })]
  const entry = find({ rules, model: 'o3', serviceTier: 'batch' })
  assert.deepEqual(toRuleRates(entry?.rates ?? FREE_RATES), { input: '0.9', output: '3.6' })
})

test('a version names the rule and the tier, and its rates by their fingerprint', () => {
  const version = (asked: Asked) => find(asked)?.version ?? ''
  const batch = { rules: [OWN], serviceTier: 'batch' }
  assert.match(version(batch), /^override price_a@2026-11-01 × batch #[0-9a-f]{8}$/)
  const regional = version({ ...batch, region: 'eu' })
  assert.match(regional, /^override price_a@2026-11-01 × batch\+regional #[0-9a-f]{8}$/)
  const listed = version(vertex('gemini-3.5-flash', 'europe-west1', 'batch'))
  assert.match(listed, /^\S+ vertex\/\S+ batch #[0-9a-f]{8} × regional #[0-9a-f]{8}$/)
  // Under another list the same rule makes other rates of the batch, and another version.
  const other = version({ ...batch, tables: [listOf({ input: '4' }, { input: '1' })] })
  assert.match(other, /^override price_a@2026-11-01 × batch #[0-9a-f]{8}$/)
  assert.notEqual(other, version(batch))
})

function listOf(standard: RuleRates, other: RuleRates | 'free', tier = 'batch'): PriceTable {
  const read = (texts: RuleRates) => fromRuleRates(texts) ?? FREE_RATES
  const tiers = new Map([
    ['standard', read(standard)],
    [tier, other === 'free' ? FREE_RATES : read(other)],
  ])
  const readVersions = () => [{ fromMs: -Infinity, hours: null, label: '', tiers }]
  const source = { id: 'gpt-5.4', match: { equals: 'gpt-5.4' }, readVersions }
  return createListTable('list', new Map([['openai', [source]]]))
}

test('a tier that the provider gives away stays free', () => {
  const tables = [listOf({ input: '4' }, 'free')]
  const entry = find({ rules: [OWN], tables, serviceTier: 'batch' })
  assert.deepEqual([entry?.rates.isFree, entry?.source], [true, 'price-book'])
})

test('what was calculated once is the same object the next time', () => {
  const priceTables = createPriceTables({ rules: [OWN] })
  const question = { provider: 'openai', model: 'gpt-5.4', serviceTier: 'batch', region: 'eu' }
  assert.equal(
    priceTables.find({ ...question, atMs: NOW }),
    priceTables.find({ ...question, atMs: NOW + 1 }),
  )
  const listed = createPriceTables()
  assert.equal(listed.find({ ...question, atMs: NOW }), listed.find({ ...question, atMs: NOW + 1 }))
})

test('a list of prices has the region as a tier, and combines none', () => {
  const tiers = (model: string) =>
    createPriceTables()
      .list({ provider: 'openai', model, atMs: NOW })
      .map(({ tier }) => tier)
  assert.ok(tiers('gpt-5.4').includes('regional'))
  assert.ok(!tiers('gpt-4o').includes('regional'))
  assert.ok(!tiers('gpt-5.4').some((tier) => tier.includes('+')))
})
