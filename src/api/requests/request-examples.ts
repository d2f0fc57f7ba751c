// Examples of single calls for the OpenAPI document; a test checks their schemas.

import type {
  CompletenessAnswer,
  RequestDetail,
  RequestRow,
  RequestSummaryAnswer,
} from './request-contract.ts'

const MODEL = 'large-2026-01-15'
const PRICE = 'list large@2026-01-01'

export const REQUEST_EXAMPLE: RequestRow = {
  id: '019cf1a0-7c1e-7a3b-9d2f-4b6a8c0e1f23',
  started_at: '2026-03-15T11:59:58.750Z',
  first_byte_at: '2026-03-15T11:59:59.120Z',
  ended_at: '2026-03-15T12:00:00.000Z',
  duration_ms: 1250,
  own_ms: 0.153,
  api_key: 'svc_k_4f1d2c3b4a596877',
  provider: 'some-provider',
  operation: 'chat',
  requested_model: 'large',
  model: MODEL,
  status: 'delivered',
  http_status: 200,
  error_code: null,
  streamed: true,
  request_bytes: 812,
  response_bytes: 20_480,
  usage: 'reported',
  input_tokens: 1000,
  output_tokens: 400,
  cache_read_tokens: 600,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  input_audio_tokens: 0,
  input_image_tokens: 0,
  reasoning_tokens: 0,
  output_audio_tokens: 0,
  output_image_tokens: 0,
  cache_read_audio_tokens: 0,
  cache_read_image_tokens: 0,
  tool_calls: {},
  service_tier: null,
  cost_usd: '0.00738',
  market_cost_usd: null,
  is_byok: null,
  generation_id: null,
  source: 'price-book',
  price_version: PRICE,
  dims: { team: 'search', env: 'prod' },
  violation: null,
  region: 'eu',
}

type Line = RequestDetail['explanation']['lines'][number]

const line = (unit: string, count: number, usd: Pick<Line, 'rate_usd' | 'cost_usd'>): Line => ({
  model: MODEL,
  price_version: PRICE,
  unit,
  count,
  ...usd,
})

export const REQUEST_DETAIL_EXAMPLE: RequestDetail = {
  ...REQUEST_EXAMPLE,
  explanation: {
    lines: [
      line('cache_read', 600, { rate_usd: '0.0000003', cost_usd: '0.00018' }),
      line('input', 400, { rate_usd: '0.000003', cost_usd: '0.0012' }),
      line('output', 400, { rate_usd: '0.000015', cost_usd: '0.006' }),
    ],
    total_usd: '0.00738',
    text: 'The cost was computed from list prices.',
    differs: [
      {
        model: MODEL,
        source: 'LiteLLM',
        rates: [{ unit: 'output', per: 1_000_000, rate_usd: '18', steps: [] }],
        listed_rates: [{ unit: 'output', per: 1_000_000, rate_usd: '15', steps: [] }],
      },
    ],
  },
  today: { cost_usd: '0.00738', source: 'price-book', price_version: PRICE, is_same: true },
}

export const REQUEST_SUMMARY_EXAMPLE: RequestSummaryAnswer = {
  as_of: '2026-03-15T12:00:00.000Z',
  calls: 1204,
  denied: 3,
  unpriced: 0,
  cost_usd: '18.4207351',
  is_complete: true,
}

export const COMPLETENESS_EXAMPLE: CompletenessAnswer = {
  as_of: '2026-03-15T12:00:00.000Z',
  forwarded: 184_230,
  recorded: 184_226,
  pending: 4,
  dead: 0,
  lost: 0,
  is_complete: false,
  nodes: [
    {
      id: '0b5b4c6e-3f0e-4c39-9a55-6f6f2f0a1c11',
      host: 'proxy-1',
      role: 'proxy',
      forwarded: 184_230,
      recorded: 184_226,
      pending: 4,
      dead: 0,
      lost: 0,
      last_seen_at: '2026-03-15T11:59:59.412Z',
      silent: false,
    },
  ],
}
