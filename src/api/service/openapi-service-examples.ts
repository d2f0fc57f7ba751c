// Answers about Weir itself as the OpenAPI document shows them. A test reads each with the schema it stands for.

import type { Overview, Service } from '../contract.ts'
import { COMPLETENESS_EXAMPLE } from '../usage/openapi-examples.ts'

export const OVERVIEW_EXAMPLE: Overview = {
  asOf: '2026-03-15T12:00:00.000Z',
  has_calls: true,
  last_month_same_day_usd: 1102.75,
  forecast_usd: 2654.6396,
  unpriced_requests: 12,
  unpriced_models: 1,
  estimated_requests: 340,
  dim_keys: ['team', 'app', 'env'],
}

export const SERVICE_EXAMPLE: Service = {
  as_of: '2026-03-15T12:00:00.000Z',
  version: '1.0.0',
  node_version: '26.0.0',
  started_at: '2026-03-01T08:00:00.000Z',
  proxy_url: 'http://127.0.0.1:7070',
  providers: [
    {
      id: 'some-provider',
      url: 'https://api.some-provider.example',
      shape: null,
      calls: 4120,
      failures: 3,
      refusals: 17,
      first_byte_ms: 412,
      last_call_at: '2026-03-15T11:59:58.750Z',
    },
  ],
  data: {
    directory: 'weir-data',
    usage_bytes: 73_400_320,
    settings_bytes: 262_144,
    journal_bytes: 1_048_576,
    free_bytes: 214_748_364_800,
    records: 184_226,
    oldest_record_at: '2026-01-02T09:14:03.118Z',
    newest_record_at: '2026-03-15T11:59:58.750Z',
    retention_days: 400,
  },
  completeness: COMPLETENESS_EXAMPLE,
  price_data: {
    version: 'prices@1.0.0',
    published_at: '2026-03-01T00:00:00.000Z',
    age_days: 14,
    is_old: false,
    imported_at: null,
    imported_by: null,
    is_import_outdated: false,
  },
  fault: null,
}
