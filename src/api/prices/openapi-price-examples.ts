// Prices as the OpenAPI document shows them. A test reads each with the schema it stands for.

import type {
  ErrorBody,
  MissingPriceAnswer,
  ModelPrice,
  NewPriceRuleBody,
  PriceHistory,
  PricePage,
  PriceRuleAnswer,
  RateAnswer,
  RepriceAnswer,
  RepriceRequest,
} from '../contract.ts'

const RATES: RateAnswer[] = [
  { unit: 'input', per: 1_000_000, rate_usd: '2.5', steps: [] },
  { unit: 'output', per: 1_000_000, rate_usd: '10', steps: [] },
]

const MODEL: ModelPrice = {
  provider: 'some-provider',
  model: 'large-2026-01-15',
  source: 'price-book',
  since: '2026-01-15T00:00:00.000Z',
  is_free: false,
  is_override: false,
  rates: RATES,
}

export const PRICE_PAGE_EXAMPLE: PricePage = {
  rows: [MODEL],
  total: 1,
  next_cursor: null,
  price_data: {
    version: 'genai-prices@0.1.8',
    published_at: '2026-03-01T00:00:00.000Z',
    age_days: 14,
    is_old: false,
    imported_at: null,
    imported_by: null,
    is_import_outdated: false,
  },
}

export const PRICE_HISTORY_EXAMPLE: PriceHistory = {
  provider: 'some-provider',
  model: 'large-2026-01-15',
  periods: [
    {
      tier: 'standard',
      source: 'price-book',
      price_version: 'genai-prices@0.1.8 some-provider/large-2026-01-15@2026-01-15 #5f1c9a3e',
      since: '2026-01-15T00:00:00.000Z',
      hours: null,
      matched: 'large-2026-01-15',
      rule: null,
      is_free: false,
      is_current: true,
      rates: RATES,
    },
  ],
  near_models: [],
}

export const NEW_PRICE_RULE_EXAMPLE: NewPriceRuleBody = {
  provider: 'some-provider',
  model: 'large-2026-01-15',
  effective_from: '2026-03-01T00:00:00Z',
  rates: { input: '2.25', output: '9' },
  note: 'Contract of March',
}

export const PRICE_RULE_EXAMPLE: PriceRuleAnswer = {
  id: 'price_4e8b1c6d9f2a3057',
  provider: 'some-provider',
  model: 'large-2026-01-15',
  tier: null,
  effective_from: '2026-03-01T00:00:00.000Z',
  rates: { input: '2.25', output: '9' },
  multiplier: null,
  note: 'Contract of March',
  origin: 'command',
  created_at: '2026-03-02T08:15:00.000Z',
}

export const MISSING_PRICE_EXAMPLE: MissingPriceAnswer = {
  provider: 'some-provider',
  model: 'next-preview',
  requests: 1204,
  tokens: 3_480_112,
  first_month: '2026-02',
  last_month: '2026-03',
  wants: 'price',
}

export const REPRICE_REQUEST_EXAMPLE: RepriceRequest = {
  provider: 'some-provider',
  model: 'large-2026-01-15',
  from: '2026-03-01',
  all: true,
}

const SUM = { calls: 1204, before_usd: '12.5', after_usd: '11.25', difference_usd: '-1.25' }

export const REPRICE_EXAMPLE: RepriceAnswer = {
  applied: false,
  ...SUM,
  by_key: [{ api_key: 'svc_k_7h2m9x4q8r1t5w3z', ...SUM }],
  by_model: [{ provider: 'some-provider', model: 'large-2026-01-15', ...SUM }],
  unpriced: [],
  kept: 0,
}

export const INVALID_RULE_EXAMPLE: ErrorBody = {
  error: 'The price has a rate for input that is no decimal from 0 to 1000000: "2,5".',
  code: 'invalid_parameter',
}

export const REPRICE_CONFLICT_EXAMPLE: ErrorBody = {
  error: 'Calls are being priced anew already, one run at a time. Try again when it is done.',
  code: 'conflict',
}
