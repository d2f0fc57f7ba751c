import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import { GeminiUsage, toTier } from './gemini-usage.ts'

const CASES: { name: string; seen: readonly unknown[]; tokens: Partial<TokenCounts> | null }[] = [
  { name: 'nothing', seen: [], tokens: null },
  { name: 'no usage object', seen: [null, undefined, 7, 'usage', []], tokens: null },
  { name: 'a total alone', seen: [{ totalTokenCount: 9 }], tokens: null },
  { name: 'zeros', seen: [{ promptTokenCount: 0, candidatesTokenCount: 0 }], tokens: null },
  { name: 'a prompt alone', seen: [{ promptTokenCount: 3 }], tokens: { input: 3 } },
  {
    name: 'thoughts on top of the answer, and tools on top of the prompt',
    seen: [
      {
        promptTokenCount: 10,
        toolUsePromptTokenCount: 4,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 5,
      },
    ],
    tokens: { input: 14, output: 8, reasoning: 5 },
  },
  {
    name: 'the last of each figure',
    seen: [
      { promptTokenCount: 3, candidatesTokenCount: 1, thoughtsTokenCount: 7 },
      { candidatesTokenCount: 4 },
      null,
      {},
    ],
    tokens: { input: 3, output: 11, reasoning: 7 },
  },
  {
    name: 'figures written as texts',
    seen: [{ promptTokenCount: '3', totalTokenCount: '3' }],
    tokens: { input: 3 },
  },
  ...['4.5', '-1', '1e3', '9'.repeat(16), 2.5].map((promptTokenCount) => ({
    name: `${JSON.stringify(promptTokenCount)} as no count`,
    seen: [{ promptTokenCount: 3 }, { promptTokenCount }],
    tokens: { input: NaN, cacheRead: NaN, inputAudio: NaN, inputImage: NaN },
  })),
  {
    name: 'the words of live sessions',
    seen: [
      {
        promptTokenCount: 9,
        responseTokenCount: 6,
        responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 5 }],
      },
    ],
    tokens: { input: 9, output: 6, outputAudio: 5 },
  },
  {
    name: 'modalities, each list for itself',
    seen: [
      { promptTokenCount: 50, promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 20 }] },
      {
        toolUsePromptTokenCount: 9,
        toolUsePromptTokensDetails: [{ modality: 'IMAGE', tokenCount: 9 }],
        candidatesTokenCount: 40,
        candidatesTokensDetails: [
          { modality: 'TEXT', tokenCount: 1 },
          { modality: 'IMAGE', tokenCount: 30 },
          { modality: 'IMAGE', tokenCount: 5 },
          { modality: 'VIDEO', tokenCount: 4 },
          { modality: 7 },
          null,
        ],
      },
    ],
    tokens: { input: 59, output: 40, inputAudio: 20, inputImage: 9, outputImage: 35 },
  },
  {
    name: 'sound and images from the cache as parts of the cached ones, not as fresh ones too',
    seen: [
      {
        promptTokenCount: 1000,
        cachedContentTokenCount: 500,
        promptTokensDetails: [
          { modality: 'AUDIO', tokenCount: 600 },
          { modality: 'IMAGE', tokenCount: 20 },
          { modality: 'TEXT', tokenCount: 380 },
        ],
        cacheTokensDetails: [
          { modality: 'AUDIO', tokenCount: 480 },
          { modality: 'IMAGE', tokenCount: '20' },
        ],
      },
    ],
    tokens: {
      input: 1000,
      cacheRead: 500,
      cacheReadAudio: 480,
      cacheReadImage: 20,
      inputAudio: 120,
    },
  },
  {
    name: 'no part beyond its whole',
    seen: [
      {
        promptTokenCount: 5,
        cachedContentTokenCount: 8,
        candidatesTokenCount: 2,
        promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 6 }],
        candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 3 }],
      },
    ],
    tokens: { input: 5, output: 2, cacheRead: 5, inputAudio: 5, outputAudio: 2 },
  },
]

for (const { name, seen, tokens } of CASES) {
  test(`reads ${name}`, () => {
    const usage = new GeminiUsage()
    for (const value of seen) usage.read(value)
    assert.deepEqual(usage.tokens(), tokens === null ? null : createTokenCounts(tokens))
  })
}

const TIERS: readonly (readonly [said: unknown, tier: string | null])[] = [
  [undefined, null],
  ['', null],
  ['unspecified', null],
  ['TRAFFIC_TYPE_UNSPECIFIED', null],
  ['ON_DEMAND', 'on_demand'],
  ['ON_DEMAND_FLEX', 'flex'],
  ['ON_DEMAND_PRIORITY', 'priority'],
  ['PROVISIONED_THROUGHPUT', 'provisioned_throughput'],
  ['standard', 'standard'],
]

for (const [said, tier] of TIERS) {
  test(`calls the tier ${String(said)} ${String(tier)}`, () => assert.equal(toTier(said), tier))
}

test('takes the tier by name before the kind of traffic, and keeps it', () => {
  const usage = new GeminiUsage()
  usage.read({ serviceTier: 'flex', trafficType: 'ON_DEMAND' })
  usage.read({})
  assert.equal(usage.serviceTier, 'flex')
})
