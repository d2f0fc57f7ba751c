// What calls that are kept elsewhere need of the ledger database, on PostgreSQL.

import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import { POSTGRES } from '../../usage/postgres/dialect.ts'
import { readPrices } from '../../usage/sql/log/requests.ts'
import { removeSessionSums } from '../../usage/sql/retention.ts'
import { readScope } from '../../usage/sql/scope.ts'
import type { BatchRange, CallBatches, CountedBatches } from '../call-batches.ts'
import { createBatchNumbers, HIDE } from './batch-numbers.ts'

/** Longer than any batch is being written: what is older was given up. */
const GIVEN_UP_MINUTES = 60
/** A process that was stopped might still send its rows: they must not count, so long after. */
const OLD_DAYS = 30

const LAST = 'SELECT last_batch AS batch FROM usage_state'
const IS_HIDDEN =
  'SELECT 1 AS one FROM hidden_batches WHERE first_batch = ? AND last_batch = first_batch'
const COUNT = 'DELETE FROM hidden_batches WHERE first_batch = ?'
// In one statement, as every question begins with it.
const BATCHES = `SELECT last_batch AS last,
  (SELECT json_agg(json_build_object('from', first_batch, 'to', last_batch) ORDER BY first_batch)
    FROM hidden_batches) AS hidden
  FROM usage_state`
const GIVEN_UP = `SELECT first_batch AS "from", last_batch AS "to",
    at < now() - interval '${OLD_DAYS} days' AS "isOld"
  FROM hidden_batches WHERE at < now() - interval '${GIVEN_UP_MINUTES} minutes'`
const REMOVED =
  'UPDATE usage_state SET removed_before = GREATEST(COALESCE(removed_before, 0), ?::bigint)'
const SUMS = 'SELECT call_sums AS sums FROM usage_state'
const REPLACE_SUMS = 'UPDATE usage_state SET call_sums = ? WHERE call_sums IS NOT DISTINCT FROM ?'

interface BatchesRow {
  readonly last: number
  readonly hidden: readonly BatchRange[] | null
}

export function createPostgresCallBatches(database: SqlDatabase): CallBatches {
  const numbers = createBatchNumbers(database)
  return {
    readSnapshot: (read) => database.readSnapshot(read),
    async readBatches(sql): Promise<CountedBatches> {
      const row = await sql.first<BatchesRow>(BATCHES)
      return { last: row?.last ?? 0, hidden: row?.hidden ?? [] }
    },
    take: () => numbers.take(),
    findLastBy: (readLast) => numbers.findLastBy(readLast),
    async skip(last) {
      if (last <= (await readNumber(database, LAST))) return
      await database.transact(async (sql) => {
        const known = await readNumber(sql, LAST)
        if (last <= known) return
        await sql.run(HIDE, [known + 1, last])
        await sql.run('UPDATE usage_state SET last_batch = ?', [last])
      })
    },
    async confirm(sql, batch, { isLast = false } = {}) {
      if ((await sql.first(IS_HIDDEN, [batch])) === null) {
        throw new StoreBusy(`The number ${batch} of a batch is too old to be used.`)
      }
      const count = { text: COUNT, values: [batch] }
      if (isLast) return { statements: [count], next: null }
      const next = await numbers.next(sql)
      return { statements: [count, { text: HIDE, values: [next, next] }], next }
    },
    listGivenUp: () => database.all(GIVEN_UP),
    async forget({ from }) {
      await database.transact((sql) => sql.run(COUNT, [from]))
    },
    readKeptFrom: async (sql) => (await readScope(sql)).fromMs,
    async markRemoved(beforeMs) {
      await database.transact(async (sql) => {
        await sql.run(REMOVED, [beforeMs])
        await removeSessionSums(sql, beforeMs)
      })
    },
    async readSums(sql) {
      return (await sql.first<{ sums: string | null }>(SUMS))?.sums ?? null
    },
    replaceSums: async (before, after) =>
      (await database.transact((sql) => sql.run(REPLACE_SUMS, [after, before]))) === 1,
    readPrices: (versions) => readPrices(database, versions, POSTGRES),
  }
}

async function readNumber(sql: Sql, text: string): Promise<number> {
  return (await sql.first<{ batch: number }>(text))?.batch ?? 0
}
