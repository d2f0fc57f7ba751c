import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../core/token-counts.ts'
import { CALL_COST_MAX, toInterruptedEvent } from '../../core/usage-event.ts'
import type { UsageEvent, UsageShare } from '../../core/usage-event.ts'
import { createPriceTables } from './price-tables.ts'
import { priceUse } from './price.ts'
import { describeReason } from './unpriced-reason.ts'
import type { UnpricedReason } from './unpriced-reason.ts'

const priceTables = createPriceTables()
const ENDED_AT = Date.parse('2026-11-01T12:00:00Z')
const OPENING = {
  version: 1,
  id: '019a3f00-0000-7000-8000-000000000001',
  keyId: null,
  provider: 'openai',
  operation: 'openai-chat',
  dims: {},
  startedAt: ENDED_AT - 1000,
} as const
const EVENT: UsageEvent = {
  ...toInterruptedEvent(OPENING, ENDED_AT),
  status: 'delivered',
  usage: 'reported',
  model: 'gpt-4o',
  tokens: createTokenCounts({ input: 1000, output: 1000 }),
}
const NOTHING = { cost: null, marketCost: null, isByok: null, generationId: null }

function share(model: string | null, input: number): UsageShare {
  return { model, tokens: createTokenCounts({ input }) }
}

const REASON_CASES: readonly [string, Partial<UsageEvent>, UnpricedReason | null][] = [
  ['nothing, where the cost is known', {}, null],
  ['nothing, where the call is free', { chargeable: false }, null],
  ['that no model is known', { model: null }, { kind: 'no-model' }],
  ['that the model has no price', { model: 'gpt-99' }, { kind: 'no-price', model: 'gpt-99' }],
  [
    'that nobody knows the price of the model',
    { model: 'gpt-4o-audio-preview-2024-10-01', tokens: createTokenCounts({}) },
    { kind: 'no-price', model: 'gpt-4o-audio-preview-2024-10-01' },
  ],
  [
    'that the tier has no price',
    { serviceTier: 'teleport' },
    { kind: 'no-tier', model: 'gpt-4o', tier: 'teleport' },
  ],
  [
    'that the model has no price, wherever it runs',
    { model: 'gpt-99', region: 'eu' },
    { kind: 'no-price', model: 'gpt-99' },
  ],
  [
    'that the model has no price, whatever the tier',
    { model: 'gpt-99', serviceTier: 'teleport' },
    { kind: 'no-price', model: 'gpt-99' },
  ],
  ['that no tokens were told', { tokens: null }, { kind: 'no-tokens' }],
  [
    'that a tool has no rate',
    { toolCalls: { teleport: 1 } },
    { kind: 'no-rate', model: 'gpt-4o', unit: 'teleport' },
  ],
  [
    'that a tool has no rate, though every object has a member of its name',
    { toolCalls: { constructor: 1 } },
    { kind: 'no-rate', model: 'gpt-4o', unit: 'constructor' },
  ],
  [
    'that output has no rate',
    { model: 'text-embedding-3-small' },
    { kind: 'no-rate', model: 'text-embedding-3-small', unit: 'output' },
  ],
  [
    'that counts contradict each other',
    { tokens: createTokenCounts({ input: 1, cacheRead: 2 }) },
    { kind: 'contradiction', model: 'gpt-4o' },
  ],
  [
    'that a computed cost is beyond all sense',
    { tokens: createTokenCounts({ input: Number.MAX_SAFE_INTEGER }) },
    { kind: 'beyond-limit' },
  ],
  [
    'that a stated cost is beyond all sense',
    { billing: { ...NOTHING, cost: CALL_COST_MAX + 1n } },
    { kind: 'beyond-limit' },
  ],
  [
    'which of several models has no price',
    { shares: [share(null, 1), share('gpt-99', 1)] },
    { kind: 'no-price', model: 'gpt-99' },
  ],
]

for (const [title, changes, reason] of REASON_CASES) {
  test(`a priced use tells ${title}`, () => {
    const use = priceUse({ ...EVENT, ...changes }, priceTables)
    assert.deepEqual(use.reason, reason)
    assert.equal(use.cost.source === 'unpriced', reason !== null)
  })
}

const TEXT_CASES: readonly [UnpricedReason, string][] = [
  [{ kind: 'no-model' }, 'the model is not known'],
  [{ kind: 'no-price', model: 'm' }, 'no price is known for m'],
  [{ kind: 'no-tier', model: 'm', tier: 't' }, 'no price is known for m in the service tier t'],
  [{ kind: 'no-tokens' }, 'the usage is not known'],
  [{ kind: 'no-rate', model: 'm', unit: 'image' }, 'the price of m has no rate for image'],
  [{ kind: 'contradiction', model: 'm' }, 'the counts of m contradict each other'],
  [{ kind: 'beyond-limit' }, 'the amount is more than a call can cost'],
]

for (const [reason, text] of TEXT_CASES) {
  test(`people read of ${reason.kind} that ${text}`, () =>
    assert.equal(describeReason(reason), text))
}
