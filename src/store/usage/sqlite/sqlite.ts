// The usage store on SQLite. One transaction holds a batch's records, rollups, cursors, open
// calls, counted objects and what budgets spent: a kill at any moment leaves all of it or nothing. Must stay true: only
// a record that was really inserted is added to the rollups, so a batch that comes twice counts once.

import type { DatabaseSync } from 'node:sqlite'
import { WeirError } from '../../../core/weir-error.ts'
import { openingToText, usageEventToText } from '../../../core/usage-event-text.ts'
import { usageEventFromJson } from '../../../core/usage-event.ts'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { isStoreFault, openSqliteFile } from '../../sqlite/sqlite-file.ts'
import type { SqliteFile } from '../../sqlite/sqlite-file.ts'
import { createRollups } from '../rollup.ts'
import { createSqliteBudgets } from './sqlite-budget-ledger.ts'
import { createBudgetCounter } from './sqlite-budget-spend.ts'
import type { BudgetCounter } from './sqlite-budget-spend.ts'
import { createCountedWriter, readCounted } from './sqlite-counted.ts'
import { prepareCostRevision } from './sqlite-cost-changes.ts'
import { createSqliteDaySpend } from './sqlite-day-spend.ts'
import { MIGRATIONS } from './sqlite-migrations.ts'
import { createNames } from './sqlite-names.ts'
import { addSum, prepareAddition, ROLLUP_TABLES } from './sqlite-rollup-rows.ts'
import { createSqliteRequests } from './sqlite-requests.ts'
import { createSqliteSums } from './sqlite-sums.ts'
import { createSqliteUpkeep } from './sqlite-upkeep.ts'
import {
  fromRecordRow,
  INSERT_RECORD,
  parseIdBytes,
  SELECT_RECORD,
  toIdBytes,
  toRecordRow,
} from './sqlite-record-row.ts'
import type { Row } from './sqlite-record-row.ts'
import { UnstorableRecord } from '../usage-store.ts'
import type {
  CallTally,
  LedgerState,
  OpenCall,
  StoredCursor,
  UsageBatch,
  UsageStore,
} from '../usage-store.ts'

export interface SqliteUsageOptions {
  readonly file: string
  /** For processes that only ask: several may, beside the one that writes. */
  readonly readOnly?: boolean
}

// How long a statement waits for another process's transaction; a batch holds the lock for well
// under one second.
const BUSY_TIMEOUT_MS = 10_000
// Rollup rows of a batch lie all over their index. With SQLite's own 2 MiB of cache, and its log
// folded back every 1000 pages, the same pages are read and written again within each batch.
const CACHE_KIB = 65_536
const WAL_PAGES = 16_384
// While somebody reads one state of the file for long (a backup, a rebuild), the log cannot be folded back and grows.
// What it took beyond this is given back to the disk afterwards.
const WAL_BYTES_KEPT = 134_217_728

export function openSqliteUsage(options: SqliteUsageOptions): Promise<UsageStore> {
  const fixed = { name: 'usage store', migrations: MIGRATIONS, busyTimeoutMs: BUSY_TIMEOUT_MS }
  return openSqliteFile({ ...options, ...fixed }, (file) =>
    createStore(file, options.readOnly === true ? null : createWriter(file)),
  )
}

interface Writer {
  readonly counter: BudgetCounter
  readonly writeBatch: (batch: UsageBatch) => void
}

function createWriter(file: SqliteFile): Writer {
  const counter = createBudgetCounter(file)
  return { counter, writeBatch: createBatchWriter(file, counter) }
}

function createStore(file: SqliteFile, writer: Writer | null): UsageStore {
  const { database, title } = file
  const selectRecord = database.prepare(SELECT_RECORD)
  const readRevision = prepareCostRevision(file)
  const sumUp = createSqliteSums(file)

  function requireWriter(): Writer {
    if (writer !== null) return writer
    throw new WeirError('store_unusable', `${title} is open for reading only.`)
  }

  return {
    requests: createSqliteRequests(file),
    budgets: createSqliteBudgets(file, () => requireWriter().counter),
    daySpend: createSqliteDaySpend(file, { canWrite: writer !== null }),
    upkeep: createSqliteUpkeep(file),
    async write(batch) {
      requireWriter().writeBatch(batch)
    },
    async readLedgerState() {
      return readState(database)
    },
    async readCounted(objects) {
      return readCounted(database, objects)
    },
    async sum(question) {
      return sumUp(question)
    },
    async readCostRevision() {
      return readRevision()
    },
    async readRecord(id) {
      const bytes = parseIdBytes(id)
      const row = bytes === null ? undefined : selectRecord.get(bytes)
      return row === undefined ? null : fromRecordRow(row)
    },
    async check() {
      try {
        file.requireCurrent()
        file.prepare('SELECT COUNT(*) FROM cursors').first()
        return null
      } catch (error) {
        if (error instanceof WeirError) return error.message
        throw error
      }
    },
    async close() {
      file.close()
    },
  }
}

