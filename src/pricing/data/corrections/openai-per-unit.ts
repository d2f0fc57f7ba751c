// OpenAI's models that are billed by the image, the character or the second, here and at Azure.
// Their names are those that the makers give; a deployment with a label of its own has no listed
// price.

import type { CorrectedModel, UnitPrices } from '../correction.ts'

function perUnit(names: readonly string[], units: UnitPrices): CorrectedModel {
  const [id = ''] = names
  return {
    id,
    match: { or: names.map((name) => ({ equals: name })) },
    prices: [{ prices: {}, perUnit: units }],
  }
}

function perCharacter(names: readonly string[], usdPerMillion: number): CorrectedModel {
  return perUnit(names, { character: { usd: usdPerMillion, per: 1_000_000 } })
}

const SMALL_FILM = { usd: 0.3, per: 1000 }
const LARGE_FILM = { usd: 0.5, per: 1000 }

/** By the second: one has one size only, the price of the other depends on it. */
const FILMS: readonly CorrectedModel[] = [
  {
    id: 'sora-2',
    match: { or: [{ equals: 'sora-2' }, { starts_with: 'sora-2-2025-' }] },
    prices: [{ prices: {}, perUnit: { video_ms: { usd: 0.1, per: 1000 } } }],
  },
  perUnit(['sora-2-pro', 'sora-2-pro-2025-10-06'], {
    video_720x1280_ms: SMALL_FILM,
    video_1280x720_ms: SMALL_FILM,
    video_1024x1792_ms: LARGE_FILM,
    video_1792x1024_ms: LARGE_FILM,
  }),
]

const HOUR_IN_MS = 3_600_000

/** Transcription while it is spoken, by the hour of sound. */
const LIVE_TRANSCRIPTION = perUnit(['gpt-realtime-whisper', 'gpt-live-transcribe'], {
  audio_ms: { usd: 1.02, per: HOUR_IN_MS },
})

/** Voices that are billed by tokens, under the names of which the bundle knows one. */
const VOICES: CorrectedModel = {
  id: 'gpt-4o-mini-tts',
  match: { or: [{ equals: 'gpt-4o-mini-tts' }, { starts_with: 'gpt-4o-mini-tts-2025-' }] },
  prices: { input_mtok: 0.6, output_mtok: 12 },
}

/** developers.openai.com/api/docs/pricing, by size and quality. */
export const OPENAI_PER_UNIT: readonly CorrectedModel[] = [
  perUnit(['dall-e-3'], {
    image_1024x1024: 0.04,
    image_1024x1792: 0.08,
    image_1792x1024: 0.08,
    image_hd_1024x1024: 0.08,
    image_hd_1024x1792: 0.12,
    image_hd_1792x1024: 0.12,
  }),
  perUnit(['dall-e-2'], { image_256x256: 0.016, image_512x512: 0.018, image_1024x1024: 0.02 }),
  perCharacter(['tts-1', 'tts-1-1106'], 15),
  perCharacter(['tts-1-hd', 'tts-1-hd-1106'], 30),
  VOICES,
  LIVE_TRANSCRIPTION,
  // A conversation is billed by its length; what it delegates to another model, as that model.
  perUnit(['gpt-live-1'], { session_ms: { usd: 3, per: HOUR_IN_MS } }),
  ...FILMS,
]

/** azure.microsoft.com/pricing/details/azure-openai: by the hundred images. */
export const AZURE_PER_UNIT: readonly CorrectedModel[] = [
  perUnit(['dall-e-3'], {
    image_1024x1024: 0.044,
    image_1024x1792: 0.088,
    image_1792x1024: 0.088,
    image_hd_1024x1024: 0.088,
    image_hd_1024x1792: 0.132,
    image_hd_1792x1024: 0.132,
  }),
  perCharacter(['tts-1'], 15),
  perCharacter(['tts-1-hd'], 33),
  VOICES,
  LIVE_TRANSCRIPTION,
  perUnit(['whisper'], { audio_ms: { usd: 0.36, per: HOUR_IN_MS } }),
  // At OpenAI's price: ai.azure.com/catalog/models/sora-2.
  ...FILMS,
]
