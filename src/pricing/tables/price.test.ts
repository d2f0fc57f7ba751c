import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatMoney, parseMoney } from '../../core/money.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import { CALL_COST_MAX, toInterruptedEvent } from '../../core/usage-event.ts'
import type { ReportedBilling, UsageEvent, UsageShare } from '../../core/usage-event.ts'
import { createPriceTables } from './price-tables.ts'
import type { PriceTables } from './price-tables.ts'
import { priceEvent, priceUse, versionsOf, withListPrice } from './price.ts'

const priceTables = createPriceTables()
const ENDED_AT = Date.parse('2026-11-01T12:00:00Z')
const OPENING = {
  version: 1,
  id: '019a3f00-0000-7000-8000-000000000001',
  keyId: 'svc_k_0000000000000001',
  provider: 'openai',
  operation: 'openai-chat',
  dims: {},
  startedAt: ENDED_AT - 1000,
} as const

function createEvent(model: string | null, changes: Partial<UsageEvent> = {}): UsageEvent {
  const interrupted = toInterruptedEvent(OPENING, ENDED_AT)
  return { ...interrupted, status: 'delivered', usage: 'reported', model, ...changes }
}

function priceTokens(
  model: string,
  counts: Partial<TokenCounts>,
  changes: Partial<UsageEvent> = {},
) {
  const { amount } = priceEvent(
    createEvent(model, { tokens: createTokenCounts(counts), ...changes }),
    priceTables,
  )
  return amount === null ? null : formatMoney(amount)
}

const TOKEN_CASES: readonly [string, string, Partial<TokenCounts>, string | null][] = [
  ['input and output', 'gpt-4o', { input: 1000, output: 500 }, '0.0075'],
  ['cached reads', 'gpt-4o', { input: 1000, output: 0, cacheRead: 600 }, '0.00175'],
  ['cached reads without a rate', 'gpt-4o-2024-05-13', { input: 1000, cacheRead: 600 }, '0.005'],
  ['reasoning as output', 'o4-mini', { input: 0, output: 1000, reasoning: 900 }, '0.0044'],
  ['embeddings', 'text-embedding-3-small', { input: 7 }, '0.00000014'],
  ['audio', 'gpt-audio', { input: 100, output: 100, inputAudio: 80, outputAudio: 90 }, '0.00847'],
  ['audio preview', 'gpt-4o-audio-preview', { input: 100, inputAudio: 80 }, '0.00325'],
  ['audio preview without audio', 'gpt-4o-audio-preview', { input: 100, output: 100 }, '0.00125'],
  ['images', 'gpt-image-1', { input: 50, inputImage: 40, output: 10 }, '0.00085'],
  ['the long-context edge', 'gpt-5.4', { input: 272_000, output: 1 }, '0.680015'],
  ['beyond that edge', 'gpt-5.4', { input: 272_001, output: 1 }, '1.3600275'],
  ['cache writes', 'gpt-6-sol', { input: 1000, cacheWrite5m: 1000 }, '0.0025'],
  [
    'cached audio that overlaps',
    'gpt-realtime',
    { input: 100, cacheRead: 60, inputAudio: 80 },
    '0.001304',
  ],
  ['nothing at all', 'gpt-4o', {}, '0'],
  ['output where only input has a rate', 'text-embedding-3-small', { input: 1, output: 1 }, null],
  ['more cached than there is', 'gpt-4o', { input: 10, cacheRead: 11 }, null],
  ['more audio than there is', 'gpt-audio', { input: 10, inputAudio: 11 }, null],
  ['more spoken than there is', 'gpt-audio', { output: 10, outputAudio: 11 }, null],
  ['half a token', 'gpt-4o', { input: 0.5 }, null],
  ['a negative count', 'gpt-4o', { input: -1 }, null],
  ['a count past all sense', 'gpt-4o', { input: Number.MAX_SAFE_INTEGER }, null],
  ['a model billed by the hour', 'whisper-1', { input: 10 }, null],
  [
    'a snapshot whose audio price nobody knows',
    'gpt-4o-audio-preview-2024-10-01',
    { input: 1 },
    null,
  ],
  // 25 USD per thousand calls, and 2.50 or 0.15 per million input tokens.
  [
    'an answer whose search has a fee',
    'gpt-4o-search-preview-2025-03-11',
    { input: 1 },
    '0.0250025',
  ],
  ['the same of the small one', 'gpt-4o-mini-search-preview', { input: 1 }, '0.02500015'],
]

