// The contract for Weir itself, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { boolean, count, string, time } from '../answer-members.ts'
import { named } from '../parameter-schemas.ts'
import { completenessSchema } from '../requests/request-contract.ts'
import { priceDataSchema } from '../prices/price-contract.ts'

export const healthSchema = named('Health', {
  status: z.literal('ok'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('Of /readyz: what an operator should know although it is ready.'),
})

export const unreadySchema = named('Unready', { status: z.literal('unready'), reason: z.string() })

const version = z.string().meta({ example: '1.0.0' })
const proxyUrl = z.string().meta({ example: 'http://127.0.0.1:7070' })
const PROVIDER = { example: 'some-provider' }
const DIRECTORY = { example: 'weir-data' }

export const serviceInfoSchema = named('ServiceInfo', {
  version,
  proxy_url: proxyUrl.describe('Where the proxy listens, without a slash at the end.'),
  providers: z.array(z.string().meta(PROVIDER)).describe('What may follow /v1/ on the proxy.'),
})

export const providerHealthSchema = named('ProviderHealth', {
  id: z.string().meta(PROVIDER),
  url: z.string().meta({ example: 'https://api.some-provider.example' }),
  shape: string.orNull('Of a provider of your own: which it speaks.'),
  has_credential: boolean(
    'One is stored for it, which keys may be allowed to use. It is never shown.',
  ),
  calls: count(
    'In the last hour, as are the next four; of the newest 10,000 calls to all providers together.',
  ),
  failures: count('Answered 5xx, cut, or not reached.'),
  refusals: count('Answered 4xx: a wrong credential, a limit, a bad request.'),
  first_byte_ms: count.orNull('The median time to the first byte.'),
  last_call_at: time.orNull('The last call within the hour.'),
})

export const serviceSchema = named('Service', {
  as_of: time(),
  version,
  node_version: z.string().meta({ example: '26.0.0' }),
  started_at: time(),
  proxy_url: proxyUrl,
  providers: z.array(providerHealthSchema),
  data: z.object({
    directory: z.string().meta(DIRECTORY),
    usage_bytes: count.orNull(
      'Of the file, or of the tables in PostgreSQL; null where it cannot be read.',
    ),
    settings_bytes: count.orNull('As usage_bytes.'),
    journal_bytes: count.orNull('Of this node; null for one without a proxy.'),
    free_bytes: count.orNull(),
    records: z.int(),
    denied: count('Calls that were denied, over all times: they are not forwarded.'),
    oldest_record_at: time.orNull(),
    newest_record_at: time.orNull(),
    retention_days: z.int(),
  }),
  completeness: completenessSchema,
  price_data: priceDataSchema,
  fault: string.orNull('What keeps it from being ready; null when all is well.'),
})

export const journalStateSchema = named('JournalState', {
  as_of: time(),
  failing_since: time.orNull(
    'Since when the disk does not take the journal of a worker; null while it does.',
  ),
  reason: string.orNull('What the disk answered, such as ENOSPC.'),
  on_full: z
    .enum(['go-on', 'refuse'])
    .describe('What calls do meanwhile, by the setting journal.onFull.'),
  waiting: count('Calls that are in the memory of a worker only; they may be lost.'),
  lost: count('Forwarded calls that are in no record, since the beginning.'),
  directory: string('The data directory, as in GET /v1/service.', DIRECTORY.example),
  silent_nodes: z
    .array(z.object({ host: z.string().meta({ example: 'proxy-1' }), since: time() }))
    .describe('Nodes whose calls may be missing from figures; empty on SQLite.'),
})

export type JournalState = z.infer<typeof journalStateSchema>
export type ServiceInfo = z.infer<typeof serviceInfoSchema>
export type ProviderHealth = z.infer<typeof providerHealthSchema>
export type Service = z.infer<typeof serviceSchema>
