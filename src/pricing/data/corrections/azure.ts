// Azure sells OpenAI's models at OpenAI's prices, and batches and flex at half of them
// (azure.microsoft.com/pricing/details/azure-openai,
// learn.microsoft.com/azure/foundry/openai/how-to/flex-processing). Its priority price was not found.

import type { TierRule } from '../correction.ts'
import { OPENAI_AUDIO_PREVIEWS } from './openai.ts'
import type { ProviderCorrections } from './provider-corrections.ts'

/** A tenth more than global, in the United States and in the European Union. */
const TENTH_MORE = [
  'gpt-4o',
  'gpt-4o-20*',
  'gpt-4o-realtime-preview*',
  'gpt-4o-mini-realtime-preview*',
  'gpt-4.1',
  'gpt-4.1-20*',
  'gpt-4.1-mini*',
  'gpt-5',
  'gpt-5-20*',
  'gpt-5-codex',
  'gpt-5-mini*',
  'gpt-5-nano*',
  'gpt-5-pro*',
  'gpt-5.1*',
  'gpt-5.2*',
  'gpt-5.3*',
  'gpt-5.4',
  'gpt-5.4-20*',
  'gpt-5.4-mini*',
  'gpt-5.4-nano*',
  'gpt-5.4-pro*',
  'gpt-5.5',
  'gpt-5.5-20*',
  'gpt-5.6*',
  'gpt-chat-latest',
  'o1',
  'o1-20*',
  'o1-mini*',
  'o3',
  'o3-20*',
  'o3-mini*',
  'o3-deep-research*',
  'computer-use*',
]

const DATA_ZONE: readonly TierRule[] = [
  // In the list, the cached rates of these are rounded up to a tenth of a cent.
  { models: ['gpt-4o-mini', 'gpt-4o-mini-20*'], percent: 110n, own: { cache_read_mtok: 0.083 } },
  { models: ['gpt-4.1-nano*'], percent: 110n, own: { cache_read_mtok: 0.028 } },
  { models: ['o4-mini', 'o4-mini-20*'], percent: 110n, own: { cache_read_mtok: 0.303 } },
  { models: ['codex-mini*'], percent: 110n, own: { cache_read_mtok: 0.413 } },
  // A tenth more in the United States, a fifth in Europe, and a call does not say which.
  { models: ['gpt-6-astra*', 'gpt-6-luna*', 'gpt-6-sol*', 'gpt-6.1-sol*'], percent: null },
  { models: TENTH_MORE, percent: 110n },
]

export const azure: ProviderCorrections = {
  against: '2026-10-30',
  models: OPENAI_AUDIO_PREVIEWS,
  tiers: { batch: 50n, flex: 50n, 'data-zone': DATA_ZONE },
  regions: { 'data-zone': 'data-zone', '*': null },
}
