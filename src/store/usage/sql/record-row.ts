// A usage record as a row and back, exactly, including money and absent values. The id is its 16
// bytes; dimensions, tools, billing, shares and the rarer token counts are JSON.

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { CallAgent } from '../../../core/agents/call-agent.ts'
import { assert } from '../../../core/assert.ts'
import { formatMoney, parseMoney } from '../../../core/money.ts'
import type { Money } from '../../../core/money.ts'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import { USAGE_EVENT_VERSION } from '../../../core/usage-event.ts'
import type {
  CallStatus,
  ReportedBilling,
  UsageEvent,
  UsageKnowledge,
} from '../../../core/usage-event.ts'
import type { CostSource, UsageRecord } from '../../../core/usage-record.ts'
import { fromStoredId, toIdBytes } from '../../sql/id-bytes.ts'
import type { Dialect } from './dialect.ts'

export { fromIdBytes, fromStoredId, parseIdBytes, toIdBytes } from '../../sql/id-bytes.ts'

export type ColumnKind = 'id' | 'int2' | 'int4' | 'int8' | 'numeric' | 'text'

/** In the order of toRecordRow; as wide as what may be in it. */
export const RECORD_KINDS = {
  id: 'id',
  version: 'int2',
  key_id: 'text',
  provider: 'text',
  operation: 'text',
  dims: 'text',
  started_at: 'int8',
  requested_model: 'text',
  model: 'text',
  status: 'text',
  http_status: 'int4',
  error_code: 'text',
  streamed: 'int2',
  first_byte_at: 'int8',
  ended_at: 'int8',
  request_bytes: 'int8',
  response_bytes: 'int8',
  chargeable: 'int2',
  usage: 'text',
  input_tokens: 'int8',
  output_tokens: 'int8',
  token_parts: 'text',
  tool_calls: 'text',
  service_tier: 'text',
  billing: 'text',
  cost_pico: 'numeric',
  cost_source: 'text',
  price_version: 'text',
  shares: 'text',
  counted_as: 'text',
  violation: 'text',
  own_us: 'int8',
  region: 'text',
  provider_error: 'text',
  session: 'text',
  agent: 'text',
} as const satisfies Readonly<Record<string, ColumnKind>>

export type RecordColumn = keyof typeof RECORD_KINDS
export const RECORD_COLUMNS = Object.keys(RECORD_KINDS) as readonly RecordColumn[]

export const NEVER_NULL: ReadonlySet<RecordColumn> = new Set([
  ...(['version', 'provider', 'started_at', 'status', 'streamed', 'ended_at'] as const),
  ...(['request_bytes', 'response_bytes', 'chargeable', 'usage', 'cost_source'] as const),
])

/** Of a longer value of a dimension the row has the id of its name, where the engine has one. */
export const DIM_TEXT_MAX = 48
/** Before that id; no value has a control character. */
export const NAME_MARK = '\u007f'

/** A row whose id exists is left alone; `changes` is then 0. */
export const INSERT_RECORD = `INSERT INTO records (${RECORD_COLUMNS.join(', ')})
  VALUES (${RECORD_COLUMNS.map(() => '?').join(', ')}) ON CONFLICT (id) DO NOTHING`

/** For fromRecordRow. The cost is text: node:sqlite returns no integer beyond 2^53 as a number. */
export function toReadColumns({ dims }: Pick<Dialect, 'dims'>): string {
  return RECORD_COLUMNS.join(', ')
    .replace('cost_pico', 'CAST(cost_pico AS TEXT) AS cost_text')
    .replace(', dims,', `, ${dims} AS dims,`)
}

export type Row = Record<string, SQLOutputValue>

/** Throws where the row could not be read back exactly. */
export function toRecordRow(
  { event, cost }: UsageRecord,
  idOf?: (name: string) => number,
): SQLInputValue[] {
  const { tokens, httpStatus, firstByteAt } = event
  return [
    toIdBytes(event.id),
    event.version,
    event.keyId,
    event.provider,
    event.operation,
    toDimsJson(event.dims, idOf),
    toStoredNumber(event.startedAt),
    event.requestedModel,
    event.model,
    event.status,
    httpStatus === null ? null : toStoredNumber(httpStatus),
    event.errorCode,
    event.streamed ? 1 : 0,
    firstByteAt === null ? null : toStoredNumber(firstByteAt),
    toStoredEnd(event.endedAt),
    toStoredNumber(event.requestBytes),
    toStoredNumber(event.responseBytes),
    event.chargeable ? 1 : 0,
    event.usage,
    tokens === null ? null : toStoredNumber(tokens.input),
    tokens === null ? null : toStoredNumber(tokens.output),
    tokens === null ? null : toTokenParts(tokens),
    toJson(event.toolCalls),
    event.serviceTier,
    event.billing === null ? null : toBillingJson(event.billing),
    cost.amount === null ? null : toStoredMoney(cost.amount),
    cost.source,
    cost.priceVersion,
    event.shares === undefined ? null : JSON.stringify(event.shares),
    event.countedAs ?? null,
    event.violation ?? null,
    event.ownMicros === undefined ? null : toStoredNumber(event.ownMicros),
    event.region ?? null,
    event.providerError ?? null,
    event.agent?.session ?? null,
    event.agent === undefined ? null : toAgentJson(event.agent),
  ]
}

