// OpenAI's fine-tuned models: `ft:gpt-4.1-2025-04-14:acme::id`. Must stay true: each has its own
// prices, in batches too, and none is charged like its base
// (developers.openai.com/api/docs/pricing). o4-mini is left out: it costs half for customers who
// share their data, which no call reports.

import type { CorrectedModel } from '../correction.ts'

export const openaiFineTuned: readonly CorrectedModel[] = [
  {
    id: 'ft:gpt-4.1',
    match: { starts_with: 'ft:gpt-4.1-2025-' },
    prices: [
      {
        prices: { input_mtok: 3, cache_read_mtok: 0.75, output_mtok: 12 },
        tiers: { batch: { input_mtok: 1.5, cache_read_mtok: 0.5, output_mtok: 6 } },
      },
    ],
  },
  {
    id: 'ft:gpt-4.1-mini',
    match: { starts_with: 'ft:gpt-4.1-mini-2025-' },
    prices: { input_mtok: 0.8, cache_read_mtok: 0.2, output_mtok: 3.2 },
  },
  {
    id: 'ft:gpt-4.1-nano',
    match: { starts_with: 'ft:gpt-4.1-nano-2025-' },
    prices: { input_mtok: 0.2, cache_read_mtok: 0.05, output_mtok: 0.8 },
  },
  // Without a cached rate in the bundle.
  {
    id: 'ft:gpt-4o',
    match: { starts_with: 'ft:gpt-4o-2024-' },
    prices: [
      {
        prices: { input_mtok: 3.75, cache_read_mtok: 1.875, output_mtok: 15 },
        tiers: { batch: { input_mtok: 2.225, cache_read_mtok: 0.9, output_mtok: 12.5 } },
      },
    ],
  },
  {
    id: 'ft:gpt-4o-mini',
    match: { starts_with: 'ft:gpt-4o-mini-2024-' },
    prices: { input_mtok: 0.3, cache_read_mtok: 0.15, output_mtok: 1.2 },
  },
]
