// The partitions of `records`: one for each month of the ids' times, made before a batch needs
// them. Ids whose clock was far off are in one before the first month and one after the last, so
// that there is a place for every id and no end of tables. Must stay true: two nodes that make the
// same one at once both succeed.

import type { Sql, SqlDatabase } from '../../sql/sql.ts'

const FIRST_MONTH = '2020-01'
const END_MONTH = '2100-01'
/** At the turn of a month no node then waits for a table, and there is a week to make it. */
const AHEAD_MS = 7 * 86_400_000

export interface Partition {
  readonly name: string
  /** The ids in it: from the first, up to but without the second. */
  readonly from: string
  readonly to: string
}

/** The partition of an id whose time is `ms`. */
export function toPartition(ms: number): Partition {
  if (ms < startOf(FIRST_MONTH)) {
    return { name: 'records_early', from: 'MINVALUE', to: toBound(startOf(FIRST_MONTH)) }
  }
  if (ms >= startOf(END_MONTH)) {
    return { name: 'records_late', from: toBound(startOf(END_MONTH)), to: 'MAXVALUE' }
  }
  const at = new Date(ms)
  const [from, to] = [0, 1].map((more) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + more))
  const name = `records_${at.toISOString().slice(0, 7).replace('-', '')}`
  return { name, from: toBound(from as number), to: toBound(to as number) }
}

function startOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`)
}

/** The least id of a moment, quoted. */
function toBound(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `'${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000'`
}

export interface Partitions {
  /** Makes those that are missing, and those that are needed in a week. `times` are of ids. */
  ensure(times: Iterable<number>): Promise<void>
  /** To be called when a write found none: retention may have removed it. */
  forget(): void
}

export function createPartitions(database: SqlDatabase): Partitions {
  const known = new Set<string>()
  return {
    async ensure(times) {
      const missing = new Map<string, Partition>()
      for (const ms of times) {
        for (const partition of [toPartition(ms), toPartition(ms + AHEAD_MS)]) {
          if (!known.has(partition.name)) missing.set(partition.name, partition)
        }
      }
      if (missing.size === 0) return
      await ensurePartitions(database, [...missing.values()])
      for (const name of missing.keys()) known.add(name)
    },
    forget: () => known.clear(),
  }
}

/** Attached, not created in place: that would lock out readers and writers of all others. */
export async function ensurePartitions(
  database: SqlDatabase,
  partitions: readonly Partition[],
): Promise<void> {
  const missing = await listMissing(database, partitions)
  if (missing.length === 0) return
  // Under the store's lock, and looked at again there.
  await database.transact(async (sql) => {
    for (const { name, from, to } of await listMissing(sql, missing)) {
      await sql.run(`CREATE TABLE ${name} (LIKE records INCLUDING ALL)`)
      await sql.run(
        `ALTER TABLE records ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`,
      )
    }
  })
}

async function listMissing(
  sql: Sql,
  partitions: readonly Partition[],
): Promise<readonly Partition[]> {
  const rows = await sql.all<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'records'::regclass`,
  )
  const names = new Set(rows.map(({ name }) => name))
  return partitions.filter(({ name }) => !names.has(name))
}
