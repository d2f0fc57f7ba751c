// OpenAI keeps what it caches for 30 minutes or for 12 hours, and an answer says how much it wrote
// for how long. Figures are worked out by hand, in USD per million tokens: gpt-6-sol has input 2,
// writes 2.50 and output 10 (genai-prices 0.2.1), and writes for 12 hours at 2.5 × input: 5.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { recordAnswer } from '../fakes/one-answer.ts'

function usageOf(input: number): object {
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: 0,
      cache_write_tokens: 700,
      cache_write_tokens_details: { ttl_12h_tokens: 400, ttl_30m_tokens: 300 },
    },
    output_tokens: 10,
    total_tokens: input + 10,
  }
}

interface Row {
  readonly title: string
  readonly model: string
  readonly input: number
  readonly provider?: string
  readonly tier?: string
  readonly cost: string | null
}

const ROWS: readonly Row[] = [
  {
    // 300 × 2 + 300 × 2.5 + 400 × 5 + 10 × 10 = 600 + 750 + 2000 + 100
    title: 'for 12 hours costs 2.5 times the input',
    model: 'gpt-6-sol',
    input: 1000,
    cost: '0.00345',
  },
  {
    // The rates double above 272,000: 271,301 × 4 + 300 × 5 + 400 × 10 + 10 × 15 = 1,090,854
    title: 'in a long prompt costs 2.5 times its input',
    model: 'gpt-6-sol',
    input: 272_001,
    cost: '1.090854',
  },
  {
    // 300 × 2 + 300 × 2.5 + 400 × 5 + 10 × 10, of a model that is newer than the bundle
    title: 'by a model of the corrections costs the same',
    model: 'gpt-6.1-sol',
    input: 1000,
    cost: '0.00345',
  },
  {
    // Twice as much of everything: openai.com/api-fast-mode.
    title: 'in the fast tier costs 2.5 times the input of that tier',
    model: 'gpt-6.1-sol',
    input: 1000,
    tier: 'fast',
    cost: '0.0069',
  },
  {
    title: 'at a reseller whose price for it is not known leaves the cost open',
    model: 'gpt-6-sol',
    input: 1000,
    provider: 'azure',
    cost: null,
  },
]

for (const { title, model, input, provider = 'openai', tier = 'default', cost } of ROWS) {
  test(`a cache write ${title}: ${model}`, async (t) => {
    const { event, cost: recorded } = await recordAnswer(t, {
      provider,
      path: provider === 'azure' ? '/openai/v1/responses' : '/v1/responses',
      request: { model, input: 'hi' },
      body: JSON.stringify({
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        model,
        service_tier: tier,
        output: [],
        usage: usageOf(input),
      }),
    })
    assert.deepEqual([event.tokens?.cacheWrite5m, event.tokens?.cacheWrite1h], [300, 400])
    assert.equal(recorded, cost)
  })
}
