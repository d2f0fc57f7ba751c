// usage.csv, a row per call. Must stay true: columns are only ever added at the end.

import type { UsageRecord } from '../../core/usage-record.ts'
import type { RequestRow } from '../contract.ts'
import type { ExportedNames } from './export-context.ts'
import type { CsvColumn, CsvKind, CsvValue } from './csv.ts'
import { toRequestRow } from '../requests/request-row.ts'

/** Weir's own time is not usage. */
type UsageRow = Omit<RequestRow, 'own_ms'> &
  Readonly<Record<'api_key_name' | 'api_key_cost_center', string | null>>

const KINDS: Readonly<Record<keyof UsageRow, CsvKind>> = {
  id: 'plain',
  started_at: 'plain',
  first_byte_at: 'plain',
  ended_at: 'plain',
  duration_ms: 'plain',
  api_key: 'text',
  provider: 'text',
  operation: 'text',
  requested_model: 'text',
  model: 'text',
  status: 'plain',
  http_status: 'plain',
  error_code: 'text',
  streamed: 'plain',
  request_bytes: 'plain',
  response_bytes: 'plain',
  usage: 'plain',
  input_tokens: 'plain',
  output_tokens: 'plain',
  cache_read_tokens: 'plain',
  cache_write_5m_tokens: 'plain',
  cache_write_1h_tokens: 'plain',
  input_audio_tokens: 'plain',
  input_image_tokens: 'plain',
  reasoning_tokens: 'plain',
  output_audio_tokens: 'plain',
  output_image_tokens: 'plain',
  cache_read_audio_tokens: 'plain',
  cache_read_image_tokens: 'plain',
  tool_calls: 'json',
  service_tier: 'text',
  cost_usd: 'plain',
  market_cost_usd: 'plain',
  is_byok: 'plain',
  generation_id: 'text',
  source: 'plain',
  price_version: 'text',
  dims: 'json',
  violation: 'text',
  region: 'text',
  api_key_name: 'text',
  api_key_cost_center: 'text',
  provider_error: 'text',
  team_id: 'plain',
  team: 'text',
  person_id: 'plain',
  person: 'text',
  tool: 'text',
  tool_version: 'text',
  session: 'text',
  agent: 'text',
  parent_agent: 'text',
  device: 'text',
  account: 'text',
  repository: 'text',
  retry: 'plain',
}

export const USAGE_COLUMNS: readonly CsvColumn[] = Object.entries(KINDS).map(([name, kind]) => ({
  name,
  kind,
}))

export function toUsageRow(
  record: UsageRecord,
  { keys, names }: ExportedNames,
): Readonly<Record<keyof UsageRow, CsvValue>> {
  const { own_ms: _, ...facts } = toRequestRow(record, names)
  const { keyId } = record.event
  const key = keyId === null ? null : (keys.get(keyId) ?? null)
  const about = { api_key_name: key?.name ?? null, api_key_cost_center: key?.cost_center ?? null }
  const row = { ...facts, ...about }
  // Denied calls are in no sum; a cost, even 0, would suggest otherwise.
  return row.status === 'denied' ? { ...row, cost_usd: null } : row
}
