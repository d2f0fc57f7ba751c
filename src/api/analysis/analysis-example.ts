// An answer of GET /v1/analysis, for the descriptions of routes.

import type { Analysis, AnalysisFiguresAnswer, AnalysisGroupMember } from './analysis-contract.ts'

const FIGURES: AnalysisFiguresAnswer = {
  cost_usd: 0,
  market_cost_usd: 0,
  requests: 0,
  errors: 0,
  denials: 0,
  unpriced: 0,
  estimated: 0,
  cached: 0,
  cache_hit_share: null,
  tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  input_audio_tokens: 0,
  input_image_tokens: 0,
  reasoning_tokens: 0,
  output_audio_tokens: 0,
  output_image_tokens: 0,
  output_tokens_per_second: null,
  first_byte_ms: null,
  total_ms: null,
  own_us: null,
}

/** Two calls of 1000 tokens for each cent. */
function figures(cents: number): AnalysisFiguresAnswer {
  const usd = cents / 100
  const tokens = { tokens: cents * 2000, input_tokens: cents * 1800, output_tokens: cents * 200 }
  return {
    ...FIGURES,
    cost_usd: usd,
    market_cost_usd: usd,
    requests: cents * 2,
    ...tokens,
    cache_hit_share: 0,
  }
}

const team = (kind: 'value' | 'none', value: string | null): AnalysisGroupMember[] => [
  { field: 'dim:team', kind, value, name: null },
]

export const ANALYSIS_EXAMPLE: Analysis = {
  asOf: '2026-03-15T12:20:00.000Z',
  from: '2026-03-14T00:00:00.000Z',
  to: '2026-03-15T13:00:00.000Z',
  interval: 'day',
  group_by: ['dim:team'],
  buckets: [
    { start: '2026-03-14T00:00:00.000Z', is_partial: false },
    { start: '2026-03-15T00:00:00.000Z', is_partial: true },
  ],
  rows: [
    { group: team('value', 'search'), ...figures(1350) },
    { group: team('none', null), ...figures(150) },
  ],
  series: [
    { bucket: 0, row: 0, ...figures(1000) },
    { bucket: 0, row: 1, ...figures(150) },
    { bucket: 1, row: 0, ...figures(350) },
  ],
  bucket_totals: [],
  total: figures(1500),
  other_groups: 0,
  capped_calls: 0,
  capped_keys: [],
  complete_from: null,
  previous: null,
}
