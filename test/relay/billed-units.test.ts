// What is billed by another unit than the token, from the caller's request and the provider's
// answer to the cost: images, seconds, pages, characters, searches. Figures are worked out by hand,
// in USD; "LiteLLM" is its price map 1.108.4, "genai" the data of genai-prices 0.2.1.

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

const TEXT = 'The Danube flows through Vienna.'

function images(
  model: string,
  asked: object,
  { count = 1, provider = 'openai' }: { count?: number; provider?: string } = {},
): Answered {
  const data = Array.from({ length: count }, () => ({ url: 'https://images.example/1.png' }))
  const path =
    provider === 'azure'
      ? `/openai/deployments/${model}/images/generations?api-version=2026-10-21`
      : '/v1/images/generations'
  const body = JSON.stringify({ created: 1, data })
  return { provider, path, request: { prompt: TEXT, model, ...asked }, body }
}

function form(fields: Readonly<Record<string, string>>): Pick<Answered, 'request' | 'requestType'> {
  const parts = Object.entries(fields).map(([name, value]) => {
    const file = name === 'image' ? '; filename="a.png"\r\nContent-Type: image/png' : ''
    return `--frontier\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
  })
  const request = Buffer.from(`${parts.join('')}--frontier--\r\n`)
  return { request, requestType: 'multipart/form-data; boundary=frontier' }
}

// OpenAI's page: dall-e-3 0.04 (1024²) and 0.08 (larger), hd 0.08 and 0.12; dall-e-2 0.016, 0.018
// and 0.02. Azure by LiteLLM: 4.19617e-8 × 1024² = 0.044 a pixel's price for the whole image.
const DALL_E: readonly Row[] = [
  {
    title: 'an image in the size and the quality that nobody asked for',
    answered: images('dall-e-3', {}),
    units: { image_1024x1024: 1 },
    cost: '0.04',
  },
  {
    title: 'a tall one in high definition',
    answered: images('dall-e-3', { quality: 'hd', size: '1024x1792' }),
    units: { image_hd_1024x1792: 1 },
    cost: '0.12',
  },
  {
    title: 'a wide one',
    answered: images('dall-e-3', { size: '1792x1024', quality: null }),
    units: { image_1792x1024: 1 },
    cost: '0.08',
  },
  {
    title: 'three small ones of the older model: 3 × 0.018',
    answered: images('dall-e-2', { size: '512x512', n: 3 }, { count: 3 }),
    units: { image_512x512: 3 },
    cost: '0.054',
  },
  {
    title: 'a size that is not sold',
    answered: images('dall-e-3', { size: '640x480' }),
    units: { image: 1 },
    cost: null,
  },
  {
    title: 'a size that the model does not make',
    answered: images('dall-e-3', { size: '256x256' }),
    units: { image_256x256: 1 },
    cost: null,
  },
  {
    title: 'a variation, asked for by a form whose picture comes first',
    answered: {
      ...images('dall-e-2', {}, { count: 2 }),
      path: '/v1/images/variations',
      ...form({ image: '\u0089PNG', model: 'dall-e-2', size: '256x256' }),
    },
    units: { image_256x256: 2 },
    cost: '0.032',
  },
  {
    title: 'an image at Azure, which is dearer there',
    answered: images('dall-e-3', {}, { provider: 'azure' }),
    units: { image_1024x1024: 1 },
    cost: '0.044',
  },
  {
    title: 'a model that is sold by the megapixel stays without a price',
    answered: images(
      'black-forest-labs/FLUX.1-schnell',
      { n: 2, size: '1024x1024' },
      { count: 2, provider: 'together' },
    ),
    units: { image: 2 },
    cost: null,
  },
]

function speech(provider: string, path: string, request: object): Answered {
  return { provider, path, request, body: Buffer.from([0xff, 0xfb, 1]), contentType: 'audio/mpeg' }
}

// genai: tts-1 15, tts-1-hd 30, orpheus 22 per million characters; LiteLLM: Azure's tts-1-hd 33,
// voxtral-mini-tts 16. The text has 32 characters.
const CHARACTERS: readonly Row[] = [
  {
    title: 'speech: 32 × 15 / 1e6',
    answered: speech('openai', '/v1/audio/speech', { model: 'tts-1', input: TEXT }),
    units: { character: 32 },
    cost: '0.00048',
  },
  {
    title: 'better speech, the text before the model: 32 × 30 / 1e6',
    answered: speech('openai', '/v1/audio/speech', { input: TEXT, model: 'tts-1-hd' }),
    units: { character: 32 },
    cost: '0.00096',
  },
  {
    title: 'characters, not bytes: G r ö ß e, a blank and a wave are 7 × 15 / 1e6',
    answered: speech('openai', '/v1/audio/speech', { model: 'tts-1', input: 'Größe 🌊' }),
    units: { character: 7 },
    cost: '0.000105',
  },
  {
    title: 'a model that is billed by tokens, which plain sound does not report',
    answered: speech('openai', '/v1/audio/speech', { model: 'gpt-4o-mini-tts', input: TEXT }),
    units: {},
    cost: null,
  },
  {
    title: 'a text that is too long to be kept',
    answered: speech('openai', '/v1/audio/speech', { model: 'tts-1', input: 'a'.repeat(200_000) }),
    units: {},
    cost: null,
  },
  {
    title: 'speech at Azure: 32 × 33 / 1e6',
    answered: speech('azure', '/openai/deployments/tts-1-hd/audio/speech?api-version=2026-10-21', {
      input: TEXT,
    }),
    units: { character: 32 },
    cost: '0.001056',
  },
  {
    title: 'speech at Groq: 32 × 22 / 1e6',
    answered: speech('groq', '/openai/v1/audio/speech', {
      model: 'canopylabs/orpheus-v1-english',
      input: TEXT,
    }),
    units: { character: 32 },
    cost: '0.000704',
  },
  {
    title: 'speech at Mistral: 32 × 16 / 1e6',
    answered: {
      ...speech('mistral', '/v1/audio/speech', { model: 'voxtral-mini-tts-2603', input: TEXT }),
      body: '{"audio_data":"SUQz"}',
      contentType: 'application/json',
    },
    units: { character: 32 },
    cost: '0.000512',
  },
  {
    title: 'a refusal to speak',
    answered: {
      ...speech('openai', '/v1/audio/speech', { model: 'tts-1', input: TEXT }),
      status: 400,
      body: '{"error":{"message":"no"}}',
      contentType: 'application/json',
    },
    units: {},
    cost: '0',
  },
]

function ocr(asked: object, usage: object, place: Partial<Answered> = {}): Answered {
  const request = { model: 'mistral-ocr-latest', document: { document_url: 'x' }, ...asked }
  const body = JSON.stringify({ model: 'mistral-ocr-latest', pages: [], usage_info: usage })
  return { provider: 'mistral', path: '/v1/ocr', request, body, ...place }
}

const ASKED = { document_annotation_format: { type: 'json_schema', json_schema: {} } }
const FOUNDRY = { provider: 'azure', path: '/providers/mistral/azure/ocr' }

// genai: 4 per thousand pages since 2026-06-23, 5 if they are annotated; LiteLLM: at Azure 4 and 5,
// mistral-document-ai-2512 3.
const PAGES: readonly Row[] = [
  {
    title: 'pages: 10 × 4 / 1000',
    answered: ocr({}, { pages_processed: 10, doc_size_bytes: 9 }),
    units: { page: 10 },
    cost: '0.04',
  },
  {
    title: 'annotated pages, which only the request shows: 10 × 5 / 1000',
    answered: ocr(ASKED, { pages_processed: 10 }),
    units: { annotated_page: 10 },
    cost: '0.05',
  },
  {
    title: 'an annotation that was set to null',
    answered: ocr({ bbox_annotation_format: null }, { pages_processed: 10 }),
    units: { page: 10 },
    cost: '0.04',
  },
  {
    title: 'annotated pages, which the answer counts: 10 × 5 / 1000',
    answered: ocr(
      { ...ASKED, model: 'mistral-ocr-4-0' },
      { pages_processed: 0, pages_processed_annotation: 10 },
      {
        ...FOUNDRY,
        body: JSON.stringify({
          model: 'mistral-ocr-4-0',
          usage_info: { pages_processed: 0, pages_processed_annotation: 10 },
        }),
      },
    ),
    units: { annotated_page: 10 },
    cost: '0.05',
  },
  {
    title: 'an annotation that was asked for and left out: 10 × 3 / 1000',
    answered: ocr(
      ASKED,
      {},
      {
        ...FOUNDRY,
        body: JSON.stringify({
          model: 'mistral-document-ai-2512',
          usage_info: { pages_processed: 10, pages_processed_annotation: 0 },
        }),
      },
    ),
    units: { page: 10 },
    cost: '0.03',
  },
  {
    title: 'a request that could not be read: whether the pages are annotated is not known',
    answered: {
      ...ocr({}, { pages_processed: 10 }),
      request: Buffer.from('{"model":"mistral-ocr-latest","document":'),
    },
    units: { page: 10 },
    cost: null,
  },
]

for (const { title, answered, units, cost } of [...DALL_E, ...CHARACTERS, ...PAGES]) {
  test(`${answered.provider}: ${title}`, async (t) => {
    const recorded = await recordAnswer(t, answered)
    assert.deepEqual(recorded.event.toolCalls, units)
    assert.equal(recorded.cost, cost)
  })
}
