// Gives out the numbers of batches whose calls are kept elsewhere, on PostgreSQL. Must stay true: a
// number is given out in the epoch that the ledger database names only. In another one the ledger
// database may be of an earlier moment: numbers then go on behind all that were used, and what lies
// between never counts.

import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'

/** Numbers that were given out and had no rows yet, or a row on its way: a few a process. */
const UNSEEN_NUMBERS_MAX = 10_000
/** Each is for an epoch that changed meanwhile. */
const ATTEMPTS_MAX = 5

export const HIDE = 'INSERT INTO hidden_batches (first_batch, last_batch, at) VALUES (?, ?, now())'

export interface BatchNumbers {
  /** Hidden, in a commit of its own. */
  take(): Promise<number>
  /** Under the lock. Not hidden yet. */
  next(sql: Sql): Promise<number>
  findLastBy(readLast: () => Promise<number>): void
}

export function createBatchNumbers(database: SqlDatabase): BatchNumbers {
  const { sql: epoch } = database.epoch
  const NEXT = `UPDATE usage_state SET last_batch = last_batch + 1 WHERE epoch = ${epoch}
    RETURNING last_batch AS batch`
  const OF_ANOTHER = `SELECT last_batch AS batch, epoch IS NULL AS "isNew" FROM usage_state
    WHERE epoch IS DISTINCT FROM ${epoch}`
  const BEGIN = `UPDATE usage_state SET last_batch = ?, epoch = ${epoch}`
  let readLast: () => Promise<number> = async () => 0

  /** Null in an epoch that the ledger database does not name. */
  async function findNext(sql: Sql): Promise<number | null> {
    return (await sql.first<{ batch: number }>(NEXT))?.batch ?? null
  }

  function takeOnce(): Promise<number | null> {
    return database.transact(async (sql) => {
      const batch = await findNext(sql)
      if (batch !== null) await sql.run(HIDE, [batch, batch])
      return batch
    })
  }

  async function begin(): Promise<void> {
    const used = await readLast()
    await database.transact(async (sql) => {
      const book = await sql.first<{ batch: number; isNew: boolean }>(OF_ANOTHER)
      // Another process has begun it.
      if (book === null) return
      const last = Math.max(book.batch, used) + (book.isNew ? 0 : UNSEEN_NUMBERS_MAX)
      if (last > book.batch) await sql.run(HIDE, [book.batch + 1, last])
      await sql.run(BEGIN, [last])
    })
  }

  return {
    async take() {
      for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts += 1) {
        const batch = await takeOnce()
        if (batch !== null) return batch
        await begin()
      }
      throw new StoreBusy(`${database.title} is another one again and again.`)
    },
    async next(sql) {
      const batch = await findNext(sql)
      if (batch !== null) return batch
      throw new StoreBusy(`${database.title} is another one than before.`)
    },
    findLastBy(read) {
      readLast = read
    },
  }
}
