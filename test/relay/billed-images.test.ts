// Images by tokens or at one price for each, from the provider's answer to the cost. Figures are
// worked out by hand, in USD by the data of genai-prices 0.2.1 and LiteLLM's price map 1.108.4.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { recordAnswer } from '../fakes/one-answer.ts'
import type { Answered } from '../fakes/one-answer.ts'

interface Row {
  readonly title: string
  readonly answered: Answered
  readonly units: Readonly<Record<string, number>>
  readonly cost: string | null
}

const USAGE = {
  input_tokens: 50,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
  output_tokens: 1000,
  total_tokens: 1050,
}
const PICTURE = { b64_json: 'iVBO' }

function generate(model: string, answer: object): Answered {
  return {
    provider: 'openai',
    path: '/v1/images/generations',
    request: { model, prompt: 'A river.', size: '1024x1024', quality: 'high' },
    body: JSON.stringify({ created: 1, data: [PICTURE], ...answer }),
  }
}

// Per million tokens: gpt-image-1 text 5, images 10, output 40; gpt-image-1.5 text 5, images 8,
// output 32, its words 10.
const BY_TOKENS: readonly Row[] = [
  {
    title: 'an image made of an image: (10 × 5 + 40 × 10 + 1000 × 40) / 1e6',
    answered: generate('gpt-image-1', { usage: USAGE }),
    units: {},
    cost: '0.04045',
  },
  {
    title: 'an image and words: (10 × 5 + 40 × 8 + 100 × 10 + 900 × 32) / 1e6',
    answered: generate('gpt-image-1.5', {
      usage: { ...USAGE, output_tokens_details: { image_tokens: 900, text_tokens: 100 } },
    }),
    units: {},
    cost: '0.03017',
  },
  {
    title: 'the same as a stream, whose previews report nothing',
    answered: {
      ...generate('gpt-image-1', {}),
      body: [
        { type: 'image_generation.partial_image', partial_image_index: 0, ...PICTURE },
        { type: 'image_generation.completed', ...PICTURE, usage: USAGE },
      ]
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
      contentType: 'text/event-stream',
    },
    units: {},
    cost: '0.04045',
  },
  {
    // 100 × 1.25 / 1e6 for gpt-5, and no usage of the tool: it was billed, nobody said how much.
    title: 'an image of a tool that reports nothing',
    answered: {
      provider: 'openai',
      path: '/v1/responses',
      request: { model: 'gpt-5', input: 'draw' },
      body: JSON.stringify({
        object: 'response',
        status: 'completed',
        model: 'gpt-5-2025-08-07',
        output: [{ type: 'image_generation_call', status: 'completed' }],
        tools: [{ type: 'image_generation' }],
        usage: { input_tokens: 100, output_tokens: 0, total_tokens: 100 },
      }),
    },
    units: { image_generation: 1 },
    cost: null,
  },
  {
    // Input 0.30, images 30 per million: (100 × 0.3 + 1290 × 30) / 1e6.
    title: 'an image of Gemini',
    answered: {
      provider: 'google',
      path: '/v1beta/models/gemini-2.5-flash-image:generateContent',
      request: { contents: [] },
      body: JSON.stringify({
        candidates: [{ finishReason: 'STOP' }],
        modelVersion: 'gemini-2.5-flash-image',
        usageMetadata: {
          promptTokenCount: 100,
          candidatesTokenCount: 1290,
          totalTokenCount: 1390,
          candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
        },
      }),
    },
    units: {},
    cost: '0.03873',
  },
]

function predict(provider: string, model: string): Answered {
  const place =
    provider === 'vertex' ? '/v1/projects/p/locations/us-central1/publishers/google' : '/v1beta'
  return {
    provider,
    path: `${place}/models/${model}:predict`,
    request: { instances: [{ prompt: 'A river.' }], parameters: { sampleCount: 3 } },
    body: JSON.stringify({
      predictions: [
        { mimeType: 'image/png', bytesBase64Encoded: 'iVBO' },
        { mimeType: 'image/png', bytesBase64Encoded: 'iVBO' },
        { raiFilteredReason: 'not shown' },
      ],
    }),
  }
}

// An image: imagen-4.0-generate and -fast 0.04 and 0.02, virtual-try-on-001 on Vertex 0.06.
const PER_IMAGE: readonly Row[] = [
  {
    title: 'two images of three, of which one was filtered out: 2 × 0.04',
    answered: predict('google', 'imagen-4.0-generate-001'),
    units: { image: 2 },
    cost: '0.08',
  },
  {
    title: 'the fast model: 2 × 0.02',
    answered: predict('vertex', 'imagen-4.0-fast-generate-001'),
    units: { image: 2 },
    cost: '0.04',
  },
  {
    title: 'clothes tried on: 2 × 0.06',
    answered: predict('vertex', 'virtual-try-on-001'),
    units: { image: 2 },
    cost: '0.12',
  },
  {
    title: 'in the shape of OpenAI: 1 × 0.04',
    answered: {
      ...generate('imagen-4.0-generate-001', {}),
      provider: 'google',
      path: '/v1beta/openai/images/generations',
    },
    units: { image: 1 },
    cost: '0.04',
  },
]

for (const { title, answered, units, cost } of [...BY_TOKENS, ...PER_IMAGE]) {
  test(`${answered.provider}: ${title}`, async (t) => {
    const recorded = await recordAnswer(t, answered)
    assert.deepEqual(recorded.event.toolCalls, units)
    assert.equal(recorded.cost, cost)
  })
}
