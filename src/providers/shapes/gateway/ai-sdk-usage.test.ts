import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import { AiSdkUsage } from './ai-sdk-usage.ts'

const CASES: { name: string; seen: readonly unknown[]; tokens: Partial<TokenCounts> | null }[] = [
  { name: 'nothing', seen: [], tokens: null },
  { name: 'no usage object', seen: [null, 7, []], tokens: null },
  { name: 'empty members', seen: [{ inputTokens: {}, outputTokens: {} }], tokens: null },
  {
    name: 'a flat pair',
    seen: [{ inputTokens: 3, outputTokens: 2 }],
    tokens: { input: 3, output: 2 },
  },
  { name: 'an embedding', seen: [{ tokens: 5 }], tokens: { input: 5 } },
  {
    name: 'totals and parts',
    seen: [
      {
        inputTokens: { total: 20, noCache: 5, cacheRead: 10, cacheWrite: 5 },
        outputTokens: { total: 8, text: 6, reasoning: 2 },
      },
    ],
    tokens: { input: 20, output: 8, cacheRead: 10, cacheWrite5m: 5, reasoning: 2 },
  },
  {
    name: 'parts alone',
    seen: [{ inputTokens: { noCache: 5, cacheRead: 10 }, outputTokens: { text: 6 } }],
    tokens: { input: 15, output: 6, cacheRead: 10 },
  },
  {
    name: 'the last of each figure',
    seen: [{ inputTokens: 3, outputTokens: 1 }, { outputTokens: 4 }, {}],
    tokens: { input: 3, output: 4 },
  },
  {
    name: 'no part beyond its whole',
    seen: [{ inputTokens: 4, cachedInputTokens: 9, outputTokens: 2, reasoningTokens: 5 }],
    tokens: { input: 4, output: 2, cacheRead: 4, reasoning: 2 },
  },
]

for (const { name, seen, tokens } of CASES) {
  test(`reads ${name}`, () => {
    const usage = new AiSdkUsage()
    for (const value of seen) usage.read(value)
    assert.deepEqual(usage.tokens(), tokens === null ? null : createTokenCounts(tokens))
  })
}
