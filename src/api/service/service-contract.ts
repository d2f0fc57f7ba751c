// The part of the contract that is about this Weir itself and what its first page shows besides the figures of
// /v1/usage. Outsiders see it through contract.ts. Must stay true: a name or a shape in this file is never changed, only
// added to.

import { z } from 'zod'
import { completenessSchema } from '../requests/request-contract.ts'
import { priceDataSchema } from '../prices/price-contract.ts'

const time = z.iso.datetime()

/** What stands beside the figures of /v1/usage on the first page. A snapshot, as those are. */
export const overviewSchema = z
  .object({
    asOf: time,
    has_calls: z.boolean().meta({ description: 'Whether a call was ever recorded.' }),
    last_month_same_day_usd: z.number().meta({
      description:
        "Last month from its first day to the end of today's day of the month, or to its last day where it is shorter.",
    }),
    forecast_usd: z.number().nullable().meta({
      description:
        'What this month comes to at the pace of its last days; null where too little is known.',
    }),
    unpriced_requests: z.int().meta({ description: 'This month: calls whose cost is not known.' }),
    unpriced_models: z.int().meta({ description: 'So many models are behind them.' }),
    estimated_requests: z.int().meta({
      description:
        'This month: calls whose tokens were counted from the text, or are known in part only.',
    }),
    dim_keys: z
      .array(z.string())
      .meta({ description: 'Dimensions that calls of this or last month carry, most used first.' }),
  })
  .meta({ id: 'Overview' })

export const providerHealthSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    shape: z
      .string()
      .nullable()
      .meta({ description: 'Of a provider of your own: which it speaks.' }),
    calls: z.int().meta({
      description:
        'In the last hour, as are the next four; of the newest 10,000 calls to all providers together.',
    }),
    failures: z.int().meta({ description: 'Answered 5xx, cut, or not reached.' }),
    refusals: z
      .int()
      .meta({ description: 'Answered 4xx: a wrong credential, a limit, a bad request.' }),
    first_byte_ms: z.int().nullable().meta({ description: 'The median time to the first byte.' }),
    last_call_at: time.nullable().meta({ description: 'The last call within the hour.' }),
  })
  .meta({ id: 'ProviderHealth' })

export const serviceSchema = z
  .object({
    as_of: time,
    version: z.string(),
    node_version: z.string(),
    started_at: time,
    proxy_url: z.string(),
    providers: z.array(providerHealthSchema),
    data: z.object({
      directory: z.string(),
      usage_bytes: z.int(),
      settings_bytes: z.int(),
      journal_bytes: z.int(),
      free_bytes: z.int().nullable(),
      records: z.int(),
      oldest_record_at: time.nullable(),
      newest_record_at: time.nullable(),
      retention_days: z.int(),
    }),
    completeness: completenessSchema,
    price_data: priceDataSchema,
    fault: z
      .string()
      .nullable()
      .meta({ description: 'What keeps it from being ready; null when all is well.' }),
  })
  .meta({ id: 'Service' })

export type Overview = z.infer<typeof overviewSchema>
export type ProviderHealth = z.infer<typeof providerHealthSchema>
export type Service = z.infer<typeof serviceSchema>
