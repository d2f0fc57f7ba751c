// Where single calls are taken from on their way into ClickHouse: a SQLite file, or the PostgreSQL
// that has had them so far. Must stay true: the calls of a bucket and its digest are of one moment.

import type { DatabaseSync } from 'node:sqlite'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { fromRecordRow, SELECT_COLUMNS, toIdBytes } from '../../usage/sql/record-row.ts'
import { SELECT_RECORDS } from '../../usage/sqlite/dialect.ts'
import type { Row } from '../../usage/sql/record-row.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { readPostgresDigests, readSqliteDigests, toRange } from './record-buckets.ts'
import type { Bucket, Digests } from './record-buckets.ts'

/** `202601` to how many calls ended in it and what they cost, as a text. */
export type MonthSums = ReadonlyMap<number, string>

export interface CallSource {
  readDigests(): Promise<Digests>
  /** Returns the digests of what was sent; a bucket that is empty by now has none. */
  copy(
    buckets: readonly Bucket[],
    send: (records: readonly UsageRecord[]) => Promise<void>,
  ): Promise<ReadonlyMap<Bucket, string>>
  sumMonths(): Promise<MonthSums>
}

const PAGE_ROWS = 10_000

export function createSqliteSource(file: DatabaseSync): CallSource {
  async function send(bucket: Bucket, work: Parameters<CallSource['copy']>[1]): Promise<void> {
    const { isIn, ids } = toRange(bucket)
    const select = file.prepare(`${SELECT_RECORDS} WHERE ${isIn}`)
    let page: UsageRecord[] = []
    for (const row of select.iterate(...ids.map(toIdBytes))) {
      page.push(fromRecordRow(row))
      if (page.length < PAGE_ROWS) continue
      await work(page)
      page = []
    }
    if (page.length > 0) await work(page)
  }

  return {
    readDigests: async () => readSqliteDigests(file),
    async copy(buckets, work) {
      const digests = new Map<Bucket, string>()
      file.exec('BEGIN')
      try {
        for (const bucket of buckets) {
          const found = readSqliteDigests(file, bucket).get(bucket)
          if (found === undefined) continue
          digests.set(bucket, found.digest)
          await send(bucket, work)
        }
      } finally {
        file.exec('COMMIT')
      }
      return digests
    },
    sumMonths: async () => sumSqliteMonths(file),
  }
}

// In millions and the rest, as a sum of integers may overflow; costs beyond 2^63 are texts.
const SQLITE_MONTHS = `SELECT strftime('%Y%m', ended_at / 1000, 'unixepoch') AS month,
    COUNT(*) AS calls, COALESCE(SUM(cost_pico / 1000000)
      FILTER (WHERE typeof(cost_pico) = 'integer'), 0) AS millions,
    COALESCE(SUM(cost_pico % 1000000) FILTER (WHERE typeof(cost_pico) = 'integer'), 0) AS rest,
    group_concat(substr(cost_pico, 2)) FILTER (WHERE typeof(cost_pico) = 'text') AS large
  FROM records GROUP BY month`

function sumSqliteMonths(file: DatabaseSync): MonthSums {
  const select = file.prepare(SQLITE_MONTHS)
  select.setReadBigInts(true)
  return new Map(
    select.all().map(({ month, calls, millions, rest, large }) => {
      const beyond = typeof large === 'string' ? large.split(',') : []
      const cost = beyond.reduce(
        (sum, digits) => sum + BigInt(digits),
        (millions as bigint) * 1_000_000n + (rest as bigint),
      )
      return [Number(month), toMonthText(Number(calls), String(cost))]
    }),
  )
}

export function createPostgresSource(database: SqlDatabase): CallSource {
  async function send(
    sql: Sql,
    bucket: Bucket,
    work: Parameters<CallSource['copy']>[1],
  ): Promise<void> {
    const { isIn, ids } = toRange(bucket)
    const text = `SELECT ${SELECT_COLUMNS} FROM records WHERE ${isIn} AND id > ?
      ORDER BY id LIMIT ${PAGE_ROWS}`
    for (let after: string | null = BEFORE_ALL; after !== null;) {
      const rows: Row[] = await sql.all<Row>(text, [...ids, after])
      const page = rows.map(fromRecordRow)
      if (page.length > 0) await work(page)
      after = page.length < PAGE_ROWS ? null : (page.at(-1)?.event.id ?? null)
    }
  }

  return {
    readDigests: () => readPostgresDigests(database),
    copy: (buckets, work) =>
      database.readTogether(async (sql) => {
        const digests = new Map<Bucket, string>()
        for (const bucket of buckets) {
          const found = (await readPostgresDigests(sql, bucket)).get(bucket)
          if (found === undefined) continue
          digests.set(bucket, found.digest)
          await send(sql, bucket, work)
        }
        return digests
      }),
    async sumMonths() {
      const rows = await database.all<{ month: string; calls: number; cost: string }>(
        `SELECT to_char(to_timestamp(ended_at / 1000) AT TIME ZONE 'UTC', 'YYYYMM') AS month,
          COUNT(*) AS calls, COALESCE(SUM(cost_pico), 0)::text AS cost FROM records GROUP BY 1`,
      )
      return new Map(
        rows.map(({ month, calls, cost }) => [Number(month), toMonthText(calls, cost)]),
      )
    },
  }
}

/** No call has this id, which has no time. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export function toMonthText(calls: number, cost: string): string {
  return `${calls} calls, ${cost} picos`
}
