import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PriceRule } from '../../core/price-rule.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import { toInterruptedEvent } from '../../core/usage-event.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { StoredPrice, UsageRecord } from '../../core/usage-record.ts'
import { explainRecord, quoteUse } from './explain.ts'
import type { ExplanationLine } from './explain.ts'
import { createPriceTables } from './price-tables.ts'
import { priceUse } from './price.ts'
import { toStoredPrice } from './price-sheet.ts'
import { sumLines } from '../../../test/prices/sum-lines.ts'

const NOW = Date.parse('2026-11-01T12:00:00Z')
const DISCOUNT: PriceRule = {
  id: 'price_discount',
  provider: 'anthropic',
  model: '*',
  tier: null,
  effectiveFrom: 0,
  price: { kind: 'multiplier', factor: '0.837' },
  note: null,
  createdAt: 0,
}
const priceTables = createPriceTables({ rules: [DISCOUNT] })

function createEvent(changes: Partial<UsageEvent> = {}): UsageEvent {
  const opening = {
    version: 1,
    id: '019a3f00-0000-7000-8000-000000000001',
    keyId: null,
    provider: 'openai',
    operation: 'chat',
    dims: {},
    startedAt: NOW - 1000,
  } as const
  return {
    ...toInterruptedEvent(opening, NOW),
    status: 'delivered',
    usage: 'reported',
    model: 'gpt-4o',
    tokens: createTokenCounts({ input: 1000, output: 500, cacheRead: 600 }),
    ...changes,
  }
}

function store(event: UsageEvent): { record: UsageRecord; prices: readonly StoredPrice[] } {
  const { cost, entries } = priceUse(event, priceTables)
  return { record: { event, cost }, prices: entries.map(toStoredPrice) }
}

test('a cost is explained by units, rates and their products', () => {
  const event = createEvent({ toolCalls: { web_search: 2 } })
  const { record, prices } = store(event)
  const { lines, cost, source, usage, text } = explainRecord(record, prices)
  const rows = lines.map(({ unit, count, rateUsd, costUsd }) => [unit, count, rateUsd, costUsd])
  assert.deepEqual(rows, [
    ['cache_read', 600, '0.00000125', '0.00075'],
    ['input', 400, '0.0000025', '0.001'],
    ['output', 500, '0.00001', '0.005'],
    ['web_search', 2, '0.01', '0.02'],
  ])
  assert.equal(cost, 26_750_000_000n)
  assert.deepEqual([source, usage], ['price-book', 'reported'])
  assert.equal(text, 'The cost was computed from list prices.')
  assert.deepEqual(quoteUse(event, priceTables), explainRecord(record, prices))
})

test('every line names its model and the version of its price', () => {
  const tokens = createTokenCounts({ input: 10 })
  const shares = [
    { model: null, tokens },
    { model: 'gpt-4o-2024-11-20', tokens },
    { model: 'gpt-4o-mini', tokens },
  ]
  const { record, prices } = store(createEvent({ shares }))
  const { lines } = explainRecord(record, prices)
  assert.deepEqual(
    lines.map(({ model, version }) => [model, version.split(' ')[1]]),
    [
      ['gpt-4o', 'openai/gpt-4o'],
      ['gpt-4o-2024-11-20', 'openai/gpt-4o'],
      ['gpt-4o-mini', 'openai/gpt-4o-mini'],
    ],
  )
})

/** By another road than the code under test: texts to fractions of whole numbers. */
function multiplyOut({ count, rateUsd, costUsd }: ExplanationLine): void {
  const toWhole = (text: string): bigint => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(30, '0'))
  }
  assert.equal(BigInt(count) * toWhole(rateUsd), toWhole(costUsd))
}

