// The two places that records are moved to: the database of their sums, or a ClickHouse beside it.

import type { DatabaseSync } from 'node:sqlite'
import { WeirError } from '../../../core/weir-error.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import { migrateClickhouse } from '../../clickhouse/schema.ts'
import { createPostgresCallsBook } from '../../ledger/postgres/calls-book.ts'
import { MOVED_BUCKETS, requireCallsHere } from '../../ledger/postgres/calls-place.ts'
import { createPartitions } from '../../ledger/postgres/partitions.ts'
import type { Sql } from '../../sql/sql.ts'
import type { PostgresDatabase } from '../database.ts'
import type { CallSource } from './call-source.ts'
import {
  createCallsMover,
  makeMovedBuckets,
  requireOwnCalls,
  requireSameCalls,
} from './move-calls.ts'
import { moveRecords } from './move-records.ts'
import type { MoveProgress } from './move-records.ts'
import { listDifferentBuckets } from './record-buckets.ts'

/** A look at all records takes longer than any statement otherwise may. */
export const MOVE_STATEMENT_MS_MAX = 600_000
/** Calls of the last minutes may still come while Weir runs: their buckets are left for the end. */
const OPEN_MS = 1_800_000

export type OnProgress = (progress: MoveProgress) => void

export interface RecordMove {
  /** Makes what is missing. Fails where the target is another's. */
  prepare(): Promise<void>
  /** Returns how many records were copied. `nowMs` is null once no more come. */
  copy(nowMs: number | null, onProgress?: OnProgress): Promise<number>
  /** Fails where the target does not have the same records now. */
  check(): Promise<void>
  /** With the commit of this, the move is over. */
  finish(sql: Sql): Promise<void>
  close(): Promise<void>
}

export function createRecordMove(source: DatabaseSync, target: PostgresDatabase): RecordMove {
  const partitions = createPartitions(target)
  return {
    prepare: () => requireCallsHere(target),
    copy: (_, onProgress) =>
      moveRecords(source, target, {
        makePartitions: ({ fromMs, toMs }) => partitions.ensure([fromMs, toMs]),
        ...(onProgress === undefined ? {} : { onProgress }),
      }),
    async check() {
      const left = await listDifferentBuckets(source, target)
      if (left.length > 0) throw new Error(`${left.length} buckets of calls differ after copying`)
    },
    finish: async () => {},
    close: async () => {},
  }
}

export interface CallMoveOptions {
  readonly source: CallSource
  /** Of the book. */
  readonly database: PostgresDatabase
  readonly callsUrl: string
  /** False where the database is the source. */
  readonly isBookEmpty: boolean
}

export function createCallMove(options: CallMoveOptions): RecordMove {
  const { source, database, callsUrl, isBookEmpty } = options
  const calls = openClickhouse({ url: callsUrl, statementMsMax: MOVE_STATEMENT_MS_MAX })
  const target = { calls, database, book: createPostgresCallsBook(database) }
  const move = createCallsMover(source, target)
  return {
    async prepare() {
      if (isBookEmpty) await requireNoRecords(database)
      await migrateClickhouse(calls, callsUrl)
      await makeMovedBuckets(database)
      await requireOwnCalls(target)
    },
    copy: (nowMs, onProgress) =>
      move({ beforeMs: nowMs === null ? Infinity : nowMs - OPEN_MS, onProgress }),
    check: () => requireSameCalls(source, target),
    finish: async (sql) => void (await sql.run(`DROP TABLE ${MOVED_BUCKETS}`)),
    close: () => calls.close(),
  }
}

async function requireNoRecords(database: PostgresDatabase): Promise<void> {
  if ((await database.first('SELECT 1 AS one FROM records LIMIT 1')) === null) return
  throw new WeirError('store_unusable', `${database.title} has calls already.`, {
    hint: 'Its move was begun without a ClickHouse. Leave --usage-to out, or begin with an empty database.',
  })
}
