// Veo, by the second (ai.google.dev/gemini-api/docs/pricing,
// cloud.google.com/vertex-ai/generative-ai/pricing). What films without sound cost was not found.

import type { CorrectedModel } from '../correction.ts'

/** USD a second in 720p and 1080p, and in 4k if it is sold. */
type FilmRates = readonly [small: number, full: number, fourK?: number]

function veo(names: readonly string[], [small, full, fourK]: FilmRates): CorrectedModel {
  const perSecond = (usd: number) => ({ usd, per: 1000 })
  const [id = ''] = names
  const perUnit = {
    video_ms: perSecond(small),
    video_1080p_ms: perSecond(full),
    ...(fourK === undefined ? {} : { video_4k_ms: perSecond(fourK) }),
  }
  return {
    id,
    match: { or: names.map((name) => ({ equals: name })) },
    prices: [{ prices: {}, perUnit }],
  }
}

const VEO_31: readonly CorrectedModel[] = [
  veo(['veo-3.1-generate-preview', 'veo-3.1-generate-001'], [0.4, 0.4, 0.6]),
  veo(['veo-3.1-fast-generate-preview', 'veo-3.1-fast-generate-001'], [0.1, 0.12, 0.3]),
]

export const GEMINI_VIDEOS: readonly CorrectedModel[] = [
  ...VEO_31,
  veo(['veo-3.1-lite-generate-preview'], [0.05, 0.08]),
]

export const VERTEX_VIDEOS: readonly CorrectedModel[] = [
  ...VEO_31,
  veo(['veo-3.1-lite-generate-001'], [0.05, 0.08]),
  veo(['veo-3.0-generate-001'], [0.4, 0.4]),
  veo(['veo-3.0-fast-generate-001'], [0.1, 0.12]),
  {
    id: 'veo-2.0-generate-001',
    match: { equals: 'veo-2.0-generate-001' },
    prices: [{ prices: {}, perUnit: { video_ms: { usd: 0.5, per: 1000 } } }],
  },
]
