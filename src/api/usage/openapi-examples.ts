// Answers as the OpenAPI document shows them. A test reads each with the schema it stands for.

import type {
  CompletenessAnswer,
  ErrorBody,
  RequestDetail,
  RequestPageAnswer,
  RequestRow,
  UsageEnvelope,
  UsageRow,
} from '../contract.ts'

const AS_OF = '2026-03-15T12:00:00.000Z'

export const TOTAL_EXAMPLE: UsageEnvelope = { asOf: AS_OF, rows: [usageRow('total', 1284.503)] }

export const BREAKDOWN_EXAMPLE: UsageEnvelope = {
  asOf: AS_OF,
  rows: [usageRow('large-2026-01-15', 912.4), usageRow('small-2026-01-15', 372.103)],
}

const LARGE = { model: 'large-2026-01-15' }
const SMALL = { model: 'small-2026-01-15' }

export const PAIRS_EXAMPLE: UsageEnvelope = {
  asOf: AS_OF,
  rows: [
    usageRow('search', 640.25, { ...LARGE, requests: 41_200, tokens: 88_310_000 }),
    usageRow('support', 272.15, { ...LARGE, requests: 17_900, tokens: 37_540_000 }),
    usageRow('search', 18.5, { ...SMALL, requests: 9_300, tokens: 12_400_000 }),
  ],
}

export const SERIES_EXAMPLE: UsageEnvelope = {
  asOf: AS_OF,
  rows: [
    usageRow('some-provider', 2210.75, { bucket: '2026-02-01' }),
    usageRow('other-provider', 0, { bucket: '2026-02-01' }),
    usageRow('some-provider', 1034.003, { bucket: '2026-03-01' }),
    usageRow('other-provider', 250.5, { bucket: '2026-03-01' }),
  ],
}

function usageRow(label: string, value: number, more: Partial<UsageRow> = {}): UsageRow {
  return { label, value, bucket: null, model: null, requests: null, tokens: null, ...more }
}

const ROW: RequestRow = {
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
  model: 'large-2026-01-15',
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
  tool_calls: {},
  service_tier: null,
  cost_usd: '0.00738',
  market_cost_usd: null,
  is_byok: null,
  generation_id: null,
  source: 'price-book',
  price_version: 'list large@2026-01-01',
  dims: { team: 'search', env: 'prod' },
  violation: null,
}

export const REQUEST_PAGE_EXAMPLE: RequestPageAnswer = {
  rows: [ROW],
  next_cursor: 'AZzxoHweejudL0tqjA4fI3qLmNxSoG9R4wTzKQ',
}

const LINE = { model: 'large-2026-01-15', price_version: 'list large@2026-01-01' }

export const REQUEST_DETAIL_EXAMPLE: RequestDetail = {
  ...ROW,
  explanation: {
    lines: [
      { ...LINE, unit: 'cache_read', count: 600, rate_usd: '0.0000003', cost_usd: '0.00018' },
      { ...LINE, unit: 'input', count: 400, rate_usd: '0.000003', cost_usd: '0.0012' },
      { ...LINE, unit: 'output', count: 400, rate_usd: '0.000015', cost_usd: '0.006' },
    ],
    total_usd: '0.00738',
    text: 'The cost was computed from list prices.',
  },
}

export const COMPLETENESS_EXAMPLE: CompletenessAnswer = {
  as_of: '2026-03-15T12:00:00.000Z',
  forwarded: 184_230,
  recorded: 184_226,
  pending: 4,
  dead: 0,
  lost: 0,
  is_complete: false,
}

export const INVALID_PARAMETER_EXAMPLE: ErrorBody = {
  error: 'Parameter limit must be an integer from 1 to 1000, in digits.',
  code: 'invalid_parameter',
}

export const UNKNOWN_TUPLE_EXAMPLE: ErrorBody = {
  error:
    'This combination of metric, dimension and window is not served. There are: ' +
    'cost_usd without dimension over month_to_date, last_month, today, yesterday, month; …',
  code: 'unknown_catalog_tuple',
}

export const UNAUTHORIZED_EXAMPLE: ErrorBody = {
  error:
    'This access token has expired. ' +
    'Create one with: weir tokens create --name me --scope read:usage',
  code: 'unauthorized',
}

export const SCOPE_DENIED_EXAMPLE: ErrorBody = {
  error: 'This needs a token with scope read:usage.',
  code: 'scope_denied',
}

export const KEYS_SCOPE_DENIED_EXAMPLE: ErrorBody = {
  error: 'Dimension api_key needs a token with scope read:keys.',
  code: 'scope_denied',
}

export const RATE_LIMITED_EXAMPLE: ErrorBody = {
  error: 'This token has asked 60 times within a minute. Ask again in 17 s.',
  code: 'rate_limited',
}

export const METHOD_NOT_ALLOWED_EXAMPLE: ErrorBody = {
  error: 'This path takes GET, HEAD only.',
  code: 'method_not_allowed',
}

export const NO_RECORD_EXAMPLE: ErrorBody = {
  error:
    'There is no record of such a request. ' +
    'Its id is what X-SVC-Request-Id said; a call is on record shortly after its end.',
  code: 'not_found',
}
