// What two stores have of the same calls, compared by buckets of 17.5 minutes (the first 28 bits of
// an id, which begin with its time). Buckets that differ are copied; the rest need no look at their
// records.

import type { DatabaseSync } from 'node:sqlite'
import type { Sql } from '../../sql/sql.ts'

/** Seven hexadecimal digits. */
export type Bucket = string

/** Equal where the calls, their costs and the prices behind them are, short of a rare chance. */
type Digests = ReadonlyMap<Bucket, string>

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
  FROM records GROUP BY bucket`

const FROM_POSTGRES = `SELECT left(id::text, 7) AS bucket, COUNT(*) AS calls,
    COUNT(cost_pico) AS priced, SUM(ended_at % ${END_MODULUS}) AS ends,
    SUM(CASE WHEN abs(cost_pico) < 9223372036854775808 THEN cost_pico % ${COST_MODULUS} ELSE 0 END)
      AS costs,
    SUM(COALESCE(ascii(right(price_version, 1)), 0)
      + 256 * COALESCE(ascii(left(right(price_version, 2), 1)), 0)
      + 65536 * COALESCE(ascii(left(right(price_version, 3), 1)), 0)) AS prices
  FROM records GROUP BY bucket`

interface DigestRow {
  readonly bucket: Bucket
  readonly calls: number | bigint
  readonly priced: number | bigint
  readonly ends: number | bigint
  readonly costs: number | bigint | null
  readonly prices: number | bigint
}

/** Those that the target lacks or has otherwise, oldest first. */
export async function listDifferentBuckets(source: DatabaseSync, target: Sql): Promise<Bucket[]> {
  const select = source.prepare(FROM_SQLITE)
  select.setReadBigInts(true)
  const wanted = toDigests(select.all() as unknown as DigestRow[])
  const there = toDigests(await target.all<DigestRow>(FROM_POSTGRES))
  const all = new Set([...wanted.keys(), ...there.keys()])
  return [...all].filter((bucket) => wanted.get(bucket) !== there.get(bucket)).toSorted()
}

function toDigests(rows: readonly DigestRow[]): Digests {
  return new Map(
    rows.map((row) => [
      row.bucket,
      [row.calls, row.priced, row.ends, row.costs ?? 0, row.prices].map(String).join(' '),
    ]),
  )
}

const ID_DIGITS = 32

/** Ids from the first on and below the second; null where there is none above. */
export function rangeOf(bucket: Bucket): readonly [from: string, below: string | null] {
  const next = Number.parseInt(bucket, 16) + 1
  const below = next.toString(16).padStart(bucket.length, '0')
  return [toUuid(bucket), below.length > bucket.length ? null : toUuid(below)]
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
