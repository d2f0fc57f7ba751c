// The records of a SQLite store, bucket by bucket. Must stay true: a bucket is replaced as a whole
// in one transaction, so that a run that is cut short leaves whole buckets only, and the next one
// copies what is missing or has changed since.

import type { DatabaseSync } from 'node:sqlite'
import { RECORD_COLUMNS, toIdBytes } from '../../usage/sql/record-row.ts'
import { SQLITE } from '../../usage/sqlite/dialect.ts'
import type { PostgresDatabase } from '../database.ts'
import { copyRows } from './copy-rows.ts'
import type { CopiedValue } from './copy-rows.ts'
import { listDifferentBuckets, timesOf, toRange } from './record-buckets.ts'
import type { Bucket } from './record-buckets.ts'

export interface MoveProgress {
  readonly copied: number
  /** Buckets of 17.5 minutes. */
  readonly done: number
  readonly wanted: number
}

export interface MoveRecordsOptions {
  /** Makes the partitions for the ids of a span. */
  readonly makePartitions: (times: {
    readonly fromMs: number
    readonly toMs: number
  }) => Promise<void>
  readonly onProgress?: (progress: MoveProgress) => void
}

const [ID, ENDED, COST] = ['id', 'ended_at', 'cost_pico'].map((name) =>
  (RECORD_COLUMNS as readonly string[]).indexOf(name),
) as [number, number, number]
const COLUMNS = RECORD_COLUMNS.map((name) => (name === 'dims' ? SQLITE.dims : name)).join(', ')
/** More than this before its end, a call's id is away from it: see the schema. */
const AWAY_MS = 600_000n

/** Returns how many records were copied. */
export async function moveRecords(
  source: DatabaseSync,
  target: PostgresDatabase,
  options: MoveRecordsOptions,
): Promise<number> {
  const buckets = await listDifferentBuckets(source, target)
  let copied = 0
  for (const [at, bucket] of buckets.entries()) {
    await options.makePartitions(timesOf(bucket))
    copied += await moveBucket(source, target, bucket)
    options.onProgress?.({ copied, done: at + 1, wanted: buckets.length })
  }
  return copied
}

async function moveBucket(
  source: DatabaseSync,
  target: PostgresDatabase,
  bucket: Bucket,
): Promise<number> {
  const { isIn, ids } = toRange(bucket)
  const select = source.prepare(`SELECT ${COLUMNS} FROM records WHERE ${isIn}`)
  select.setReadBigInts(true)
  select.setReturnArrays(true)
  function* rows(): Generator<CopiedValue[]> {
    for (const row of select.iterate(...ids.map(toIdBytes))) {
      yield toTargetRow(row as unknown as CopiedValue[])
    }
  }
  return target.withClient(async (client) => {
    await client.query('BEGIN')
    await client.query(`DELETE FROM records WHERE ${toNumbered(isIn)}`, [...ids])
    const columns = [...RECORD_COLUMNS, 'id_away']
    const copied = await copyRows(client, { table: 'records', columns, rows: rows() })
    const { command } = await client.query('COMMIT')
    if (command !== 'COMMIT') throw new Error(`the records of ${bucket} were not copied`)
    return copied
  })
}

function toTargetRow(row: CopiedValue[]): CopiedValue[] {
  const id = Buffer.from(row[ID] as Uint8Array)
  const sinceId = (row[ENDED] as bigint) - BigInt(id.readUIntBE(0, 6))
  const cost = row[COST]
  const values = [...row]
  values[ID] = id.toString('hex')
  // Digits after a # are a cost beyond 2^63.
  if (typeof cost === 'string') values[COST] = cost.slice(1)
  return [...values, sinceId > AWAY_MS || sinceId < 0n ? 't' : null]
}

function toNumbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}
