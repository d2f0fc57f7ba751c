// Sound and images that were read from a cache have rates of their own at some models. Figures are
// worked out by hand from the data of genai-prices 0.2.1, in USD per million tokens; LiteLLM's
// price map 1.108.4 has the same.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createTokenCounts } from '../../src/core/token-counts.ts'
import { recordAnswer } from '../fakes/one-answer.ts'

// gemini-2.5-flash: input 0.30, sound 1, cached 0.03, cached sound 0.10, output 2.50. Of 1,000
// tokens 400 are cached sound, 200 cached text, 300 fresh sound and 100 fresh text: 100 × 0.3 + 300
// × 1 + 200 × 0.03 + 400 × 0.1 + 50 × 2.5 = 30 + 300 + 6 + 40 + 125 = 501.
test('cached sound of Gemini costs more than cached text', async (t) => {
  const usageMetadata = {
    promptTokenCount: 1000,
    cachedContentTokenCount: 600,
    candidatesTokenCount: 50,
    totalTokenCount: 1050,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 300 },
      { modality: 'AUDIO', tokenCount: 700 },
    ],
    cacheTokensDetails: [
      { modality: 'TEXT', tokenCount: 200 },
      { modality: 'AUDIO', tokenCount: 400 },
    ],
  }
  const { event, cost } = await recordAnswer(t, {
    provider: 'google',
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    request: { contents: [] },
    body: JSON.stringify({ candidates: [], usageMetadata, modelVersion: 'gemini-2.5-flash' }),
  })
  const expected = {
    input: 1000,
    output: 50,
    cacheRead: 600,
    cacheReadAudio: 400,
    inputAudio: 300,
  }
  assert.deepEqual(event.tokens, createTokenCounts(expected))
  assert.equal(cost, '0.000501')
})

// gpt-image-1: text 5, images 10, cached text 1.25, cached images 2.50, output 40; gpt-5: input
// 1.25, output 10. 20 × 5 + 30 × 10 + 20 × 1.25 + 30 × 2.5 + 1000 × 40 = 40,500, and 100 × 1.25 =
// 125.
test('cached images of a model that draws as a tool cost more than cached text', async (t) => {
  const images = {
    input_tokens: 100,
    input_tokens_details: { text_tokens: 40, image_tokens: 60 },
    cached_tokens: 50,
    cached_tokens_details: { cached_image_tokens: 30, cached_text_tokens: 20 },
    output_tokens: 1000,
    total_tokens: 1100,
  }
  const { event, cost } = await recordAnswer(t, {
    provider: 'openai',
    path: '/v1/responses',
    request: { model: 'gpt-5', input: 'draw' },
    body: JSON.stringify({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'gpt-5-2025-08-07',
      output: [{ type: 'image_generation_call', status: 'completed' }],
      tools: [{ type: 'image_generation', model: 'gpt-image-1' }],
      usage: { input_tokens: 100, output_tokens: 0, total_tokens: 100 },
      tool_usage: { image_gen: images },
    }),
  })
  assert.equal(event.tokens?.cacheReadImage, 30)
  assert.equal(cost, '0.040625')
})
