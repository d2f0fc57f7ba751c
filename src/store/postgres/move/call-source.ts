// Where single calls are taken from: a SQLite file, or the PostgreSQL that has had them so far.
// Must stay true: the calls of a bucket and its digest are of one moment.

import type { UsageRecord } from '../../../core/usage-record.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { POSTGRES } from '../../usage/postgres/dialect.ts'
import type { Dialect } from '../../usage/sql/dialect.ts'
import { fromRecordRow, toReadColumns } from '../../usage/sql/record-row.ts'
import type { Row } from '../../usage/sql/record-row.ts'
import { SQLITE } from '../../usage/sqlite/dialect.ts'
import {
  POSTGRES_WORDS,
  selectDigests,
  SQLITE_WORDS,
  toDigests,
  toRange,
} from './record-buckets.ts'
import type { Bucket, DigestRow, Digests, DigestWords } from './record-buckets.ts'

export interface CallSource {
  /** As they are now, or in the transaction of `sql`. */
  readonly readDigests: (sql?: Sql) => Promise<Digests>
  /** Returns the digests of what was sent; a bucket that is empty by now has none. */
  copy(
    buckets: readonly Bucket[],
    send: (records: readonly UsageRecord[]) => Promise<void>,
  ): Promise<ReadonlyMap<Bucket, string>>
}

interface Engine {
  readonly words: DigestWords
  readonly columns: string
  readonly toId: Dialect['toId']
}

const ENGINES = {
  sqlite: { words: SQLITE_WORDS, columns: toReadColumns(SQLITE), toId: SQLITE.toId },
  postgres: { words: POSTGRES_WORDS, columns: toReadColumns(POSTGRES), toId: POSTGRES.toId },
} as const satisfies Record<string, Engine>

const PAGE_ROWS = 10_000

export function createCallSource(database: SqlDatabase, engine: keyof typeof ENGINES): CallSource {
  const { words, columns, toId }: Engine = ENGINES[engine]

  async function readDigests(sql: Sql = database): Promise<Digests> {
    return toDigests(await sql.all<DigestRow>(selectDigests(words, 'records')))
  }

  return {
    readDigests,
    copy: (buckets, send) =>
      database.readSnapshot(async (sql) => {
        const digests = new Map<Bucket, string>()
        for (const bucket of buckets) {
          const { isIn, ids } = toRange(bucket, toId)
          const digest = selectDigests(words, `records WHERE ${isIn}`)
          const found = toDigests(await sql.all<DigestRow>(digest, ids)).get(bucket)
          if (found === undefined) continue
          digests.set(bucket, found.digest)
          const text = `SELECT ${columns} FROM records WHERE ${isIn} AND id > ?
            ORDER BY id LIMIT ${PAGE_ROWS}`
          // No call has the id that a bucket begins with: it is a time and nothing else.
          for (let last = ids[0] ?? null, isMore = true; isMore;) {
            const rows = await sql.all<Row>(text, [...ids, last])
            if (rows.length > 0) await send(rows.map(fromRecordRow))
            last = rows.at(-1)?.['id'] ?? null
            isMore = rows.length === PAGE_ROWS
          }
        }
        return digests
      }),
  }
}