export function fromRecordRow(row: Row): UsageRecord {
  assert(row['version'] === USAGE_EVENT_VERSION, `stored event version ${String(row['version'])}`)
  const costText = row['cost_text'] as string | null
  return {
    event: {
      version: USAGE_EVENT_VERSION,
      id: fromStoredId(row['id'] as Uint8Array | string),
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
      amount: costText === null ? null : fromStoredMoney(costText),
      source: row['cost_source'] as CostSource,
      priceVersion: row['price_version'] as string | null,
    },
  }
}

const INT64_MAX = 2n ** 63n - 1n
/** A trillion dollars. Larger costs are nonsense, and a few would overflow the rollups for good. */
const COST_MAX = 10n ** 24n
// SQLite's integers end at 2^63. A larger one is stored as digits after this sign: digits alone
// would become a float in an integer column.
const DIGITS_SIGN = '#'

export function toStoredMoney(amount: Money): bigint | string {
  const magnitude = amount < 0n ? -amount : amount
  if (magnitude <= INT64_MAX) return amount
  if (magnitude <= COST_MAX) return `${DIGITS_SIGN}${amount}`
  throw new RangeError(`A usage store cannot keep a cost of ${amount} pico-dollars.`)
}

export function fromStoredMoney(text: string): Money {
  return BigInt(text.startsWith(DIGITS_SIGN) ? text.slice(DIGITS_SIGN.length) : text)
}

/** The end of the year 9999: days have ten characters until then. */
const TIME_MAX = 253_402_300_799_999

/** Days and months are derived from it, so it must be on a calendar. */
export function isStorableEnd(endedAt: number): boolean {
  return endedAt >= 0 && endedAt <= TIME_MAX
}

function toStoredEnd(endedAt: number): number {
  if (isStorableEnd(endedAt)) return endedAt
  throw new RangeError(`A usage store cannot keep a call that ended at ${endedAt}.`)
}

/** SQLite stores NaN as NULL, and node:sqlite returns no integer beyond 2^53. */
function toStoredNumber(value: number): number {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value
  throw new RangeError(`A usage store cannot keep the number ${value}.`)
}

export function toDimsJson(
  dims: UsageEvent['dims'],
  idOf: ((name: string) => number) | undefined,
): string | null {
  let isLong = false
  for (const key in dims) {
    const value = dims[key]
    if (typeof value !== 'string') throw new TypeError(`The dimension ${key} is no text.`)
    if (value.length > DIM_TEXT_MAX) isLong = true
  }
  if (!isLong || idOf === undefined) return toJson(dims)
  const stored = Object.entries(dims).map(([key, value]) => [
    key,
    value.length > DIM_TEXT_MAX ? `${NAME_MARK}${idOf(value)}` : value,
  ])
  return toJson(Object.fromEntries(stored))
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
    const count = tokens[unit as keyof TokenCounts] ?? 0
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

/** A NULL column becomes an absent field. */
function fromRareColumns(
  row: Row,
): Pick<
  UsageEvent,
  'shares' | 'countedAs' | 'violation' | 'ownMicros' | 'region' | 'providerError' | 'agent'
> {
  const { shares, counted_as: countedAs, violation, own_us: ownMicros, region } = row
  const providerError = row['provider_error']
  const agent = fromAgentColumns(row['session'], row['agent'])
  return {
    ...(typeof shares === 'string' ? { shares: JSON.parse(shares) } : {}),
    ...(typeof countedAs === 'string' ? { countedAs } : {}),
    ...(typeof violation === 'string' ? { violation } : {}),
    ...(typeof ownMicros === 'number' ? { ownMicros } : {}),
    ...(typeof region === 'string' ? { region } : {}),
    ...(typeof providerError === 'string' ? { providerError } : {}),
    ...(agent === undefined ? {} : { agent }),
  }
}

function toAgentJson(agent: CallAgent): string | null {
  const text = JSON.stringify({ ...agent, session: undefined })
  return text === '{}' ? null : text
}

/** `agent` is all but the session, which has a column of its own. */
export function fromAgentColumns(session: unknown, agent: unknown): CallAgent | undefined {
  if (typeof session !== 'string' && typeof agent !== 'string') return undefined
  return {
    ...(typeof session === 'string' ? { session } : {}),
    ...(typeof agent === 'string' ? JSON.parse(agent) : {}),
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