function createBatchWriter(file: SqliteFile, counter: BudgetCounter): Writer['writeBatch'] {
  const { database } = file
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${WAL_PAGES};
    PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`)
  const names = createNames(database)
  const insertRecord = database.prepare(INSERT_RECORD)
  const additions = ROLLUP_TABLES.map(
    ({ name, key, sumsOf }) => [prepareAddition(database, key, name), sumsOf] as const,
  )
  const insertOpen = database.prepare('INSERT OR REPLACE INTO open_calls VALUES (?, ?, ?, ?)')
  const deleteOpen = database.prepare('DELETE FROM open_calls WHERE id = ?')
  const addCounted = createCountedWriter(database)
  const putCursor = database.prepare('INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?, ?)')
  const putPrice = database.prepare('INSERT OR IGNORE INTO prices VALUES (?, ?)')
  const addTally = database.prepare(`UPDATE tally SET forwarded = forwarded + ?,
    recorded = recorded + ?, dead = dead + ?, records = records + ?`)

  /** False when it is there already. */
  function insert(record: UsageRecord): boolean {
    try {
      return insertRecord.run(...toRecordRow(record)).changes === 1
    } catch (error) {
      throw isStoreFault(error) ? error : new UnstorableRecord(record.event.id, error)
    }
  }

  /** Returns how many were not on record before: all of them, and of forwarded calls. */
  function writeRecords(records: readonly UsageRecord[]): { stored: number; recorded: number } {
    const rollups = createRollups()
    const budgets = counter.begin(records)
    let [stored, recorded] = [0, 0]
    for (const record of records) {
      if (!insert(record)) continue
      stored += 1
      rollups.add(record)
      budgets?.add(record)
      if (record.event.status !== 'denied') recorded += 1
    }
    for (const [addition, sumsOf] of additions) {
      for (const sum of sumsOf(rollups)) {
        addSum(addition, sum, names)
      }
    }
    budgets?.write()
    return { stored, recorded }
  }

  function writeRows(batch: UsageBatch): void {
    const { stored, recorded } = writeRecords(batch.records)
    for (const { worker, opening, held } of batch.opened) {
      const heldText = held === undefined ? null : usageEventToText(held)
      insertOpen.run(toIdBytes(opening.id), worker, openingToText(opening), heldText)
    }
    for (const id of batch.settledIds) deleteOpen.run(toIdBytes(id))
    addCounted(batch.counted)
    for (const { version, sheet } of batch.prices) putPrice.run(version, sheet)
    for (const { worker, segment, offset, sequence, forwarded } of batch.cursors) {
      putCursor.run(worker, segment, offset, sequence, forwarded)
    }
    addTally.run(batch.forwarded, recorded, batch.dead, stored)
  }

  return (batch) => {
    try {
      file.transact(() => writeRows(batch))
    } catch (error) {
      names.forget()
      throw error
    }
  }
}

// One read transaction, so that a batch written meanwhile is seen whole or not at all.
function readState(database: DatabaseSync): LedgerState {
  database.exec('BEGIN')
  try {
    const cursors = database.prepare('SELECT * FROM cursors').all()
    const calls = database.prepare('SELECT worker, opening, held FROM open_calls').all()
    const tally = database.prepare('SELECT forwarded, recorded, dead FROM tally').get()
    return {
      cursors: cursors.map((row) => ({ ...row }) as unknown as StoredCursor),
      openCalls: calls.map(toOpenCall),
      tally: { ...tally } as unknown as CallTally,
    }
  } finally {
    database.exec('COMMIT')
  }
}

function toOpenCall({ worker, opening, held }: Row): OpenCall {
  const call = { worker: worker as string, opening: JSON.parse(opening as string) }
  return typeof held === 'string' ? { ...call, held: usageEventFromJson(JSON.parse(held)) } : call
}
