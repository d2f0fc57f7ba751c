import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import { toCohereFigures } from './cohere-usage.ts'
import type { JsonObject } from '../json-leaves.ts'

interface Case {
  readonly name: string
  readonly usage: JsonObject | null
  readonly tokens: Partial<TokenCounts> | null
  readonly toolCalls?: Record<string, number>
}

const CASES: readonly Case[] = [
  { name: 'nothing', usage: null, tokens: null },
  { name: 'empty figures', usage: { billed_units: {}, tokens: {} }, tokens: null },
  {
    name: 'billed figures before raw ones, each by itself',
    usage: { billed_units: { output_tokens: 4 }, tokens: { input_tokens: 70, output_tokens: 9 } },
    tokens: { input: 70, output: 4 },
  },
  {
    name: 'zeros as a report',
    usage: { billed_units: { input_tokens: 0, output_tokens: 0 } },
    tokens: {},
  },
  {
    name: 'fractions rounded, and a count below zero as none',
    usage: { billed_units: { input_tokens: 5.6, output_tokens: -1 }, tokens: { input_tokens: 9 } },
    tokens: { input: 6, output: NaN },
  },
  {
    name: 'figures of other types as no counts',
    usage: { billed_units: { input_tokens: '5', output_tokens: 1e300 } },
    tokens: { input: NaN, output: NaN },
  },
  {
    name: 'cached tokens within the input',
    usage: { billed_units: { input_tokens: 5, output_tokens: 1 }, cached_tokens: 60 },
    tokens: { input: 5, output: 1, cacheRead: 5 },
  },
  {
    name: 'images by their tokens, or else apiece',
    usage: { billed_units: { images: 2, image_tokens: 700, input_tokens: 3 } },
    tokens: { input: 703, inputImage: 700 },
  },
  {
    name: 'units that are no tokens',
    usage: { billed_units: { search_units: 1, classifications: 2, pages: 3, images: 4 } },
    tokens: null,
    toolCalls: { search_unit: 1, classification: 2, page: 3, image: 4 },
  },
  { name: 'no unit that is zero', usage: { billed_units: { search_units: 0 } }, tokens: null },
]

for (const { name, usage, tokens, toolCalls = {} } of CASES) {
  test(`reads ${name}`, () => {
    assert.deepEqual(toCohereFigures(usage), {
      tokens: tokens === null ? null : createTokenCounts(tokens),
      toolCalls,
    })
  })
}
