// Google's Gemini API and Vertex AI: tiers, grounding, and what has no tokens
// (ai.google.dev/gemini-api/docs/pricing, cloud.google.com/vertex-ai/generative-ai/pricing). Must
// stay true: a fee is the listed one; the searches that a project has free each day or month show
// in no call.

import type { UnitPriceRule, CorrectedModel, TierPrice } from '../correction.ts'
import type { ProviderCorrections } from './provider-corrections.ts'

/**
 * Half for input and output. A cached token costs in a batch what it does elsewhere
 * (ai.google.dev/gemini-api/docs/batch-api).
 */
const HALF: TierPrice = [{ models: ['gemini-*'], percent: 50n, except: ['cache_read_mtok'] }]

/**
 * Counted as they are billed: up to Gemini 2.5 by the grounded answer, from Gemini 3 on by the
 * query.
 */
const GROUNDING: readonly UnitPriceRule[] = [
  { kind: 'web_search', price: { usd: 35, per: 1000 }, models: ['gemini-2*'] },
  { kind: 'web_search', price: { usd: 14, per: 1000 }, models: ['gemini-3*'] },
  { kind: 'maps_search', price: { usd: 25, per: 1000 }, models: ['gemini-2*'] },
]

function imagen(name: string, image: number): CorrectedModel {
  return { id: name, match: { starts_with: name }, prices: [{ prices: {}, perUnit: { image } }] }
}

const IMAGEN_4 = [
  imagen('imagen-4.0-generate', 0.04),
  imagen('imagen-4.0-fast-generate', 0.02),
  imagen('imagen-4.0-ultra-generate', 0.06),
]

/**
 * A token of video costs sixty times one of text, and a call does not distinguish them: without
 * rates it is unpriced instead of far too cheap.
 */
const MIXED_EMBEDDINGS: CorrectedModel = {
  id: 'gemini-embedding-2',
  match: { starts_with: 'gemini-embedding-2' },
  prices: {},
}

export const google: ProviderCorrections = {
  models: [
    ...IMAGEN_4,
    MIXED_EMBEDDINGS,
    imagen('imagen-3.0-generate', 0.03),
    // Free of charge there, without a paid tier; in the bundle they merely have no prices.
    { id: 'gemma', match: { regex: '^gemma-(?:3n?-|4-(?:26b-a4b|31b)-it$)' }, prices: null },
  ],
  tiers: {
    batch: HALF,
    flex: HALF,
    // Between 175 and 200 percent, depending on the model; these are the ones whose figure is
    // known.
    priority: [{ models: ['gemini-3.7-flash', 'gemini-3.8-flash'], percent: 180n }],
  },
  perUnit: GROUNDING,
}

export const vertex: ProviderCorrections = {
  models: [
    MIXED_EMBEDDINGS,
    ...IMAGEN_4,
    imagen('imagen-3.0-generate', 0.04),
    imagen('imagen-3.0-fast-generate', 0.02),
  ],
  tiers: { batch: HALF, flex: HALF },
  perUnit: GROUNDING,
}
