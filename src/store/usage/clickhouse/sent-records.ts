// How the records of a batch come into ClickHouse: under a number that counts once the ledger
// database's transaction is committed. After any doubt another number is taken, so nothing has to
// be looked for, and what arrives late never counts. Must stay true: rows are sent under a number
// once.

import type { Clock } from '../../../core/clock.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import { NO_RECORDS } from '../../ledger/batch-records.ts'
import type { BatchRecords } from '../../ledger/batch-records.ts'
import type { CallBatches, CountedBatches } from '../../ledger/call-batches.ts'
import { CALL_COLUMNS, fromIdHex, toCallRow } from './call-columns.ts'
import { toBatchCondition, toConditionSince } from './batch-condition.ts'
import type { BatchCondition } from './batch-condition.ts'

/** The journal repeated calls that are stored. */
class StoredAlready extends Error {
  readonly ids: ReadonlySet<string>

  constructor(ids: readonly string[]) {
    super(`${ids.length} calls of the batch are stored already.`)
    this.ids = new Set(ids)
  }
}

/** Far below the age at which upkeep forgets one, see call-batches.ts. */
const RESERVED_MS_MAX = 600_000

export interface SentRecordsOptions {
  readonly callBatches: CallBatches
  readonly clock: Pick<Clock, 'monotonic'>
}

export function createSentRecords(
  calls: ClickhouseDatabase,
  { callBatches, clock }: SentRecordsOptions,
): BatchRecords {
  /** Nothing was sent under it. */
  let reserved: { readonly batch: number; readonly atMs: number } | null = null
  let stored: ReadonlySet<string> = new Set()
  let isAnswering = false

  async function takeNumber(): Promise<number> {
    // While it is away, no numbers are used up.
    if (!isAnswering) await calls.all('SELECT 1')
    isAnswering = false
    const known = reserved
    reserved = null
    const isFresh = known !== null && clock.monotonic() - known.atMs < RESERVED_MS_MAX
    return isFresh ? known.batch : callBatches.take()
  }

  return {
    async prepare(records) {
      if (records.length === 0) return NO_RECORDS
      const batch = await takeNumber()
      const rows = records.map((record) => toCallRow(record, { batch, sign: 1 }))
      let next: number | null = null
      let checked: CountedBatches = { last: 0, hidden: [] }
      return {
        async begin(connection, text) {
          await calls.insert('calls', CALL_COLUMNS, rows)
          checked = await callBatches.readSnapshot((sql) => callBatches.readBatches(sql))
          await requireNew(calls, { batch, moment: toBatchCondition(checked) })
          await connection.query(text)
        },
        async confirm(sql) {
          // First, before another number is reserved.
          const counted = await callBatches.readBatches(sql)
          const confirmation = await callBatches.confirm(sql, batch)
          const moment = toConditionSince(checked, counted)
          if (moment !== null) await requireNew(calls, { batch, moment })
          next = confirmation.next
          return confirmation.statements
        },
        committed() {
          isAnswering = true
          if (next !== null) reserved = { batch: next, atMs: clock.monotonic() }
        },
      }
    },
    async withoutStored(records) {
      return records.filter(({ event }) => !stored.has(event.id))
    },
    isRepeat(error) {
      if (!(error instanceof StoredAlready)) return false
      stored = error.ids
      return true
    },
    recover: () => false,
  }
}

/**
 * After a restore of the ledger database to an earlier moment, calls may have numbers that it never
 * gave. What is restored is some days old, and calls are dated by when they were found to have
 * ended.
 */
export async function readLastBatch(calls: ClickhouseDatabase): Promise<number> {
  const [row] = await calls.all<{ last: number }>(
    'SELECT max(batch) AS last FROM calls WHERE month >= toYYYYMM(now() - INTERVAL 32 DAY)',
  )
  return row?.last ?? 0
}

/**
 * No call of the batch is in one that counts. Nearly all of them are looked through before the lock
 * is taken, and under it those that others have stored since: they are few, and found by number.
 */
async function requireNew(
  calls: ClickhouseDatabase,
  { batch, moment }: { readonly batch: number; readonly moment: BatchCondition },
): Promise<void> {
  const rows = await calls.all<{ hex: string }>(
    `SELECT DISTINCT hex(id) AS hex FROM calls WHERE ${moment}
      AND id IN (SELECT id FROM calls WHERE batch = ${batch})`,
  )
  if (rows.length > 0) throw new StoredAlready(rows.map(({ hex }) => fromIdHex(hex)))
}
