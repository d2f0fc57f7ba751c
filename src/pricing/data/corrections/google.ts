// Google's Gemini API and Vertex AI: tiers, grounding, and what has no tokens
// (ai.google.dev/gemini-api/docs/pricing, cloud.google.com/vertex-ai/generative-ai/pricing). Fees
// are the listed ones: a project's free searches show in no call.

import type { UnitPriceRule, CorrectedModel, TierPrice } from '../correction.ts'
import { GEMINI_VIDEOS, VERTEX_VIDEOS } from './google-videos.ts'
import type { ProviderCorrections } from './provider-corrections.ts'

const AGAINST = '2026-11-17'

/** Their prices change at the end of an introduction, and tiers with them in proportion. */
const ALIKE_IN_TIERS = [
  'gemini-3.6-flash',
  'gemini-3.7-flash',
  'gemini-3.8-flash',
  'gemini-4-argon',
]

/**
 * Input and output only: cached tokens cost the same (ai.google.dev/gemini-api/docs/batch-api).
 * Of some models the pricing page halves them too.
 */
const HALF: TierPrice = [
  { models: ALIKE_IN_TIERS, percent: 50n },
  { models: ['gemini-*'], percent: 50n, except: ['cache_read_mtok', 'cache_audio_read_mtok'] },
]

/** Between 175 and 200 percent by model; of others the bundle has the figures that are known. */
const PRIORITY: TierPrice = [{ models: ALIKE_IN_TIERS, percent: 180n }]

/** Counted as billed: up to Gemini 2.5 by the grounded answer, from Gemini 3 on by the query. */
const GROUNDING: readonly UnitPriceRule[] = [
  { kind: 'web_search', price: { usd: 35, per: 1000 }, models: ['gemini-2*'] },
  { kind: 'web_search', price: { usd: 14, per: 1000 }, models: ['gemini-3*'] },
  { kind: 'maps_search', price: { usd: 25, per: 1000 }, models: ['gemini-2*'] },
]

/**
 * Any endpoint but the global one costs a tenth more, for Claude 4.5 and Gemini's models of spring
 * 2026 and all that are newer. `gemini-3.1-flash-image` is in lists under the name of its preview.
 */
const REGIONAL: TierPrice = [
  {
    models: [
      'claude-*-4-5*',
      'claude-*-4-6*',
      'claude-*-4-7*',
      'claude-*-4-8*',
      'claude-opus-5*',
      'claude-sonnet-5*',
      'claude-haiku-5*',
      'claude-fable-*',
      'gemini-3.1-flash-image',
      'gemini-3.1-flash-image-preview',
      'gemini-3.1-flash-lite',
      'gemini-3.5-flash',
      'gemini-3.5-flash-lite',
      'gemini-3.6-flash',
      'gemini-3.7-flash',
      'gemini-3.8-flash',
      'gemini-3.8-flash-cyber',
      'gemini-4-argon',
      'gemini-4-argon-cyber-permissive',
    ],
    percent: 110n,
  },
]

function imagen(name: string, image: number): CorrectedModel {
  return { id: name, match: { starts_with: name }, prices: [{ prices: {}, perUnit: { image } }] }
}

/** The one snapshot of it; the bundle's rule ends within its number. */
function flash2(rates: { input: number; output: number; audio: number }): CorrectedModel {
  return {
    id: 'gemini-2.0-flash-001',
    match: { equals: 'gemini-2.0-flash-001' },
    prices: {
      input_mtok: rates.input,
      cache_read_mtok: 0.025,
      output_mtok: rates.output,
      input_audio_mtok: rates.audio,
      cache_audio_read_mtok: 0.175,
    },
  }
}

const IMAGEN_4 = [
  imagen('imagen-4.0-generate', 0.04),
  imagen('imagen-4.0-fast-generate', 0.02),
  imagen('imagen-4.0-ultra-generate', 0.06),
]

export const google: ProviderCorrections = {
  against: AGAINST,
  models: [
    ...IMAGEN_4,
    ...GEMINI_VIDEOS,
    imagen('imagen-3.0-generate', 0.03),
    flash2({ input: 0.1, output: 0.4, audio: 0.7 }),
    // Free of charge there, without a paid tier; in the bundle they merely have no prices.
    { id: 'gemma', match: { regex: '^gemma-(?:3n?-|4-(?:26b-a4b|31b)-it$)' }, prices: null },
  ],
  tiers: { batch: HALF, flex: HALF, priority: PRIORITY },
  perUnit: GROUNDING,
}

export const vertex: ProviderCorrections = {
  against: AGAINST,
  models: [
    ...IMAGEN_4,
    {
      id: 'virtual-try-on-001',
      match: { equals: 'virtual-try-on-001' },
      prices: [{ prices: {}, perUnit: { image: 0.06 } }],
    },
    ...VERTEX_VIDEOS,
    flash2({ input: 0.15, output: 0.6, audio: 1 }),
    imagen('imagen-3.0-generate', 0.04),
    imagen('imagen-3.0-fast-generate', 0.02),
  ],
  tiers: { batch: HALF, flex: HALF, priority: PRIORITY, regional: REGIONAL },
  perUnit: GROUNDING,
  regions: { global: null, '*': 'regional' },
}
