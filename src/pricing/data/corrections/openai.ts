// OpenAI: service tiers, tools, and models that the bundle lacks or has wrong. Figures are from
// developers.openai.com/api/docs/pricing unless another page is named. A tier that is not on that
// page for a model has no price here.

import type { CorrectedModel, TierRule, UnitPriceRule } from '../correction.ts'
import { openaiFineTuned } from './openai-fine-tuned.ts'
import { OPENAI_PER_UNIT } from './openai-per-unit.ts'
import type { ProviderCorrections } from './provider-corrections.ts'

/** Tools that the bundle knows for some models only. */
const TOOLS = { web_searches_kcount: 10, storage_searches_kcount: 2.5 }

/**
 * The bundle has the text rates only, which would charge an audio token a sixteenth of its price
 * (developers.openai.com/api/docs/models/gpt-4o-audio-preview and .../gpt-4o-mini-audio-preview).
 */
export const OPENAI_AUDIO_PREVIEWS: readonly CorrectedModel[] = [
  {
    id: 'gpt-4o-audio-preview',
    match: { starts_with: 'gpt-4o-audio-preview' },
    prices: { input_mtok: 2.5, output_mtok: 10, input_audio_mtok: 40, output_audio_mtok: 80 },
  },
  // Audio cost more when it was new, and the page no longer says how much: unpriced, not wrong.
  {
    id: 'gpt-4o-audio-preview-2024-10-01',
    match: { equals: 'gpt-4o-audio-preview-2024-10-01' },
    prices: {},
  },
  {
    id: 'gpt-4o-mini-audio-preview',
    match: { starts_with: 'gpt-4o-mini-audio-preview' },
    prices: { input_mtok: 0.15, output_mtok: 0.6, input_audio_mtok: 10, output_audio_mtok: 20 },
  },
]

const MODELS: readonly CorrectedModel[] = [
  ...OPENAI_AUDIO_PREVIEWS,
  ...openaiFineTuned,
  ...OPENAI_PER_UNIT,
  // These search before every answer, for a fee that no answer shows and the bundle lacks.
  {
    id: 'gpt-4o-search-preview',
    match: { starts_with: 'gpt-4o-search-preview' },
    prices: { input_mtok: 2.5, cache_read_mtok: 1.25, output_mtok: 10, requests_kcount: 25 },
  },
  {
    id: 'gpt-4o-mini-search-preview',
    match: { starts_with: 'gpt-4o-mini-search-preview' },
    prices: { input_mtok: 0.15, cache_read_mtok: 0.075, output_mtok: 0.6, requests_kcount: 25 },
  },
  {
    id: 'gpt-5-search-api',
    match: { or: [{ equals: 'gpt-5-search-api' }, { starts_with: 'gpt-5-search-api-' }] },
    prices: { input_mtok: 1.25, cache_read_mtok: 0.125, output_mtok: 10, requests_kcount: 10 },
  },
  // Moderation is free of charge; in the bundle it merely has no prices.
  {
    id: 'moderation',
    match: { or: [{ starts_with: 'omni-moderation' }, { starts_with: 'text-moderation' }] },
    prices: null,
  },
  // The bundle has today's cached rate for the time before the cut, too.
  {
    id: 'o3',
    match: { or: [{ equals: 'o3' }, { equals: 'o3-2025-04-16' }] },
    prices: [
      {
        prices: { input_mtok: 10, cache_read_mtok: 2.5, output_mtok: 40, ...TOOLS },
        tiers: { batch: { input_mtok: 5, output_mtok: 20 } },
      },
      {
        from: '2025-06-10',
        prices: { input_mtok: 2, cache_read_mtok: 0.5, output_mtok: 8, ...TOOLS },
        tiers: { batch: { input_mtok: 1, output_mtok: 4 } },
      },
    ],
  },
  // Batches before GPT-5 charge cached input as any other. Where a cached token otherwise costs
  // half, that is the same price; of these it is not.
  ...[
    { id: 'gpt-4.1', date: '2025-04-14', rates: [2, 0.5, 8] },
    { id: 'gpt-4.1-mini', date: '2025-04-14', rates: [0.4, 0.1, 1.6] },
    { id: 'gpt-4.1-nano', date: '2025-04-14', rates: [0.1, 0.025, 0.4] },
    { id: 'o3-deep-research', date: '2025-06-26', rates: [10, 2.5, 40] },
    { id: 'o4-mini-deep-research', date: '2025-06-26', rates: [2, 0.5, 8] },
  ].map(withoutCachedBatch),
  // Priority is no round percentage of the standard for these two.
  {
    id: 'o4-mini',
    match: {
      or: [{ equals: 'o4-mini' }, { equals: 'o4-mini-2025-04-16' }, { equals: 'o4-mini-high' }],
    },
    prices: [
      {
        prices: { input_mtok: 1.1, cache_read_mtok: 0.275, output_mtok: 4.4, ...TOOLS },
        tiers: {
          batch: { input_mtok: 0.55, output_mtok: 2.2 },
          priority: { input_mtok: 2, cache_read_mtok: 0.5, output_mtok: 8 },
          fast: { input_mtok: 2, cache_read_mtok: 0.5, output_mtok: 8 },
        },
      },
    ],
  },
  {
    id: 'gpt-4o-mini',
    match: { or: [{ equals: 'gpt-4o-mini' }, { equals: 'gpt-4o-mini-2024-07-18' }] },
    prices: [
      {
        prices: { input_mtok: 0.15, cache_read_mtok: 0.075, output_mtok: 0.6, ...TOOLS },
        tiers: {
          batch: { input_mtok: 0.075, output_mtok: 0.3 },
          priority: { input_mtok: 0.25, cache_read_mtok: 0.125, output_mtok: 1 },
          fast: { input_mtok: 0.25, cache_read_mtok: 0.125, output_mtok: 1 },
        },
      },
    ],
  },
]

