// Removes old records: whole months by dropping their partition, the days of the month that is cut
// a few rows at a time. Must stay true: sums by day and month stay, and what removes a record also
// stores from which day records are complete.

import { StoreBusy } from '../../store-busy.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import type { Sql } from '../../sql/sql.ts'
import { LONG_MS } from '../sql/log/log-parts.ts'
import { toTimeBytes } from '../sql/log/request-filter.ts'
import { toNumber } from '../sql/period-ranges.ts'
import { markRemoved, removeRecords, requireMidnight } from '../sql/retention.ts'
import { POSTGRES } from './dialect.ts'

/** Questions and batches queue behind whoever waits for the lock of the table. */
const LOCK_MS_MAX = 200
/** Of hundreds of millions of rows. */
const COUNT_MS_MAX = 600_000
/** Of a month that is out of `records` and not counted yet. */
const REMOVED = 'removed_'

export interface RemovalOptions {
  readonly rowsMax: number
  readonly lockMsMax?: number
}

/** Returns how many went; more than `rowsMax` where whole months did. */
export async function removeWithMonths(
  database: PostgresDatabase,
  beforeMs: number,
  { rowsMax, lockMsMax = LOCK_MS_MAX }: RemovalOptions,
): Promise<number> {
  requireMidnight(beforeMs)
  let removed = 0
  try {
    for (const month of await listOldMonths(database, beforeMs)) {
      await database.changeWithoutWaiting(async (sql) => {
        await lockRecords(sql, lockMsMax)
        await detach(sql, month, beforeMs)
      })
    }
    removed += await dropDetached(database)
  } catch (error) {
    // Someone reads or writes the table right now: the next time will do.
    if (error instanceof StoreBusy) return removed
    throw error
  }
  return removed + (await removeRecords(database, beforeMs, { rowsMax, dialect: POSTGRES }))
}

interface MonthTable {
  readonly name: string
  readonly oid: number
}

/** Partitions of `records` by month that end by then, oldest first. */
async function listOldMonths(sql: Sql, beforeMs: number): Promise<readonly MonthTable[]> {
  const rows = await sql.all<MonthTable>(
    `SELECT relname AS name, inhrelid::bigint AS oid FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'records'::regclass AND relname ~ '^records_[0-9]{6}$' ORDER BY relname`,
  )
  const month = `records_${toNumber(beforeMs, 'month')}`
  return rows.filter(({ name }) => name < month)
}

/**
 * The table first, the store's lock then, as batches have it: the other way round both would wait
 * for each other. Late calls wait as well, so none comes between the look and the removal.
 */
async function lockRecords(sql: Sql, lockMsMax: number): Promise<void> {
  await sql.run(`SET LOCAL lock_timeout = ${lockMsMax}`)
  await sql.run('LOCK TABLE ONLY records IN ACCESS EXCLUSIVE MODE')
  await sql.first(`SELECT pg_advisory_xact_lock(${LOCKS.usage})`)
}

/** Takes the month out of `records`, unless a call of it ended later. */
async function detach(sql: Sql, { name, oid }: MonthTable, beforeMs: number): Promise<void> {
  const late = await sql.first(
    `SELECT 1 FROM ${name} WHERE id_away AND ended_at >= :before
      UNION ALL SELECT 1 FROM ${name} WHERE id >= :near AND ended_at >= :before LIMIT 1`,
    { before: beforeMs, near: POSTGRES.toId(toTimeBytes(beforeMs - LONG_MS)) },
  )
  if (late !== null) return
  await sql.run(`ALTER TABLE records DETACH PARTITION ${name}`)
  await sql.run(`ALTER TABLE ${name} RENAME TO ${REMOVED}${oid}`)
  await markRemoved(sql, beforeMs, 0)
}

/** Counting takes a while, so it is done when nobody uses the rows any more. */
async function dropDetached(database: PostgresDatabase): Promise<number> {
  const tables = await database.all<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '^${REMOVED}[0-9]+$'
      AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'records'::regclass)`,
  )
  let removed = 0
  for (const { name } of tables) removed += await dropTable(database, name)
  return removed
}

async function dropTable(database: PostgresDatabase, name: string): Promise<number> {
  const text = `SELECT COUNT(*) AS rows FROM ${name}`
  const rows = await database.withClient(async (client) => {
    // The driver's types lack the option of a single query.
    const asked: { text: string } = Object.assign({ text }, { query_timeout: COUNT_MS_MAX })
    return Number((await client.query<{ rows: number }>(asked)).rows[0]?.rows)
  })
  return database.transact(async (sql) => {
    // Another node may have dropped and counted it meanwhile.
    const found = await sql.first<{ name: string | null }>('SELECT to_regclass(?)::text AS name', [
      name,
    ])
    if (found?.name === null) return 0
    await sql.run(`DROP TABLE ${name}`)
    await sql.run('UPDATE usage_state SET records = records - ?', [rows])
    return rows
  })
}
