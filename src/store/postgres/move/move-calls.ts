// Single calls into ClickHouse, under numbers that count once their calls are there (decision
// 0049). Must stay true: the book says in one commit which buckets a number has and that it counts;
// a run that is cut short leaves a number that never will, and the next one copies those buckets
// under another.

import { WeirError } from '../../../core/weir-error.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import type { CallsBook } from '../../ledger/calls-book.ts'
import { toTextArray } from '../array-text.ts'
import { MOVED_BUCKETS } from '../../ledger/postgres/calls-place.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { CALL_COLUMNS, toCallRow } from '../../usage/clickhouse/call-columns.ts'
import { readMoment } from '../../usage/clickhouse/moment.ts'
import { toStorableRecord } from '../../usage/postgres/storable-record.ts'
import { toMonthText } from './call-source.ts'
import type { CallSource, MonthSums } from './call-source.ts'
import type { MoveProgress } from './move-records.ts'
import { timesOf } from './record-buckets.ts'
import type { Bucket, Digests } from './record-buckets.ts'

export interface CallsTarget {
  readonly calls: ClickhouseDatabase
  readonly book: CallsBook
  /** The database of the book. */
  readonly database: SqlDatabase
}

export interface MoveCallsOptions {
  /** Buckets that end later are left for another run: calls of theirs may still be to come. */
  readonly beforeMs: number
  readonly onProgress?: ((progress: MoveProgress) => void) | undefined
}

/** Under one number. More would be copied again when one bucket of them has changed. */
const GROUP_CALLS = 100_000
const INSERT_ROWS = 10_000

export async function makeMovedBuckets(sql: Sql): Promise<void> {
  await sql.run(`CREATE TABLE IF NOT EXISTS ${MOVED_BUCKETS} (
    bucket TEXT PRIMARY KEY, batch BIGINT NOT NULL, digest TEXT NOT NULL)`)
}

const PUT_MOVED = `INSERT INTO ${MOVED_BUCKETS} (batch, bucket, digest)
  SELECT ?::bigint, * FROM unnest(?::text[], ?::text[])`

/** Returns how many calls were copied. */
export type MoveCalls = (options: MoveCallsOptions) => Promise<number>

/** A number may have several inserts: it counts once all of them are there. */
export function createCallsMover(
  source: CallSource,
  target: CallsTarget,
  { insertRows = INSERT_ROWS }: { readonly insertRows?: number } = {},
): MoveCalls {
  const writeGroup = createGroupWriter(source, target, insertRows)
  return async ({ beforeMs, onProgress }) => {
    const digests = await source.readDigests()
    await hideChanged(target, digests)
    const moved = new Set((await readMoved(target.database)).map(({ bucket }) => bucket))
    const due = [...digests.keys()]
      .filter((bucket) => !moved.has(bucket) && timesOf(bucket).toMs < beforeMs)
      .toSorted()
    let copied = 0
    let done = 0
    for (const group of toGroups(due, digests)) {
      copied += await writeGroup(group)
      done += group.length
      onProgress?.({ copied, done, wanted: due.length })
    }
    return copied
  }
}

/** Fails where the ClickHouse is not the one of this book, or of the run before. */
export async function requireOwnCalls({ calls, database }: CallsTarget): Promise<void> {
  const moved = await readMoved(database)
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

/** Fails where the calls that count in ClickHouse are others than the source's. */
export async function requireSameCalls(source: CallSource, target: CallsTarget): Promise<void> {
  const [wanted, there] = [await source.sumMonths(), await sumMoved(target)]
  const months = [...new Set([...wanted.keys(), ...there.keys()])].toSorted(
    (one, other) => one - other,
  )
  const different = months.filter((month) => wanted.get(month) !== there.get(month))
  const [first] = different
  if (first === undefined) return
  const [before, after] = [wanted, there].map((sums) => sums.get(first) ?? 'no calls')
  throw new WeirError(
    'store_unusable',
    `${different.length} months of calls differ in ClickHouse: ${first} has ${before}, there ${after}.`,
    { hint: 'The calls are where they were, unchanged. Report this.' },
  )
}

interface MovedBucket {
  readonly bucket: Bucket
  readonly batch: number
  readonly digest: string
}

function readMoved(database: SqlDatabase): Promise<MovedBucket[]> {
  return database.all<MovedBucket>(`SELECT bucket, batch, digest FROM ${MOVED_BUCKETS}`)
}

/** Numbers with a bucket that has changed since do not count any more, and are copied again. */
async function hideChanged({ database }: CallsTarget, digests: Digests): Promise<void> {
  const moved = await readMoved(database)
  const changed = new Set(
    moved.flatMap(({ bucket, batch, digest }) =>
      digests.get(bucket)?.digest === digest ? [] : [batch],
    ),
  )
  if (changed.size === 0) return
  await database.transact(async (sql) => {
    for (const batch of changed) {
      await sql.run('INSERT INTO hidden_batches VALUES (?, ?, now())', [batch, batch])
      await sql.run(`DELETE FROM ${MOVED_BUCKETS} WHERE batch = ?`, [batch])
    }
  })
}

function* toGroups(buckets: readonly Bucket[], digests: Digests): Generator<readonly Bucket[]> {
  let group: Bucket[] = []
  let calls = 0
  for (const bucket of buckets) {
    group.push(bucket)
    calls += digests.get(bucket)?.calls ?? 0
    if (calls < GROUP_CALLS) continue
    yield group
    group = []
    calls = 0
  }
  if (group.length > 0) yield group
}

function createGroupWriter(source: CallSource, target: CallsTarget, insertRows: number) {
  const { calls, book, database } = target
  /** Nothing was sent under it. */
  let reserved: number | null = null

  async function confirm(
    batch: number,
    digests: ReadonlyMap<Bucket, string>,
  ): Promise<number | null> {
    return database.transact(async (sql) => {
      const { statements, next } = await book.confirm(sql, batch)
      for (const { text, values } of statements) await sql.run(text, values)
      await sql.run(PUT_MOVED, [batch, toTextArray(digests.keys()), toTextArray(digests.values())])
      return next
    })
  }

  return async (group: readonly Bucket[]): Promise<number> => {
    const batch = reserved ?? (await book.take())
    reserved = null
    let rows: unknown[][] = []
    let count = 0
    async function insert(): Promise<void> {
      if (rows.length > 0) await calls.insert('calls', CALL_COLUMNS, rows)
      count += rows.length
      rows = []
    }
    const digests = await source.copy(group, async (records) => {
      for (const record of records) {
        rows.push(toCallRow(toStorableRecord(record), { batch, sign: 1 }))
      }
      if (rows.length >= insertRows) await insert()
    })
    await insert()
    reserved = await confirm(batch, digests)
    return count
  }
}

async function sumMoved({ calls, book, database }: CallsTarget): Promise<MonthSums> {
  const moment = await database.readTogether((sql) => readMoment(book, sql))
  const rows = await calls.all<{ month: number; found: number; cost: string }>(
    `SELECT month, sum(sign) AS found, toString(sum(ifNull(cost_pico, 0) * sign)) AS cost
      FROM calls WHERE ${moment} AND ${toIsMoved(await readMoved(database))} GROUP BY month`,
  )
  return new Map(rows.map(({ month, found, cost }) => [month, toMonthText(found, cost)]))
}

/** A condition on calls: there may be others, of nodes that have written there already. */
function toIsMoved(moved: readonly MovedBucket[]): string {
  const batches = new Set(moved.map(({ batch }) => batch))
  return batches.size === 0 ? 'FALSE' : `batch IN (${[...batches].join(', ')})`
}