function withoutCachedBatch(model: { id: string; date: string; rates: number[] }): CorrectedModel {
  const [input = 0, cached = 0, output = 0] = model.rates
  const batch = { input_mtok: input / 2, output_mtok: output / 2 }
  const prices = { input_mtok: input, cache_read_mtok: cached, output_mtok: output, ...TOOLS }
  return {
    id: model.id,
    match: { or: [{ equals: model.id }, { equals: `${model.id}-${model.date}` }] },
    prices: [{ prices, tiers: { batch } }],
  }
}

/** openai.com/api-fast-mode, called priority until July 2026; answers say either. */
const FAST: readonly TierRule[] = [
  { models: ['gpt-5.5'], percent: 250n },
  {
    models: ['gpt-5', 'gpt-5.1', 'gpt-5.2', 'gpt-5.4', 'gpt-5.4-mini', 'gpt-5.6-*', 'gpt-6.1-sol'],
    percent: 200n,
  },
  { models: ['gpt-4.1-nano'], percent: 200n },
  { models: ['gpt-5-mini'], percent: 180n },
  { models: ['gpt-4.1', 'gpt-4.1-mini', 'gpt-4o-2024-05-13', 'o3'], percent: 175n },
  { models: ['gpt-4o'], percent: 170n },
]

/** Models before GPT-5 with cached reads at half the price, which batches do not halve again. */
const HALF_CACHED = ['gpt-4o', 'o1', 'o1-mini', 'o1-preview', 'o3-mini']

/** Processing in a chosen region costs a tenth more for these, and nothing for older models. */
const REGIONAL: readonly TierRule[] = [
  {
    models: [
      'gpt-5.4',
      'gpt-5.4-20*',
      'gpt-5.4-mini*',
      'gpt-5.4-nano*',
      'gpt-5.4-pro*',
      'gpt-5.5*',
      'gpt-5.6*',
      'gpt-6-astra*',
      'gpt-6-sol*',
      'gpt-6-luna*',
      'gpt-6.1-sol*',
      'gpt-realtime-2.1*',
    ],
    percent: 110n,
  },
]

/** Dearer without reasoning, where what a search brings in is free of charge. */
const PREVIEW_SEARCHES: readonly UnitPriceRule[] = [
  { kind: 'web_search_preview', price: { usd: 25, per: 1000 }, models: ['gpt-4o*', 'gpt-4.1*'] },
  {
    kind: 'web_search_preview',
    price: { usd: 10, per: 1000 },
    models: ['gpt-5*', 'gpt-6*', 'o1*', 'o3*', 'o4*'],
  },
]

export const openai: ProviderCorrections = {
  against: '2026-11-17',
  models: MODELS,
  tiers: {
    // Flex is charged at batch rates (developers.openai.com/api/docs/guides/flex-processing).
    flex: 50n,
    batch: [
      // The page has the same figures for these in batches as without.
      { models: ['gpt-3.5-turbo-1106', 'gpt-3.5-turbo-0613', 'gpt-3.5-0301'], percent: 100n },
      { models: HALF_CACHED, percent: 50n, except: ['cache_read_mtok'] },
      { models: ['*'], percent: 50n },
    ],
    priority: FAST,
    fast: FAST,
    regional: REGIONAL,
  },
  regions: { '*': 'regional' },
  perUnit: [
    { kind: 'web_search', price: { usd: 10, per: 1000 } },
    ...PREVIEW_SEARCHES,
    { kind: 'file_search', price: { usd: 2.5, per: 1000 } },
    // For a container with the default memory: a call does not report how much it had.
    { kind: 'code_interpreter', price: 0.03 },
  ],
}
