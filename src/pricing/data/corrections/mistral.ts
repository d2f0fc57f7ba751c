// Mistral: what its `-latest` names mean since when, and what is billed beside tokens. An alias is
// charged like its model on that day (docs.mistral.ai/models, each model's page lists its names).

import type { CorrectedModel } from '../correction.ts'
import type { ProviderCorrections } from './provider-corrections.ts'

const MODELS: readonly CorrectedModel[] = [
  // Mistral Large 2 until Large 3 came. The bundle still has the rates of the former.
  {
    id: 'mistral-large-latest',
    match: { equals: 'mistral-large-latest' },
    prices: [
      { prices: { input_mtok: 2, output_mtok: 6 } },
      {
        from: '2025-12-02',
        prices: { input_mtok: 0.5, cache_read_mtok: 0.05, output_mtok: 1.5 },
      },
    ],
  },
  // Ministral 3B of 2024 until Ministral 3 came; the bundle does not know the alias.
  {
    id: 'ministral-3b-latest',
    match: { equals: 'ministral-3b-latest' },
    prices: [
      { prices: { input_mtok: 0.04, output_mtok: 0.04 } },
      { from: '2025-12-02', prices: { input_mtok: 0.1, cache_read_mtok: 0.01, output_mtok: 0.1 } },
    ],
  },
  // Codestral 25.08, with the cached rate that the bundle has under that name only.
  {
    id: 'codestral-latest',
    match: { equals: 'codestral-latest' },
    prices: { input_mtok: 0.3, cache_read_mtok: 0.03, output_mtok: 0.9 },
  },
  // Speech, by the character: docs.mistral.ai/models/model-cards/voxtral-tts-26-03.
  {
    id: 'voxtral-mini-tts',
    match: { or: [{ equals: 'voxtral-mini-tts-latest' }, { equals: 'voxtral-mini-tts-2603' }] },
    prices: { input_mchars: 16 },
  },
]

export const mistral: ProviderCorrections = {
  against: '2026-11-17',
  models: MODELS,
  // mistral.ai/pricing/api: batches are half of everything.
  tiers: { batch: 50n },
  // The connectors of conversations, by the names in their usage (mistral.ai/pricing/api). Those
  // for code and images are billed too; their figures were not looked up.
  perUnit: [
    { kind: 'web_search', price: { usd: 30, per: 1000 } },
    { kind: 'web_search_premium', price: { usd: 50, per: 1000 } },
  ],
}
