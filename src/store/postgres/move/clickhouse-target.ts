// Single calls into ClickHouse, under numbers that count once their calls are there (decision
// 0049). Must stay true: the ledger database says in one commit which buckets a number has and that
// it counts; a run that is cut short leaves a number that never will, and the next one copies those
// buckets under another.

import { WeirError } from '../../../core/weir-error.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import { migrateClickhouse } from '../../clickhouse/schema.ts'
import { createPostgresCallBatches } from '../../ledger/postgres/call-batches.ts'
import { MOVED_BUCKETS } from '../../ledger/postgres/calls-location.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import { CALL_COLUMNS, toCallRow } from '../../usage/clickhouse/call-columns.ts'
import { readBatchCondition } from '../../usage/clickhouse/batch-condition.ts'
import { toStorableRecord } from '../../usage/postgres/storable-record.ts'
import { toTextArray } from '../array-text.ts'
import type { CallsTarget, CopyCalls } from './copy-calls.ts'
import { CLICKHOUSE_WORDS, selectDigests, toDigests } from './record-buckets.ts'
import type { Bucket, DigestRow } from './record-buckets.ts'

export interface ClickhouseTargetOptions {
  readonly calls: ClickhouseDatabase
  readonly callsUrl: string
  /** Of the ledger database. */
  readonly database: SqlDatabase
  /** False where the database is the source. */
  readonly isBookEmpty: boolean
  readonly insertRows?: number
}

const INSERT_ROWS = 10_000
const MAKE_MOVED = `CREATE TABLE IF NOT EXISTS ${MOVED_BUCKETS} (
  bucket TEXT PRIMARY KEY, batch BIGINT NOT NULL, digest TEXT NOT NULL)`
const PUT_MOVED = `INSERT INTO ${MOVED_BUCKETS} (batch, bucket, digest)
  SELECT ?::bigint, * FROM unnest(?::text[], ?::text[])`

interface MovedBucket {
  readonly bucket: Bucket
  readonly batch: number
  readonly digest: string
}

export function createClickhouseTarget(options: ClickhouseTargetOptions): CallsTarget {
  const { calls, callsUrl, database, isBookEmpty, insertRows = INSERT_ROWS } = options
  const callBatches = createPostgresCallBatches(database)
  /** Nothing was sent under it. */
  let reserved: number | null = null
  const readMoved = (): Promise<readonly MovedBucket[]> =>
    database.all<MovedBucket>(`SELECT bucket, batch, digest FROM ${MOVED_BUCKETS}`)

  /** A number may have several inserts: it counts once all of them are there. */
  async function send(batch: number, copy: CopyCalls): ReturnType<CopyCalls> {
    let rows: unknown[][] = []
    async function insert(): Promise<void> {
      if (rows.length > 0) await calls.insert('calls', CALL_COLUMNS, rows)
      rows = []
    }
    const digests = await copy(async (records) => {
      for (const record of records) {
        rows.push(toCallRow(toStorableRecord(record), { batch, sign: 1 }))
      }
      if (rows.length >= insertRows) await insert()
    })
    await insert()
    return digests
  }

  return {
    async prepare() {
      if (isBookEmpty) await requireNoRecords(database)
      await migrateClickhouse(calls, callsUrl)
      await database.run(MAKE_MOVED)
      await requireOwnCalls(calls, database, await readMoved())
    },
    async readMoved() {
      return new Map((await readMoved()).map(({ bucket, digest }) => [bucket, digest]))
    },
    /** Numbers with such a bucket do not count any more. */
    async takeBack(buckets) {
      const changed = new Set(buckets)
      const moved = await readMoved()
      const batches = new Set(
        moved.filter(({ bucket }) => changed.has(bucket)).map((one) => one.batch),
      )
      if (batches.size === 0) return
      await database.transact(async (sql) => {
        for (const batch of batches) {
          await sql.run('INSERT INTO hidden_batches VALUES (?, ?, now())', [batch, batch])
          await sql.run(`DELETE FROM ${MOVED_BUCKETS} WHERE batch = ?`, [batch])
        }
      })
    },
    async write(_, copy) {
      const batch = reserved ?? (await callBatches.take())
      reserved = null
      const digests = await send(batch, copy)
      reserved = await database.transact(async (sql) => {
        const { statements, next } = await callBatches.confirm(sql, batch)
        for (const { text, values } of statements) await sql.run(text, values)
        await sql.run(PUT_MOVED, [
          batch,
          toTextArray(digests.keys()),
          toTextArray(digests.values()),
        ])
        return next
      })
    },
    async readDigests() {
      const moment = await database.readSnapshot((sql) => readBatchCondition(callBatches, sql))
      const from = `calls WHERE ${moment} AND ${toIsMoved(await readMoved())}`
      return toDigests(await calls.all<DigestRow>(selectDigests(CLICKHOUSE_WORDS, from)))
    },
    finish: async (sql) => void (await sql.run(`DROP TABLE ${MOVED_BUCKETS}`)),
    close: () => calls.close(),
  }
}

/** Fails where the ClickHouse is not the one of this ledger database, or of the run before. */
async function requireOwnCalls(
  calls: ClickhouseDatabase,
  database: SqlDatabase,
  moved: readonly MovedBucket[],
): Promise<void> {
  const wanted = moved.reduce((sum, { digest }) => sum + Number.parseInt(digest, 10), 0)
  const book = await database.first<{ last: number }>('SELECT last_batch AS last FROM usage_state')
  const [found] = await calls.all<{ last: number; moved: number }>(
    `SELECT max(batch) AS last, countIf(${toIsMoved(moved)}) AS moved FROM calls`,
  )
  if ((found?.last ?? 0) > (book?.last ?? 0)) {
    throw new WeirError('store_unusable', `${calls.title} has calls of another Weir.`, {
      hint: 'Name an empty database. What is there was not changed.',
    })
  }
  if ((found?.moved ?? 0) === wanted) return
  throw new WeirError(
    'store_unusable',
    `${calls.title} has ${found?.moved ?? 0} of the ${wanted} calls that were moved before.`,
    {
      hint: `Name the ClickHouse of the run before. If its calls are lost, DROP TABLE ${MOVED_BUCKETS} in PostgreSQL begins again.`,
    },
  )
}

async function requireNoRecords(database: SqlDatabase): Promise<void> {
  if ((await database.first('SELECT 1 AS one FROM records LIMIT 1')) === null) return
  throw new WeirError('store_unusable', `${database.title} has calls already.`, {
    hint: 'Its move was begun without a ClickHouse. Leave --usage-to out, or begin with an empty database.',
  })
}

/** A condition on calls: there may be others, of nodes that have written there already. */
function toIsMoved(moved: readonly MovedBucket[]): string {
  const batches = new Set(moved.map(({ batch }) => batch))
  return batches.size === 0 ? 'FALSE' : `batch IN (${[...batches].join(', ')})`
}