for (const [title, model, counts, expected] of TOKEN_CASES) {
  test(`prices ${title} on ${model}: ${expected ?? 'unpriced'}`, () => {
    assert.equal(priceTokens(model, counts), expected)
  })
}

test('names the price that was used', () => {
  const event = createEvent('gpt-4o', { tokens: createTokenCounts({ input: 1 }) })
  const { amount, source, priceVersion } = priceEvent(event, priceTables)
  assert.deepEqual([amount, source], [2_500_000n, 'price-book'])
  assert.match(priceVersion ?? '', /^bundle@[\d-]+ openai\/gpt-4o #[0-9a-f]{8}$/)
})

test('charges tools apiece, and nothing at all when one of them has no price', () => {
  assert.equal(priceTokens('gpt-4o', { input: 1000 }, { toolCalls: { web_search: 2 } }), '0.0225')
  assert.equal(priceTokens('gpt-4o', { input: 1000 }, { toolCalls: { teleport: 1 } }), null)
  assert.equal(priceTokens('gpt-4o', { input: 1000 }, { toolCalls: { teleport: 0 } }), '0.0025')
})

test('a call that a subscription pays for costs nothing, and has its list price beside it', () => {
  const billing = { cost: null, marketCost: null, isByok: null, generationId: null }
  const tokens = createTokenCounts({ input: 1000, output: 500 })
  const event = createEvent('gpt-4o', { tokens, billing: { ...billing, isPlan: true } })
  const listed = withListPrice(event, priceTables)
  assert.equal(formatMoney(listed.billing?.marketCost ?? 0n), '0.0075')
  const cost = { amount: 0n, source: 'plan', priceVersion: null }
  assert.deepEqual(priceEvent(listed, priceTables), cost)
  assert.deepEqual(withListPrice(listed, priceTables), listed)
  const unknown = { ...event, model: 'no-such-model' }
  assert.deepEqual(withListPrice(unknown, priceTables), unknown)
  assert.deepEqual(priceEvent(unknown, priceTables), cost)
})

test('charges by the tier that was served', () => {
  assert.equal(priceTokens('gpt-5', { input: 1000 }, { serviceTier: 'default' }), '0.00125')
  assert.equal(priceTokens('gpt-5', { input: 1000 }, { serviceTier: 'flex' }), '0.000625')
  assert.equal(priceTokens('gpt-5', { input: 1000 }, { serviceTier: 'teleport' }), null)
})

const NOTHING: ReportedBilling = { cost: null, marketCost: null, isByok: null, generationId: null }
const TOKENS = createTokenCounts({ input: 1000, output: 1000 })
const SOURCE_CASES: readonly [string, Partial<UsageEvent>, bigint | null, string][] = [
  [
    'a stated cost',
    { billing: { ...NOTHING, cost: parseMoney('6.7368e-05') } },
    67_368_000n,
    'gateway',
  ],
  [
    'a cost that another provider states',
    { billing: { ...NOTHING, cost: 7n, statedBy: 'provider' } },
    7n,
    'provider',
  ],
  ['a stated zero', { billing: { ...NOTHING, cost: 0n } }, 0n, 'gateway'],
  [
    'a stated cost of a call not charged by nature',
    { chargeable: false, billing: { ...NOTHING, cost: 5n } },
    5n,
    'gateway',
  ],
  [
    "the caller's own key",
    { billing: { ...NOTHING, cost: 0n, marketCost: 9n, isByok: true } },
    0n,
    'byok-zero',
  ],
  [
    "the caller's own key without a cost",
    { billing: { ...NOTHING, isByok: true } },
    0n,
    'byok-zero',
  ],
  [
    'the largest sane cost',
    { billing: { ...NOTHING, cost: CALL_COST_MAX } },
    CALL_COST_MAX,
    'gateway',
  ],
  ['an absurd cost', { billing: { ...NOTHING, cost: CALL_COST_MAX + 1n } }, null, 'unpriced'],
  ['billing that says nothing of cost', { billing: NOTHING }, 12_500_000_000n, 'price-book'],
  ['a call that is not charged', { chargeable: false }, 0n, 'free'],
  ['a denied call', { status: 'denied', chargeable: true }, 0n, 'free'],
  ['no tokens', { tokens: null }, null, 'unpriced'],
  [
    'a gateway stream that broke off, its tokens estimated',
    { provider: 'gateway', model: 'openai/gpt-4o', usage: 'estimated', status: 'cut' },
    null,
    'unpriced',
  ],
  ['tokens that were estimated', { usage: 'estimated' }, 12_500_000_000n, 'price-book'],
  ['no model', { model: null }, null, 'unpriced'],
  ['an unknown model', { model: 'gpt-99' }, null, 'unpriced'],
  ['an unknown provider', { provider: 'own' }, null, 'unpriced'],
  ['moderation', { model: 'omni-moderation-latest', tokens: null }, 0n, 'free'],
]

for (const [title, changes, amount, source] of SOURCE_CASES) {
  test(`the cost of ${title} is ${source}`, () => {
    const cost = priceEvent(createEvent('gpt-4o', { tokens: TOKENS, ...changes }), priceTables)
    assert.equal(cost.amount, amount)
    assert.equal(cost.source, source)
  })
}

test('a priced use hands over the prices behind it, each once', () => {
  const shares = [share(null, 1), share('gpt-4o-mini', 1), share('gpt-4o', 1)]
  const { cost, entries } = priceUse(createEvent('gpt-4o', { tokens: TOKENS, shares }), priceTables)
  assert.deepEqual(
    entries.map(({ version }) => version),
    versionsOf(cost.priceVersion),
  )
  assert.deepEqual(priceUse(createEvent('gpt-4o', { chargeable: false }), priceTables).entries, [])
})

test('an hour of sound costs what an hour costs, although a millisecond has no exact price', () => {
  const audio = { provider: 'groq', tokens: null, toolCalls: { audio_ms: 3_600_000 } }
  assert.equal(
    formatMoney(priceEvent(createEvent('whisper-large-v3', audio), priceTables).amount ?? -1n),
    '0.111',
  )
})

const SHARE_CASES: readonly [string, Partial<UsageEvent>, string | null][] = [
  [
    'each as its own model',
    { shares: [share(null, 1000), share('gpt-4o-mini', 1000)] },
    // 1000 x $2.50 + 1000 x $0.15 a million
    '0.00265',
  ],
  ['a single one', { shares: [share('gpt-4o-mini', 2000)] }, '0.0003'],
  ["without a model of the call's own", { model: null, shares: [share('gpt-4o', 400)] }, '0.001'],
  [
    "with tools at the price of the call's own model",
    { shares: [share(null, 1000), share('gpt-4o-mini', 1000)], toolCalls: { web_search: 2 } },
    '0.02265',
  ],
  [
    'with tools where the own model used nothing itself',
    { shares: [share('gpt-4o-mini', 1000)], toolCalls: { web_search: 2 } },
    '0.02015',
  ],
  ['one of which nobody knows', { shares: [share(null, 1), share('gpt-99', 1)] }, null],
  ['one without any name', { model: null, shares: [share(null, 1)] }, null],
]

function share(model: string | null, input: number): UsageShare {
  return { model, tokens: createTokenCounts({ input }) }
}

for (const [title, changes, expected] of SHARE_CASES) {
  test(`prices shares: ${title}`, () => {
    const tokens = createTokenCounts({ input: 2000 })
    const { amount } = priceEvent(createEvent('gpt-4o', { tokens, ...changes }), priceTables)
    assert.equal(amount === null ? null : formatMoney(amount), expected)
  })
}

test('prices many short requests of one share as short, and a long one as long', () => {
  const changes = { provider: 'anthropic', model: 'claude-sonnet-4-5' }
  const tokens = createTokenCounts({ input: 1_000_000 })
  const priced = (share: UsageShare): string => {
    const event = createEvent(null, { ...changes, tokens, shares: [share] })
    return formatMoney(priceEvent(event, priceTables).amount ?? -1n)
  }
  // Three dollars a million, and six for prompts of more than 200,000 tokens.
  assert.equal(priced({ model: null, tokens, largestInput: 200_000 }), '3')
  assert.equal(priced({ model: null, tokens, largestInput: 200_001 }), '6')
  assert.equal(priced({ model: null, tokens }), '6')
})

const FEE_CASES: readonly [string, string | null, readonly UsageShare[], Record<string, number>][] =
  [
    ['with the own share', 'a', [share('b', 1), share('a', 1), share(null, 1)], {}],
    ['with the tools of an own model without a share', 'a', [share('b', 1)], { web_search: 1 }],
    ['with the first share where the own model has none', 'a', [share('b', 1), share('c', 1)], {}],
  ]

for (const [title, model, shares, toolCalls] of FEE_CASES) {
  test(`a fee is fee per call, ${title}`, () => {
    const price = {
      kind: 'rates',
      rates: { input: '0', web_search: '0', request: '0.01' },
    } as const
    const rule = { id: 'price_fee', provider: 'openai', model: '*', tier: null, price, note: null }
    const own = createPriceTables({ rules: [{ ...rule, effectiveFrom: 0, createdAt: 0 }] })
    const { cost } = priceUse(createEvent(model, { tokens: TOKENS, shares, toolCalls }), own)
    assert.equal(formatMoney(cost.amount ?? -1n), '0.01')
  })
}

test('names each price that shares were charged by', () => {
  const shares = [share(null, 1), share('gpt-4o-mini', 1), share('gpt-4o', 1)]
  const { priceVersion } = priceEvent(
    createEvent('gpt-4o', { tokens: TOKENS, shares }),
    priceTables,
  )
  const models = versionsOf(priceVersion).map((version) => version.split(' ')[1])
  assert.deepEqual(models, ['openai/gpt-4o', 'openai/gpt-4o-mini'])
})

test('prices what is told apiece and has no tokens, but not what was never told', () => {
  const searches = { tokens: null, toolCalls: { web_search: 2 } }
  assert.equal(priceEvent(createEvent('gpt-4o', searches), priceTables).amount, 20_000_000_000n)
  const cut = createEvent('gpt-4o', { ...searches, usage: 'partial' })
  assert.equal(priceEvent(cut, priceTables).source, 'unpriced')
})

test('an interrupted call has a gap, not a zero', () => {
  const cost = priceEvent(toInterruptedEvent(OPENING, ENDED_AT), priceTables)
  assert.deepEqual(cost, { amount: null, source: 'unpriced', priceVersion: null })
})

test('any counts give a sum between nothing and the costMax rate, or none at all', () => {
  const count = fc.integer({ min: -5, max: 300_000 })
  const counts = fc.record({
    input: count,
    output: count,
    cacheRead: count,
    inputAudio: count,
    outputAudio: count,
  })
  const models = fc.constantFrom('gpt-4o', 'gpt-audio', 'gpt-5.4', 'gpt-realtime')
  fc.assert(
    fc.property(models, counts, (model, parts) => {
      const tokens = createTokenCounts(parts)
      const { amount } = priceEvent(createEvent(model, { tokens }), priceTables)
      if (amount === null) return
      const costMax = 64_000_000n * BigInt(tokens.input + tokens.output)
      assert.ok(amount >= 0n && amount <= costMax)
    }),
  )
})

test('the book is asked for the region of the call, and for none where none is known', () => {
  const asked: unknown[] = []
  const asking: PriceTables = {
    find({ model, region }) {
      asked.push([model, region])
      return null
    },
  }
  const tokens = createTokenCounts({ input: 1 })
  priceEvent(createEvent('some', { tokens, region: 'eu' }), asking)
  priceEvent(createEvent('some', { tokens, region: 'eu', serviceTier: 'flex' }), asking)
  priceEvent(createEvent('other', { tokens }), asking)
  assert.deepEqual(asked, [
    ['some', 'eu'],
    ['some', 'eu'],
    ['some', 'eu'],
    ['other', null],
  ])
})

// Listed at 3/15; 10 % more outside global (LiteLLM 1.108.4, vertex_ai/claude-sonnet-4-5), and with
// OpenAI's regional processing: gpt-5.4 at 2.5/15, batches at half.
const REGION_CASES: readonly [string, string, Partial<UsageEvent>, string][] = [
  // 1000 × 3 + 500 × 15
  ['vertex', 'claude-sonnet-4-5', { region: 'global' }, '0.0105'],
  // 1000 × 3.3 + 500 × 16.5
  ['vertex', 'claude-sonnet-4-5', { region: 'us-east5' }, '0.01155'],
  // 1000 × 2.75 + 500 × 16.5
  ['openai', 'gpt-5.4', { region: 'eu' }, '0.011'],
  // 1000 × 1.375 + 500 × 8.25
  ['openai', 'gpt-5.4', { region: 'eu', serviceTier: 'batch' }, '0.0055'],
  ['openai', 'gpt-4o', { region: 'eu' }, '0.0075'],
  ['azure', 'gpt-5.4', { region: 'data-zone-eu' }, '0.011'],
]

for (const [provider, model, changes, expected] of REGION_CASES) {
  const where = `${changes.region} ${changes.serviceTier ?? ''}`.trimEnd()
  test(`a call of ${provider} ${model} in ${where} costs ${expected}`, () => {
    const tokens = { input: 1000, output: 500 }
    assert.equal(priceTokens(model, tokens, { provider, ...changes }), expected)
  })
}
