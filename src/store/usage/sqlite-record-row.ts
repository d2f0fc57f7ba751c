// A usage record as a row and back, exactly: what went in comes out, money and absent values
// included. The id is kept as its 16 bytes; dimensions, tools, billing, shares and the rarer
// token counts as JSON.

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { assert } from '../../core/assert.ts'
import { formatMoney, parseMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import { USAGE_EVENT_VERSION } from '../../core/usage-event.ts'
import type {
  CallStatus,
  ReportedBilling,
  UsageEvent,
  UsageKnowledge,
} from '../../core/usage-event.ts'
import type { CostSource, UsageRecord } from '../../core/usage-record.ts'

const COLUMNS = [
  'id',
  'version',
  'key_id',
  'provider',
  'operation',
  'dims',
  'started_at',
  'requested_model',
  'model',
  'status',
  'http_status',
  'error_code',
  'streamed',
  'first_byte_at',
  'ended_at',
  'request_bytes',
  'response_bytes',
  'chargeable',
  'usage',
  'input_tokens',
  'output_tokens',
  'token_parts',
  'tool_calls',
  'service_tier',
  'billing',
  'cost_pico',
  'cost_source',
  'price_version',
  'shares',
  'counted_as',
  'violation',
] as const

/** A row whose id is there already is left alone; `changes` then says 0. */
export const INSERT_RECORD = `INSERT INTO records (${COLUMNS.join(', ')})
  VALUES (${COLUMNS.map(() => '?').join(', ')}) ON CONFLICT (id) DO NOTHING`

// The cost leaves as text: node:sqlite refuses to give an integer beyond 2^53 as a number.
export const SELECT_RECORD = `SELECT ${COLUMNS.join(', ')} FROM records WHERE id = ?`.replace(
  'cost_pico',
  'CAST(cost_pico AS TEXT) AS cost_text',
)

export type Row = Record<string, SQLOutputValue>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Null for what is no request id. */
export function parseIdBytes(id: string): Buffer | null {
  return UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : null
}

export function toIdBytes(id: string): Buffer {
  const bytes = parseIdBytes(id)
  assert(bytes !== null, `a request id is a lower-case UUID, not ${id}`)
  return bytes
}

export function toRecordRow({ event, cost }: UsageRecord): SQLInputValue[] {
  return [
    toIdBytes(event.id),
    event.version,
    event.keyId,
    event.provider,
    event.operation,
    toJson(event.dims),
    event.startedAt,
    event.requestedModel,
    event.model,
    event.status,
    event.httpStatus,
    event.errorCode,
    event.streamed ? 1 : 0,
    event.firstByteAt,
    event.endedAt,
    event.requestBytes,
    event.responseBytes,
    event.chargeable ? 1 : 0,
    event.usage,
    event.tokens === null ? null : event.tokens.input,
    event.tokens === null ? null : event.tokens.output,
    event.tokens === null ? null : toTokenParts(event.tokens),
    toJson(event.toolCalls),
    event.serviceTier,
    event.billing === null ? null : toBillingJson(event.billing),
    cost.amount === null ? null : toStoredMoney(cost.amount),
    cost.source,
    cost.priceVersion,
    event.shares === undefined ? null : JSON.stringify(event.shares),
    event.countedAs ?? null,
    event.violation ?? null,
  ]
}

export function fromRecordRow(row: Row): UsageRecord {
  assert(row['version'] === USAGE_EVENT_VERSION, `stored event version ${String(row['version'])}`)
  const costText = row['cost_text'] as string | null
  return {
    event: {
      version: USAGE_EVENT_VERSION,
      id: fromIdBytes(row['id'] as Uint8Array),
      keyId: row['key_id'] as string | null,
      provider: row['provider'] as string,
      operation: row['operation'] as string | null,
      dims: fromJson<string>(row['dims']),
      startedAt: row['started_at'] as number,
      requestedModel: row['requested_model'] as string | null,
      model: row['model'] as string | null,
      status: row['status'] as CallStatus,
      httpStatus: row['http_status'] as number | null,
      errorCode: row['error_code'] as string | null,
      streamed: row['streamed'] === 1,
      firstByteAt: row['first_byte_at'] as number | null,
      endedAt: row['ended_at'] as number,
      requestBytes: row['request_bytes'] as number,
      responseBytes: row['response_bytes'] as number,
      chargeable: row['chargeable'] === 1,
      usage: row['usage'] as UsageKnowledge,
      tokens: fromTokenColumns(row),
      toolCalls: fromJson<number>(row['tool_calls']),
      serviceTier: row['service_tier'] as string | null,
      billing: fromBillingJson(row['billing'] as string | null),
      ...fromRareColumns(row),
    },
    cost: {
      amount: costText === null ? null : BigInt(costText),
      source: row['cost_source'] as CostSource,
      priceVersion: row['price_version'] as string | null,
    },
  }
}

export function fromIdBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ]
  return parts.join('-')
}

const INT64_MAX = 2n ** 63n - 1n

// SQLite's integers end at 2^63; a larger figure is kept as its digits, which the column allows.
function toStoredMoney(amount: Money): bigint | string {
  return amount <= INT64_MAX && amount >= -INT64_MAX ? amount : amount.toString()
}

function toJson(values: Readonly<Record<string, string | number>>): string | null {
  for (const _ in values) return JSON.stringify(values)
  return null
}

function fromJson<Value>(json: SQLOutputValue | undefined): Record<string, Value> {
  return typeof json === 'string' ? JSON.parse(json) : {}
}

function toTokenParts(tokens: TokenCounts): string | null {
  const parts: Record<string, number> = {}
  for (const unit in tokens) {
    const count = tokens[unit as keyof TokenCounts]
    if (unit !== 'input' && unit !== 'output' && count !== 0) parts[unit] = count
  }
  return toJson(parts)
}

function fromTokenColumns(row: Row): TokenCounts | null {
  if (row['input_tokens'] === null) return null
  return createTokenCounts({
    input: row['input_tokens'] as number,
    output: row['output_tokens'] as number,
    ...fromJson<number>(row['token_parts']),
  })
}

/** What few calls have is absent where it is NULL. */
function fromRareColumns(row: Row): Pick<UsageEvent, 'shares' | 'countedAs' | 'violation'> {
  const { shares, counted_as: countedAs, violation } = row
  return {
    ...(typeof shares === 'string' ? { shares: JSON.parse(shares) } : {}),
    ...(typeof countedAs === 'string' ? { countedAs } : {}),
    ...(typeof violation === 'string' ? { violation } : {}),
  }
}

function toBillingJson(billing: ReportedBilling): string {
  const { cost, marketCost } = billing
  return JSON.stringify({
    ...billing,
    cost: cost === null ? null : formatMoney(cost),
    marketCost: marketCost === null ? null : formatMoney(marketCost),
  })
}

function fromBillingJson(json: string | null): ReportedBilling | null {
  if (json === null) return null
  const billing = JSON.parse(json)
  return { ...billing, cost: parseMoney(billing.cost), marketCost: parseMoney(billing.marketCost) }
}
