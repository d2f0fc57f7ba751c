import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { JsonObject } from '../json-leaves.ts'
import { readImageUsage } from './openai-image-usage.ts'

const CASES: { name: string; usage: JsonObject | null; tokens: Partial<TokenCounts> | null }[] = [
  { name: 'nothing', usage: null, tokens: null },
  { name: 'zeros', usage: { input_tokens: 0, output_tokens: 0 }, tokens: null },
  {
    name: 'an output without its parts as images',
    usage: { input_tokens: 50, output_tokens: 1056 },
    tokens: { input: 50, output: 1056, outputImage: 1056 },
  },
  {
    name: 'an output of text and images',
    usage: { output_tokens: 90, output_tokens_details: { image_tokens: 80, text_tokens: 10 } },
    tokens: { output: 90, outputImage: 80 },
  },
  {
    name: 'images that came from the cache as cached alone',
    usage: {
      input_tokens: 100,
      output_tokens: 5,
      input_tokens_details: { image_tokens: 80, text_tokens: 20 },
      cached_tokens: 50,
      cached_tokens_details: { cached_image_tokens: 40, cached_text_tokens: 10 },
    },
    tokens: {
      input: 100,
      output: 5,
      cacheRead: 50,
      cacheReadImage: 40,
      inputImage: 40,
      outputImage: 5,
    },
  },
]

for (const { name, usage, tokens } of CASES) {
  test(`reads of what made an image: ${name}`, () => {
    const expected = tokens === null ? null : createTokenCounts(tokens)
    assert.deepEqual(readImageUsage(usage), expected)
  })
}
