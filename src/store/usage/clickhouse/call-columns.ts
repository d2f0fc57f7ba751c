// A usage record as a row of `calls` and back, exactly. Beside the record itself a row has what
// analysis sums up, worked out once, and what makes it count: its batch and its sign. Must stay
// true: what a sum adds of a call is what the other engines add of it.

import { totalTokens } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { UsageEvent } from '../../../core/usage-event.ts'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { UnstorableRecord } from '../../ledger/ledger-store.ts'
import { toLatencyBucket } from '../latency-buckets.ts'
import { CALL_TOKENS_MAX } from '../rollup.ts'
import { toNumber } from '../sql/period-ranges.ts'
import {
  fromRecordRow,
  NEVER_NULL,
  RECORD_COLUMNS,
  RECORD_KINDS,
  toRecordRow,
} from '../sql/record-row.ts'
import type { RecordColumn, Row } from '../sql/record-row.ts'

/** The order in a row. The figures of a call that is not counted are 0. */
export const CALL_COLUMNS: readonly string[] = [
  'batch',
  'sign',
  'month',
  ...RECORD_COLUMNS,
  'market_pico',
  'is_counted',
  'cache_read',
  'cache_write',
  'input_audio',
  'input_image',
  'reasoning',
  'output_audio',
  'output_image',
  'first_byte_bucket',
  'total_bucket',
  'own_bucket',
]

/** No time is known. */
export const NO_BUCKET = 255

export interface RowVersion {
  readonly batch: number
  /** -1 takes an earlier row of the same call back. */
  readonly sign: 1 | -1
}

const INTEGERS: ReadonlySet<RecordColumn> = new Set(
  RECORD_COLUMNS.filter((column) => RECORD_KINDS[column].startsWith('int')),
)

/** Throws UnstorableRecord. */
export function toCallRow(record: UsageRecord, { batch, sign }: RowVersion): unknown[] {
  const { event } = record
  try {
    const values = toRecordRow(record).map((value, index) =>
      toValue(RECORD_COLUMNS[index] as RecordColumn, value, record),
    )
    const market = event.billing?.marketCost ?? null
    return [
      batch,
      sign,
      toNumber(event.endedAt, 'month'),
      ...values,
      market === null ? null : String(market),
      ...toFigures(event),
      ...toBuckets(event),
    ]
  } catch (error) {
    throw new UnstorableRecord(event.id, error)
  }
}

function toValue(column: RecordColumn, value: unknown, { event, cost }: UsageRecord): unknown {
  if (column === 'id') return toIdNumber(event.id)
  if (column === 'dims') return event.dims
  if (value === null || value === undefined) {
    if (NEVER_NULL.has(column)) throw new TypeError(`The record has no ${column}.`)
    return null
  }
  if (column === 'cost_pico') return String(cost.amount)
  if (INTEGERS.has(column)) {
    if (Number.isSafeInteger(value)) return value
    throw new RangeError(`A usage store cannot keep ${Number(value)} as ${column}.`)
  }
  if (typeof value !== 'string') throw new TypeError(`The ${column} of the record is no text.`)
  return value
}

/** Ids sort as their bytes do. As digits: JSON has no number of that size. */
export function toIdNumber(id: string): string {
  return BigInt(`0x${id.replaceAll('-', '')}`).toString()
}

function toFigures({ tokens }: UsageEvent): readonly number[] {
  if (tokens === null || !isCountable(tokens)) return NO_FIGURES
  return [
    1,
    toCount(tokens.cacheRead),
    toCount(tokens.cacheWrite5m + tokens.cacheWrite1h),
    toCount(tokens.inputAudio),
    toCount(tokens.inputImage),
    toCount(tokens.reasoning),
    toCount(tokens.outputAudio),
    toCount(tokens.outputImage),
  ]
}

const NO_FIGURES = [0, 0, 0, 0, 0, 0, 0, 0] as const

/** As in analysis-rows.ts. */
function isCountable(tokens: TokenCounts): boolean {
  const total = totalTokens(tokens)
  return Number.isSafeInteger(total) && total >= 0 && total <= CALL_TOKENS_MAX
}

function toCount(amount: number): number {
  return amount > 0 ? amount : 0
}

function toBuckets(event: UsageEvent): readonly number[] {
  const { startedAt, firstByteAt, endedAt, ownMicros, status } = event
  const isWhole = status === 'delivered' || status === 'refused'
  return [
    firstByteAt === null ? NO_BUCKET : toLatencyBucket(firstByteAt - startedAt),
    isWhole ? toLatencyBucket(endedAt - startedAt) : NO_BUCKET,
    ownMicros === undefined ? NO_BUCKET : toLatencyBucket(ownMicros),
  ]
}

/** As JSON, or null for none. */
export const DIMS_TEXT = 'if(empty(dims), NULL, toJSONString(dims))'

const SELECTED: Readonly<Partial<Record<RecordColumn, string>>> = {
  id: 'hex(id) AS id_hex',
  dims: `${DIMS_TEXT} AS dims_text`,
  cost_pico: 'toString(cost_pico) AS cost_text',
}

/** For fromCallRow. */
export const SELECT_COLUMNS: string = RECORD_COLUMNS.map(
  (column) => SELECTED[column] ?? column,
).join(', ')

export interface CallRow {
  readonly id_hex: string
  readonly dims_text: string | null
}

export function fromCallRow(row: CallRow): UsageRecord {
  const { id_hex: hex, dims_text: dims, ...rest } = row
  return fromRecordRow({ ...rest, id: fromIdHex(hex), dims } as Row)
}

/** Leading zeros are left out by the server. */
export function fromIdHex(hex: string): string {
  const whole = hex.toLowerCase().padStart(32, '0')
  const ends = [0, 8, 12, 16, 20, 32]
  return ends
    .slice(1)
    .map((end, index) => whole.slice(ends[index], end))
    .join('-')
}
