// Anthropic: tiers that its reader combines from all that changes a price, and models newer than
// the bundle (platform.claude.com/docs/en/about-claude/pricing). Must stay true: a combination
// without a figure here leaves the call unpriced.

import type { CorrectedModel, TierRule } from '../correction.ts'
import type { ProviderCorrections } from './provider-corrections.ts'

/** `claude-x-5` and its dated snapshots, not `claude-x-5-5`. */
function named(id: string): CorrectedModel['match'] {
  return { or: [{ equals: id }, { regex: `^${id}-\\d{8}$` }] }
}

const WEB_SEARCHES = { web_searches_kcount: 10 }

const SONNET_5_5 = {
  input_mtok: 2,
  cache_write_mtok: 2.5,
  cache_write_1h_mtok: 4,
  output_mtok: 10,
  ...WEB_SEARCHES,
}

const MODELS: readonly CorrectedModel[] = [
  // The bundle's rule is for both, but what follows a point is another model elsewhere.
  { id: 'claude-2.1', match: { equals: 'claude-2.1' }, prices: { input_mtok: 8, output_mtok: 24 } },
  // Prompts of more than 200,000 tokens, accepted while it had a window of a million, cost as with
  // its successor; the bundle has only the rates of short ones.
  {
    id: 'claude-sonnet-4-0',
    match: {
      or: [
        { starts_with: 'claude-sonnet-4-2025' },
        { starts_with: 'claude-sonnet-4-0' },
        { starts_with: 'claude-sonnet-4@' },
        { equals: 'claude-sonnet-4' },
        { starts_with: 'claude-4-sonnet' },
      ],
    },
    prices: {
      input_mtok: { base: 3, tiers: [{ start: 200_000, price: 6 }] },
      cache_write_mtok: { base: 3.75, tiers: [{ start: 200_000, price: 7.5 }] },
      cache_write_1h_mtok: { base: 6, tiers: [{ start: 200_000, price: 12 }] },
      cache_read_mtok: { base: 0.3, tiers: [{ start: 200_000, price: 0.6 }] },
      output_mtok: { base: 15, tiers: [{ start: 200_000, price: 22.5 }] },
      ...WEB_SEARCHES,
    },
  },
  // A tenth of the input at first, a twentieth since; the bundle has today's rate alone.
  {
    id: 'claude-sonnet-5-5',
    match: named('claude-sonnet-5-5'),
    // The bundle has today's cached rate for the time before the cut, too.
    prices: [
      { prices: { ...SONNET_5_5, cache_read_mtok: 0.2 } },
      { from: '2026-10-07', prices: { ...SONNET_5_5, cache_read_mtok: 0.1 } },
    ],
  },
  {
    id: 'claude-mythos-5',
    match: named('claude-mythos-5'),
    prices: {
      input_mtok: 10,
      cache_write_mtok: 12.5,
      cache_write_1h_mtok: 20,
      cache_read_mtok: 1,
      output_mtok: 50,
      ...WEB_SEARCHES,
    },
  },
  {
    id: 'claude-mythos-5-1',
    match: named('claude-mythos-5-1'),
    prices: {
      input_mtok: 10,
      cache_write_mtok: 12.5,
      cache_write_1h_mtok: 20,
      cache_read_mtok: 0.25,
      output_mtok: 50,
      ...WEB_SEARCHES,
    },
  },
]

const FAST = [
  { models: ['claude-opus-4-8', 'claude-opus-5', 'claude-opus-5-5'], percent: 200n },
  { models: ['claude-opus-4-6'], percent: 600n },
] as const satisfies readonly TierRule[]

/**
 * Batches are half, inference in the United States is a tenth more, and both multiply. Fast mode
 * has its own multiple for each model, times that of the place, and no batches
 * (platform.claude.com/docs/en/build-with-claude/fast-mode). Priority is prepaid, so left out.
 */
export const anthropic: ProviderCorrections = {
  against: '2026-11-17',
  models: MODELS,
  tiers: {
    batch: 50n,
    'geo-us': 110n,
    'batch+geo-us': 55n,
    fast: FAST,
    'fast+geo-us': FAST.map((rule) => ({ ...rule, percent: (rule.percent * 110n) / 100n })),
  },
}