const MODELS = [
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-5.4'],
  ['openai', 'gpt-realtime'],
  ['openai', 'gpt-image-1'],
  ['openai', 'whisper-1'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-flash'],
  ['groq', 'whisper-large-v3'],
  ['groq', 'openai/gpt-oss-120b'],
  ['perplexity', 'sonar-pro'],
  ['deepseek', 'deepseek-v4-pro'],
] as const

test('the lines of any use multiply out, and add up to the recorded cost', () => {
  const part = fc.nat({ max: 100_000 })
  const counts = fc
    .record({
      cacheRead: part,
      cacheWrite5m: part,
      cacheWrite1h: part,
      inputAudio: part,
      inputImage: part,
      fresh: part,
      reasoning: part,
      outputAudio: part,
      written: part,
    })
    .map(({ fresh, written, ...parts }) => {
      const { cacheRead, cacheWrite5m, cacheWrite1h, inputAudio, inputImage } = parts
      const input = fresh + cacheRead + cacheWrite5m + cacheWrite1h + inputAudio + inputImage
      const output = written + parts.reasoning + parts.outputAudio
      return createTokenCounts({ ...parts, input, output })
    })
  const uses = fc.record({
    which: fc.constantFrom(...MODELS),
    other: fc.option(fc.constantFrom(...MODELS)),
    tokens: fc.option(counts, { freq: 10 }),
    tier: fc.constantFrom(null, 'default', 'batch', 'flex'),
    searches: fc.nat({ max: 3 }),
    audioMs: fc.nat({ max: 10_000_000 }),
  })
  let priced = 0
  fc.assert(
    fc.property(uses, ({ which, other, tokens, tier, searches, audioMs }) => {
      const [provider, model] = which
      const isAudio = model.startsWith('whisper')
      const shares =
        tokens === null || other === null || other[0] !== provider
          ? undefined
          : [
              { model: null, tokens },
              { model: other[1], tokens, largestInput: 5 },
            ]
      const { record, prices } = store(
        createEvent({
          provider,
          model,
          tokens: isAudio ? null : tokens,
          serviceTier: tier,
          toolCalls: isAudio ? { audio_ms: audioMs } : searches > 0 ? { web_search: searches } : {},
          shares,
        }),
      )
      const { lines, cost } = explainRecord(record, prices)
      for (const line of lines) multiplyOut(line)
      assert.equal(cost, record.cost.amount)
      if (cost === null) return
      assert.equal(sumLines(lines), cost)
      priced += 1
    }),
    { numRuns: 4000 },
  )
  assert.ok(priced > 1000, `${priced} uses had a cost`)
})

const NO_BILLING = { cost: null, marketCost: null, isByok: null, generationId: null }
const TEXT_CASES: readonly [string, Partial<UsageEvent>, RegExp][] = [
  [
    'a stated cost',
    { billing: { ...NO_BILLING, cost: 5n } },
    /^The cost was taken from the response\.$/,
  ],
  ['a key of their own', { billing: { ...NO_BILLING, isByok: true } }, /caller's own provider key/],
  ['a refusal of ours', { status: 'denied' }, /Weir refused the call/],
  ['a call that is not charged', { chargeable: false }, /not charged/],
  ['a free model', { model: 'omni-moderation-latest' }, /charges nothing for this model/],
  [
    "an operator's price",
    { provider: 'anthropic', model: 'claude-sonnet-4-5' },
    /operator's prices/,
  ],
  ['an estimate', { usage: 'estimated' }, /the tokens were estimated/],
  [
    'a film as it was asked for',
    {
      provider: 'google',
      model: 'veo-3.1-generate-001',
      usage: 'estimated',
      tokens: null,
      toolCalls: { video_ms: 8000 },
    },
    /list prices\. The provider did not report usage: what was asked for is counted\./,
  ],
  ['a call that ended early', { usage: 'partial', status: 'cut' }, /ended early/],
  ['a part of the usage', { usage: 'partial' }, /at least this/],
  ['no model', { model: null }, /not known\. The model is not known/],
  ['no usage', { tokens: null, usage: 'none' }, /not known\. The usage is not known/],
  ['an absurd cost', { billing: { ...NO_BILLING, cost: 10n ** 30n } }, /more than a call can cost/],
]

for (const [title, changes, expected] of TEXT_CASES) {
  test(`says in a sentence why ${title} made the cost`, () => {
    const event = createEvent(changes)
    const { record, prices } = store(event)
    assert.match(explainRecord(record, prices).text, expected)
    assert.match(quoteUse(event, priceTables).text, expected)
  })
}

test('a quote tells what is lacking, a record only that something was', () => {
  const event = createEvent({ model: 'gpt-99', serviceTier: 'flex' })
  assert.match(quoteUse(event, priceTables).text, /No price is known for gpt-99\./)
  const { record } = store(event)
  assert.match(explainRecord(record, []).text, /no price for all that gpt-99 used in the service/)
})

test('a price that was not kept is not made up', () => {
  const { record } = store(createEvent())
  const { lines, cost, text } = explainRecord(record, [])
  assert.deepEqual([lines, cost], [[], record.cost.amount])
  assert.match(text, /The rates of the price version bundle\S* openai\/gpt-4o \S+ were not stored/)
})

test('a record that does not say which price belongs to which model says so', () => {
  const tokens = createTokenCounts({ input: 10 })
  const shares = ['a', 'b', 'c'].map((model) => ({ model, tokens }))
  const cost = { amount: 5n, source: 'price-book', priceVersion: 'x + y' } as const
  const { text } = explainRecord({ event: createEvent({ shares }), cost }, [])
  assert.match(text, /ran 3 models and its record names 2 prices/)
})

test('lines that do not add up to what was recorded are shown as such', () => {
  const { record, prices } = store(createEvent())
  const cost = { ...record.cost, amount: 1n }
  const { text, cost: shown } = explainRecord({ ...record, cost }, prices)
  assert.equal(shown, 1n)
  assert.match(text, /add up to 0\.00675 USD, which is not what was recorded/)
})
