// What a store has of calls, by buckets of 17.5 minutes (the first 28 bits of an id, which begin
// with its time), each with a digest. Buckets whose digests differ are copied; the rest need no
// look at their records.

import { TEAM_FACT } from '../../../core/teams/team.ts'
import type { SqlValue } from '../../sql/sql.ts'

/** Seven hexadecimal digits. */
export type Bucket = string

export interface BucketDigest {
  readonly calls: number
  /**
   * Equal where the calls, their costs, the prices behind them and which of them have a team are,
   * short of a rare chance.
   */
  readonly digest: string
}

export type Digests = ReadonlyMap<Bucket, BucketDigest>

/** Remainders, so that no sum overflows. */
const COST_MODULUS = 1_000_000_007
const END_MODULUS = 1_000_003

/** What the text of a digest must say differently to each engine. */
export interface DigestWords {
  readonly bucket: string
  /** Of a cost beyond 2^63 the last nine digits: not every engine has it as a number. */
  readonly cost: (modulus: number) => string
  /** The code of a character of the price's version, from its end; 0 where there is none. */
  readonly code: (fromEnd: number) => string
  /** 1 where the call has a team: it may get one after it was stored, and keeps it then. */
  readonly hasTeam: string
  /** What a row counts. */
  readonly times: string
}

const TEAM_IN_JSON = `CASE WHEN dims LIKE '%"${TEAM_FACT}":%' THEN 1 ELSE 0 END`

export const SQLITE_WORDS: DigestWords = {
  bucket: 'lower(substr(hex(id), 1, 7))',
  cost: (modulus) => `CASE typeof(cost_pico) WHEN 'integer' THEN cost_pico % ${modulus}
    WHEN 'text' THEN CAST(substr(cost_pico, -9) AS INTEGER) ELSE 0 END`,
  code: (fromEnd) => `COALESCE(unicode(substr(price_version, -${fromEnd}, 1)), 0)`,
  hasTeam: TEAM_IN_JSON,
  times: '1',
}

const INT64_END = '9223372036854775808'

export const POSTGRES_WORDS: DigestWords = {
  bucket: 'left(id::text, 7)',
  cost: (modulus) => `CASE WHEN cost_pico IS NULL THEN 0
    WHEN abs(cost_pico) < ${INT64_END} THEN cost_pico % ${modulus}
    ELSE CAST(right(cost_pico::text, 9) AS BIGINT) END`,
  code: (fromEnd) => `COALESCE(ascii(left(right(price_version, ${fromEnd}), 1)), 0)`,
  hasTeam: TEAM_IN_JSON,
  times: '1',
}

/** A number is written without its leading zeros there. */
export const CLICKHOUSE_WORDS: DigestWords = {
  bucket: "substring(leftPad(lower(hex(id)), 32, '0'), 1, 7)",
  cost: (modulus) => `if(abs(ifNull(cost_pico, 0)) < ${INT64_END},
    toInt64(ifNull(cost_pico, 0) % ${modulus}), toInt64(right(toString(ifNull(cost_pico, 0)), 9)))`,
  code: (fromEnd) => `ascii(substring(ifNull(price_version, ''), -${fromEnd}, 1))`,
  hasTeam: `mapContains(dims, '${TEAM_FACT}')`,
  times: 'sign',
}

/** For toDigests. Sums are texts, as they may be larger than an exact number. */
export function selectDigests(words: DigestWords, from: string): string {
  const { bucket, cost, code, hasTeam, times } = words
  const sum = (what: string): string => `CAST(SUM((${what}) * ${times}) AS TEXT)`
  return `SELECT ${bucket} AS bucket, SUM(${times}) AS calls,
      SUM(CASE WHEN cost_pico IS NULL THEN 0 ELSE ${times} END) AS priced,
      ${sum(`ended_at % ${END_MODULUS}`)} AS ends, ${sum(cost(COST_MODULUS))} AS costs,
      ${sum(`${code(1)} + 256 * ${code(2)} + 65536 * ${code(3)}`)} AS prices,
      ${sum(hasTeam)} AS teams
    FROM ${from} GROUP BY bucket`
}

export interface DigestRow {
  readonly bucket: Bucket
  readonly calls: number
  readonly priced: number
  readonly ends: string
  readonly costs: string
  readonly prices: string
  readonly teams: string
}

export function toDigests(rows: readonly DigestRow[]): Digests {
  return new Map(
    rows.map(({ bucket, calls, priced, ends, costs, prices, teams }) => {
      const digest = [calls, priced, ends, costs, prices, teams].join(' ')
      return [bucket, { calls, digest }]
    }),
  )
}

const ID_DIGITS = 32

export interface BucketRange {
  /** A condition on `id` with a `?` for each of `ids`. */
  readonly isIn: string
  readonly ids: readonly SqlValue[]
}

/** `toId` as the engine's dialect has it. */
export function toRange(bucket: Bucket, toId: (bytes: Uint8Array) => SqlValue): BucketRange {
  const toFirst = (prefix: string): SqlValue =>
    toId(Buffer.from(prefix.padEnd(ID_DIGITS, '0'), 'hex'))
  const next = Number.parseInt(bucket, 16) + 1
  const below = next.toString(16).padStart(bucket.length, '0')
  // There is no id above the last bucket.
  if (below.length > bucket.length) return { isIn: 'id >= ?', ids: [toFirst(bucket)] }
  return { isIn: 'id >= ? AND id < ?', ids: [toFirst(bucket), toFirst(below)] }
}

/** When the ids of a bucket begin; the last begins before the next bucket does. */
export function timesOf(bucket: Bucket): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = Number.parseInt(bucket, 16) * 2 ** 20
  return { fromMs, toMs: fromMs + 2 ** 20 - 1 }
}
