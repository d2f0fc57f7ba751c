// Takes the single calls of a Weir on PostgreSQL into ClickHouse; all else stays where it is. Must
// stay true: records are removed from PostgreSQL only once every one of them is in ClickHouse and
// counts there, under a lock that keeps others from storing any.

import { WeirError } from '../../../core/weir-error.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import { USAGE_SCHEMA } from '../../ledger/postgres/schema.ts'
import { openPostgresDatabase } from '../database.ts'
import { LOCKS } from '../locks.ts'
import { migratePostgres } from '../migrate.ts'
import { createCallSource } from './call-source.ts'
import { createClickhouseTarget } from './clickhouse-target.ts'
import { copyCalls, MOVE_STATEMENT_MS_MAX, requireSameCalls } from './copy-calls.ts'
import type { OnProgress } from './copy-calls.ts'

export interface CallsMoveOptions {
  /** The database of the ledger database, which has the calls, too. */
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
  const statementMsMax = MOVE_STATEMENT_MS_MAX
  const database = openPostgresDatabase({
    url: usageUrl,
    name: 'usage store',
    lock: LOCKS.usage,
    statementMsMax,
  })
  const source = createCallSource(database, 'postgres')
  const calls = openClickhouse({ url: callsUrl, statementMsMax })
  const target = createClickhouseTarget({ calls, callsUrl, database, isBookEmpty: false })
  async function close(): Promise<void> {
    await target.close()
    await database.close()
  }
  try {
    await migratePostgres(database, USAGE_SCHEMA)
    await target.prepare()
  } catch (error) {
    await close()
    throw error
  }
  return {
    copyRecords: (nowMs, onProgress) => copyCalls(source, target, { nowMs, onProgress }),
    async finish(onProgress) {
      await copyCalls(source, target, { nowMs: null, onProgress })
      await requireSameCalls(source, target)
      return database.transact(async (sql) => {
        // Nobody stores a record meanwhile: the digests are those of what is removed.
        await sql.run('LOCK TABLE records IN EXCLUSIVE MODE')
        const moved = await target.readMoved()
        let count = 0
        for (const [bucket, { calls: found, digest }] of await source.readDigests(sql)) {
          if (moved.get(bucket) !== digest) throw gotCalls(database.title)
          count += found
        }
        await sql.run('TRUNCATE records')
        await target.finish(sql)
        return count
      })
    },
    close,
  }
}

function gotCalls(title: string): WeirError {
  return new WeirError('store_unusable', `${title} got calls while they were moved.`, {
    hint: 'Stop Weir on all nodes, then run this again: it goes on from where it was.',
  })
}
