import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import { areReadable } from '../json-leaves.ts'
import { OpenaiUsage } from './openai-usage.ts'

const CASES: { name: string; seen: readonly unknown[]; tokens: Partial<TokenCounts> | null }[] = [
  { name: 'nothing', seen: [], tokens: null },
  { name: 'no usage object', seen: [null, undefined, 7, 'usage', []], tokens: null },
  { name: 'an empty usage object', seen: [{}], tokens: null },
  {
    name: 'details without a whole figure',
    seen: [{ prompt_tokens_details: { cached_tokens: 3 } }],
    tokens: null,
  },
  { name: 'input alone', seen: [{ prompt_tokens: 3 }], tokens: { input: 3 } },
  { name: 'zeros', seen: [{ prompt_tokens: 0, completion_tokens: 0 }], tokens: {} },
  {
    name: 'the last of each figure',
    seen: [{ prompt_tokens: 3, completion_tokens: 1 }, { completion_tokens: 4 }, null, {}],
    tokens: { input: 3, output: 4 },
  },
  {
    name: 'a total that is the sum',
    seen: [{ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }],
    tokens: { input: 3, output: 4 },
  },
  {
    name: 'no earlier total beside later figures',
    seen: [{ prompt_tokens: 3, total_tokens: 3 }, { completion_tokens: 4 }],
    tokens: { input: 3, output: 4 },
  },
  {
    name: 'cache figures of other spellings',
    seen: [{ prompt_tokens: 9, prompt_cache_hit_tokens: 4, cache_creation_input_tokens: 2 }],
    tokens: { input: 9, cacheRead: 4, cacheWrite5m: 2 },
  },
  {
    name: 'cached tokens beside the whole',
    seen: [
      { prompt_tokens: 9, cached_tokens: 2 },
      { prompt_tokens: 9, num_cached_tokens: 3 },
    ],
    tokens: { input: 9, cacheRead: 3 },
  },
  {
    name: "the details of an assistant's run",
    seen: [{ prompt_tokens: 9, completion_tokens: 1, prompt_token_details: { cached_tokens: 4 } }],
    tokens: { input: 9, output: 1, cacheRead: 4 },
  },
  {
    name: 'all details',
    seen: [
      {
        prompt_tokens: 50,
        completion_tokens: 40,
        prompt_tokens_details: {
          cached_tokens: 5,
          cache_write_tokens: 6,
          audio_tokens: 7,
          image_tokens: 8,
        },
        completion_tokens_details: { reasoning_tokens: 9, audio_tokens: 10, image_tokens: 11 },
      },
    ],
    tokens: {
      input: 50,
      output: 40,
      cacheRead: 5,
      cacheWrite5m: 6,
      inputAudio: 7,
      inputImage: 8,
      reasoning: 9,
      outputAudio: 10,
      outputImage: 11,
    },
  },
  {
    name: 'the words of Responses',
    seen: [
      {
        input_tokens: 50,
        output_tokens: 40,
        input_tokens_details: {
          cached_tokens: 5,
          cache_write_tokens: 20,
          cache_write_tokens_details: { ttl_30m_tokens: 12, ttl_12h_tokens: 8 },
          image_tokens: 3,
        },
        output_tokens_details: { reasoning_tokens: 9 },
      },
    ],
    tokens: {
      input: 50,
      output: 40,
      cacheRead: 5,
      cacheWrite5m: 12,
      cacheWrite1h: 8,
      inputImage: 3,
      reasoning: 9,
    },
  },
  {
    name: 'the words of sound',
    seen: [
      {
        input_tokens: 14,
        output_tokens: 45,
        input_token_details: { text_tokens: 4, audio_tokens: 10 },
        output_token_details: { audio_tokens: 30 },
      },
    ],
    tokens: { input: 14, output: 45, inputAudio: 10, outputAudio: 30 },
  },
  {
    name: 'no cache write of either time beyond the input',
    seen: [
      {
        input_tokens: 10,
        input_tokens_details: {
          cached_tokens: 4,
          cache_write_tokens: 9,
          cache_write_tokens_details: { ttl_12h_tokens: 5 },
        },
      },
    ],
    tokens: { input: 10, cacheRead: 4, cacheWrite5m: 4, cacheWrite1h: 2 },
  },
  {
    name: 'no part beyond its whole',
    seen: [
      {
        prompt_tokens: 5,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 8 },
      },
    ],
    tokens: { input: 5, output: 2, cacheRead: 4, cacheWrite5m: 1, reasoning: 2 },
  },
]

for (const { name, seen, tokens } of CASES) {
  test(`reads ${name}`, () => {
    const usage = new OpenaiUsage()
    for (const value of seen) usage.read(value)
    assert.deepEqual(usage.tokens(), tokens === null ? null : createTokenCounts(tokens))
  })
}

const UNREADABLE: readonly object[] = [
  { prompt_tokens: '9' },
  { prompt_tokens: 1.5 },
  { prompt_tokens: -1 },
  { prompt_tokens: 1e300 },
  { prompt_tokens: 3, completion_tokens: null },
  { prompt_tokens: 3, completion_tokens: 4, total_tokens: 8 },
  { prompt_tokens: 3, completion_tokens: 4, total_tokens: 6 },
  { prompt_tokens: 3, prompt_tokens_details: { cached_tokens: '1' } },
]

for (const seen of UNREADABLE) {
  test(`reads no whole usage of ${JSON.stringify(seen)}`, () => {
    const usage = new OpenaiUsage()
    usage.read(seen)
    const tokens = usage.tokens()
    assert.ok(tokens !== null && !areReadable(tokens))
    usage.read({
      prompt_tokens: 3,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 1 },
    })
    assert.deepEqual(usage.tokens(), createTokenCounts({ input: 3, output: 4, cacheRead: 1 }))
  })
}
