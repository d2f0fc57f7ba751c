import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import { AnthropicUsage } from './anthropic-usage.ts'

const CASES: { name: string; seen: readonly unknown[]; tokens: Partial<TokenCounts> | null }[] = [
  { name: 'nothing', seen: [], tokens: null },
  { name: 'no usage object', seen: [null, undefined, 7, 'usage', []], tokens: null },
  { name: 'an empty usage object', seen: [{}], tokens: null },
  { name: 'cache figures alone', seen: [{ cache_read_input_tokens: 3 }], tokens: null },
  { name: 'zeros', seen: [{ input_tokens: 0, output_tokens: 0 }], tokens: {} },
  { name: 'output alone', seen: [{ output_tokens: 2 }], tokens: { output: 2 } },
  {
    name: 'the last of each figure',
    seen: [
      { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 2 },
      { input_tokens: null, output_tokens: 4 },
      {},
    ],
    tokens: { input: 7, output: 4, cacheRead: 2 },
  },
  {
    name: 'a figure of another type as no count',
    seen: [{ input_tokens: 5, output_tokens: 1 }, { output_tokens: '9' }, {}],
    tokens: { input: 5, output: NaN, reasoning: NaN },
  },
  {
    name: 'writes by kind without their sum',
    seen: [
      {
        input_tokens: 1,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 300 },
      },
    ],
    tokens: { input: 321, cacheWrite5m: 20, cacheWrite1h: 300 },
  },
  {
    name: 'writes beyond both kinds as the shorter',
    seen: [
      {
        input_tokens: 0,
        cache_creation_input_tokens: 50,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 30 },
      },
    ],
    tokens: { input: 50, cacheWrite5m: 20, cacheWrite1h: 30 },
  },
  {
    name: 'no kind beyond the sum',
    seen: [
      {
        input_tokens: 0,
        cache_creation_input_tokens: 25,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 30 },
      },
    ],
    tokens: { input: 25, cacheWrite1h: 25 },
  },
  {
    name: 'no thinking beyond the output',
    seen: [{ output_tokens: 4, output_tokens_details: { thinking_tokens: 9 } }],
    tokens: { output: 4, reasoning: 4 },
  },
]

for (const { name, seen, tokens } of CASES) {
  test(`reads ${name}`, () => {
    const usage = new AnthropicUsage()
    for (const value of seen) usage.read(value)
    const expected = tokens === null ? null : createTokenCounts(tokens)
    assert.deepEqual(usage.report('m').tokens, expected)
  })
}

test('takes zeros that open a stream for nothing, and anything else in them for a report', () => {
  const zeros = { input_tokens: 0, output_tokens: 0, cache_creation: null, service_tier: 'batch' }
  const usage = new AnthropicUsage()
  usage.readOpening(zeros)
  assert.equal(usage.report('m').tokens, null)
  assert.equal(usage.report('m').serviceTier, 'batch')
  usage.read({ output_tokens: 0 })
  assert.deepEqual(usage.report('m').tokens, createTokenCounts({}))
  const other = new AnthropicUsage()
  other.readOpening({ ...zeros, cache_read_input_tokens: 4 })
  assert.deepEqual(other.report('m').tokens, createTokenCounts({ input: 4, cacheRead: 4 }))
})

const TIERS: readonly (readonly [Record<string, unknown>, string | null])[] = [
  [{}, null],
  [{ service_tier: 'standard' }, 'standard'],
  [{ service_tier: 'standard', speed: 'standard', inference_geo: 'global' }, 'standard'],
  [{ service_tier: 'standard', inference_geo: 'not_available' }, 'standard'],
  [{ inference_geo: null, speed: null }, null],
  [{ service_tier: 'priority' }, 'priority'],
  [{ service_tier: 'standard', inference_geo: 'us' }, 'geo-us'],
  [{ service_tier: 'batch', inference_geo: 'us' }, 'batch+geo-us'],
  [{ service_tier: 'standard', speed: 'fast', inference_geo: 'eu' }, 'fast+geo-eu'],
  [{ speed: 'slow' }, 'speed-slow'],
  [{ fallback_credit: { status: { type: 'redeemed' } } }, 'credit'],
  [{ service_tier: 'standard', fallback_credit: { status: { type: 'not_applied' } } }, 'standard'],
]

for (const [marks, tier] of TIERS) {
  test(`makes one tier of ${JSON.stringify(marks)}`, () => {
    const usage = new AnthropicUsage()
    usage.read(marks)
    assert.equal(usage.report(null).serviceTier, tier)
  })
}

test('tells what each model used, and adds nothing of the whole message to it', () => {
  const usage = new AnthropicUsage()
  usage.read({
    input_tokens: 900,
    output_tokens: 90,
    output_tokens_details: { thinking_tokens: 30 },
    iterations: [
      { type: 'message', model: 'a', input_tokens: 10, output_tokens: 1 },
      { type: 'fallback_message', model: 'b', input_tokens: 20, output_tokens: 5 },
      { type: 'compaction', input_tokens: 4, output_tokens: 2 },
      'no entry',
      { type: 'message', model: 'c' },
    ],
  })
  assert.equal(usage.fallbackModel, 'b')
  assert.deepEqual(usage.report('a'), {
    tokens: createTokenCounts({ input: 34, output: 8, reasoning: 5 }),
    shares: [
      { model: 'a', tokens: createTokenCounts({ input: 14, output: 3 }) },
      { model: 'b', tokens: createTokenCounts({ input: 20, output: 5, reasoning: 5 }) },
    ],
    toolCalls: {},
    serviceTier: null,
  })
})

test('goes by the whole message where the entries have no figures', () => {
  const usage = new AnthropicUsage()
  usage.read({ input_tokens: 3, output_tokens: 1, iterations: [{ type: 'message' }] })
  assert.deepEqual(usage.report('m').tokens, createTokenCounts({ input: 3, output: 1 }))
  assert.equal(usage.report('m').shares, undefined)
})

test('leaves out the shares where one model did it all', () => {
  const usage = new AnthropicUsage()
  usage.read({ iterations: [{ type: 'message', model: 'm', input_tokens: 3, output_tokens: 1 }] })
  assert.equal(usage.report('m').shares, undefined)
  assert.equal(usage.report('other').shares?.length, 1)
})
