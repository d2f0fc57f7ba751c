// Takes the single calls of a Weir on PostgreSQL into ClickHouse; all else stays where it is. Must
// stay true: records are removed from PostgreSQL only once every one of them is in ClickHouse and
// counts there, under a lock that keeps others from storing any.

import { WeirError } from '../../../core/weir-error.ts'
import { MOVED_BUCKETS } from '../../ledger/postgres/calls-place.ts'
import { USAGE_SCHEMA } from '../../ledger/postgres/schema.ts'
import type { Sql } from '../../sql/sql.ts'
import { openPostgresDatabase } from '../database.ts'
import { LOCKS } from '../locks.ts'
import { migratePostgres } from '../migrate.ts'
import { createPostgresSource } from './call-source.ts'
import { readPostgresDigests } from './record-buckets.ts'
import { createCallMove, MOVE_STATEMENT_MS_MAX } from './record-move.ts'
import type { OnProgress } from './record-move.ts'

export interface CallsMoveOptions {
  /** The database of the book, which has the calls, too. */
  readonly usageUrl: string
  readonly callsUrl: string
}

export interface CallsMove {
  /** Beside a running Weir. Returns how many calls were copied. */
  copyRecords(nowMs: number, onProgress?: OnProgress): Promise<number>
  /** While Weir is stopped. Returns how many calls were moved in all. */
  finish(onProgress?: OnProgress): Promise<number>
  close(): Promise<void>
}

export async function openPostgresCallsMove(options: CallsMoveOptions): Promise<CallsMove> {
  const { usageUrl, callsUrl } = options
  const database = openPostgresDatabase({
    url: usageUrl,
    name: 'usage store',
    lock: LOCKS.usage,
    statementMsMax: MOVE_STATEMENT_MS_MAX,
  })
  const source = createPostgresSource(database)
  const records = createCallMove({ source, database, callsUrl, isBookEmpty: false })
  async function close(): Promise<void> {
    await records.close()
    await database.close()
  }
  try {
    await migratePostgres(database, USAGE_SCHEMA)
    await records.prepare()
  } catch (error) {
    await close()
    throw error
  }
  return {
    copyRecords: (nowMs, onProgress) => records.copy(nowMs, onProgress),
    async finish(onProgress) {
      await records.copy(null, onProgress)
      await records.check()
      return database.transact(async (sql) => {
        const moved = await removeRecords(sql, database.title)
        await records.finish(sql)
        return moved
      })
    },
    close,
  }
}

/** Nobody stores a record meanwhile: the digests are those of what is removed. */
async function removeRecords(sql: Sql, title: string): Promise<number> {
  await sql.run('LOCK TABLE records IN EXCLUSIVE MODE')
  const digests = await readPostgresDigests(sql)
  const rows = await sql.all<{ bucket: string; digest: string }>(
    `SELECT bucket, digest FROM ${MOVED_BUCKETS}`,
  )
  const moved = new Map(rows.map(({ bucket, digest }) => [bucket, digest]))
  let count = 0
  for (const [bucket, { calls, digest }] of digests) {
    if (moved.get(bucket) !== digest) {
      throw new WeirError('store_unusable', `${title} got calls while they were moved.`, {
        hint: 'Stop Weir on all nodes, then run this again: it goes on from where it was.',
      })
    }
    count += calls
  }
  await sql.run('TRUNCATE records')
  return count
}
