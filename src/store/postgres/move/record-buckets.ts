// What a store has of calls, by buckets of 17.5 minutes (the first 28 bits of an id, which begin
// with its time), each with a digest. Buckets whose digests differ are copied; the rest need no
// look at their records.

import type { DatabaseSync } from 'node:sqlite'
import type { Sql } from '../../sql/sql.ts'
import { toIdBytes } from '../../usage/sql/record-row.ts'

/** Seven hexadecimal digits. */
export type Bucket = string

export interface BucketDigest {
  readonly calls: number
  /** Equal where the calls, their costs and the prices behind them are, short of a rare chance. */
  readonly digest: string
}

export type Digests = ReadonlyMap<Bucket, BucketDigest>

/** Remainders, so that no sum overflows. */
const COST_MODULUS = 1_000_000_007
const END_MODULUS = 1_000_003

const FROM_SQLITE = `SELECT lower(substr(hex(id), 1, 7)) AS bucket, COUNT(*) AS calls,
    COUNT(cost_pico) AS priced, SUM(ended_at % ${END_MODULUS}) AS ends,
    SUM(CASE WHEN typeof(cost_pico) = 'integer' THEN cost_pico % ${COST_MODULUS} ELSE 0 END)
      AS costs,
    SUM(COALESCE(unicode(substr(price_version, -1, 1)), 0)
      + 256 * COALESCE(unicode(substr(price_version, -2, 1)), 0)
      + 65536 * COALESCE(unicode(substr(price_version, -3, 1)), 0)) AS prices
  FROM records`

const FROM_POSTGRES = `SELECT left(id::text, 7) AS bucket, COUNT(*) AS calls,
    COUNT(cost_pico) AS priced, SUM(ended_at % ${END_MODULUS}) AS ends,
    SUM(CASE WHEN abs(cost_pico) < 9223372036854775808 THEN cost_pico % ${COST_MODULUS} ELSE 0 END)
      AS costs,
    SUM(COALESCE(ascii(right(price_version, 1)), 0)
      + 256 * COALESCE(ascii(left(right(price_version, 2), 1)), 0)
      + 65536 * COALESCE(ascii(left(right(price_version, 3), 1)), 0)) AS prices
  FROM records`

const BY_BUCKET = 'GROUP BY bucket'

interface DigestRow {
  readonly bucket: Bucket
  readonly calls: number | bigint
  readonly priced: number | bigint
  readonly ends: number | bigint
  readonly costs: number | bigint | null
  readonly prices: number | bigint
}

/** Of all buckets, or of one. */
export function readSqliteDigests(source: DatabaseSync, bucket?: Bucket): Digests {
  const { isIn, ids } = bucket === undefined ? { isIn: 'TRUE', ids: [] } : toRange(bucket)
  const select = source.prepare(`${FROM_SQLITE} WHERE ${isIn} ${BY_BUCKET}`)
  select.setReadBigInts(true)
  return toDigests(select.all(...ids.map(toIdBytes)) as unknown as DigestRow[])
}

export async function readPostgresDigests(source: Sql, bucket?: Bucket): Promise<Digests> {
  const { isIn, ids } = bucket === undefined ? { isIn: 'TRUE', ids: [] } : toRange(bucket)
  return toDigests(await source.all<DigestRow>(`${FROM_POSTGRES} WHERE ${isIn} ${BY_BUCKET}`, ids))
}

/** Those that the target lacks or has otherwise, oldest first. */
export async function listDifferentBuckets(source: DatabaseSync, target: Sql): Promise<Bucket[]> {
  const [wanted, there] = [readSqliteDigests(source), await readPostgresDigests(target)]
  const all = new Set([...wanted.keys(), ...there.keys()])
  return [...all]
    .filter((bucket) => wanted.get(bucket)?.digest !== there.get(bucket)?.digest)
    .toSorted()
}

function toDigests(rows: readonly DigestRow[]): Digests {
  return new Map(
    rows.map(({ bucket, calls, priced, ends, costs, prices }) => {
      const digest = [calls, priced, ends, costs ?? 0, prices].map(String).join(' ')
      return [bucket, { calls: Number(calls), digest }]
    }),
  )
}

const ID_DIGITS = 32

export interface BucketRange {
  /** A condition on `id` with a `?` for each of `ids`. */
  readonly isIn: string
  readonly ids: readonly string[]
}

export function toRange(bucket: Bucket): BucketRange {
  const next = Number.parseInt(bucket, 16) + 1
  const below = next.toString(16).padStart(bucket.length, '0')
  // There is no id above the last bucket.
  if (below.length > bucket.length) return { isIn: 'id >= ?', ids: [toUuid(bucket)] }
  return { isIn: 'id >= ? AND id < ?', ids: [toUuid(bucket), toUuid(below)] }
}

function toUuid(prefix: string): string {
  const digits = prefix.padEnd(ID_DIGITS, '0')
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-')
}

/** When the ids of a bucket begin; the last begins before the next bucket does. */
export function timesOf(bucket: Bucket): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = Number.parseInt(bucket, 16) * 2 ** 20
  return { fromMs, toMs: fromMs + 2 ** 20 - 1 }
}
