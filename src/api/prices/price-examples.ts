// Examples of prices for the OpenAPI document; a test checks their schemas.

import type {
  MissingPriceAnswer,
  ModelPrice,
  PricePeriod,
  PriceDataAnswer,
  PriceRuleAnswer,
  PriceUpdateAnswer,
  RateAnswer,
  RepriceAnswer,
} from '../contract.ts'

export const SUBJECT = { provider: 'some-provider', model: 'large-2026-01-15' }

const RATES: RateAnswer[] = [
  { unit: 'input', per: 1_000_000, rate_usd: '2.5', steps: [] },
  { unit: 'output', per: 1_000_000, rate_usd: '10', steps: [] },
]

const ORIGIN: Pick<ModelPrice, 'sources' | 'differs'> = {
  sources: ['genai-prices'],
  differs: [
    {
      source: 'LiteLLM',
      rates: [{ unit: 'output', per: 1_000_000, rate_usd: '12', steps: [] }],
      listed_rates: [{ unit: 'output', per: 1_000_000, rate_usd: '10', steps: [] }],
    },
  ],
}

export const MODEL_EXAMPLE: ModelPrice = {
  ...SUBJECT,
  source: 'price-book',
  since: '2026-01-15T00:00:00.000Z',
  is_free: false,
  is_override: false,
  rates: RATES,
  ...ORIGIN,
}

export const PRICE_DATA_EXAMPLE: PriceDataAnswer = {
  version: 'bundle@2026-10-30',
  published_at: '2026-03-01T00:00:00.000Z',
  age_days: 14,
  is_old: false,
  imported_at: null,
  imported_by: null,
  is_import_outdated: false,
  last_update: {
    at: '2026-03-15T04:00:00.000Z',
    result: 'unchanged',
    words: 'nothing new was published',
  },
}

export const PERIOD_EXAMPLE: PricePeriod = {
  tier: 'standard',
  source: 'price-book',
  price_version: 'bundle@2026-10-30 some-provider/large-2026-01-15@2026-01-15 #5f1c9a3e',
  since: '2026-01-15T00:00:00.000Z',
  hours: null,
  matched: SUBJECT.model,
  rule: null,
  is_free: false,
  is_current: true,
  rates: RATES,
  ...ORIGIN,
}

export const PRICE_RULE_EXAMPLE: PriceRuleAnswer = {
  id: 'price_4e8b1c6d9f2a3057',
  ...SUBJECT,
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
  is_partial: false,
  first_month: '2026-02',
  last_month: '2026-03',
  wants: 'price',
  units: ['input', 'output', 'web_search'],
}

const SUM = { calls: 1204, before_usd: '12.5', after_usd: '11.25', difference_usd: '-1.25' }

export const PRICE_UPDATE_EXAMPLE: PriceUpdateAnswer = {
  result: 'available',
  words: 'newer price data was published',
  version: 'genai-prices@5f1c9a3e7b20',
  added: 1,
  removed: 0,
  changed: 1,
  added_models: [{ provider: 'some-provider', model: 'next-preview' }],
  removed_models: [],
  changed_rates: [
    {
      ...SUBJECT,
      tier: 'standard',
      unit: 'input',
      before_usd: '2.5',
      after_usd: '2.25',
      is_large: false,
    },
  ],
  corrections: {
    replaced: 1,
    standing: 1,
    replaced_models: [SUBJECT],
    standing_models: [{ provider: 'some-provider', model: 'next-preview', why: 'unchanged' }],
  },
  doubts: [],
  impact: { days: 30, is_estimate: false, ...SUM, by_model: [{ ...SUBJECT, ...SUM }] },
}

export const REPRICE_EXAMPLE: RepriceAnswer = {
  applied: false,
  ...SUM,
  by_key: [{ api_key: 'svc_k_7h2m9x4q8r1t5w3z', ...SUM }],
  by_model: [{ ...SUBJECT, ...SUM }],
  unpriced: [],
  kept: 0,
}
