// The usage store on SQLite. One transaction holds a batch's records, rollups, cursors, open
// calls and counted objects: a kill at any moment leaves all of it or nothing. Must stay true: only a record that was
// really inserted is added to the rollups, so a batch that comes twice counts once.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { WeirError } from '../../core/weir-error.ts'
import { openSqliteFile } from '../sqlite-file.ts'
import type { SqliteFile } from '../sqlite-file.ts'
import { createRollups } from './rollup.ts'
import type { RollupSum } from './rollup.ts'
import { createCountedWriter, readCounted } from './sqlite-counted.ts'
import { MIGRATIONS } from './sqlite-migrations.ts'
import { createNames } from './sqlite-names.ts'
import type { Names } from './sqlite-names.ts'
import { fromSumRow, toPeriodNumber, toSumQuery } from './sqlite-question.ts'
import {
  fromRecordRow,
  INSERT_RECORD,
  parseIdBytes,
  SELECT_RECORD,
  toIdBytes,
  toRecordRow,
} from './sqlite-record-row.ts'
import type { LedgerState, OpenCall, StoredCursor, UsageBatch, UsageStore } from './usage-store.ts'

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
const PICO = 10n ** 12n

export function openSqliteUsage(options: SqliteUsageOptions): Promise<UsageStore> {
  const fixed = { name: 'usage store', migrations: MIGRATIONS, busyTimeoutMs: BUSY_TIMEOUT_MS }
  return openSqliteFile({ ...options, ...fixed }, (file) =>
    createStore(file, options.readOnly === true ? null : createBatchWriter(file)),
  )
}

type BatchWriter = (batch: UsageBatch) => void

function createStore(file: SqliteFile, writeBatch: BatchWriter | null): UsageStore {
  const { database, title } = file
  const selectRecord = database.prepare(SELECT_RECORD)
  const questions = new Map<string, StatementSync>()

  // Bounded: the texts differ only by grouping, grain and whether a key is asked for.
  function prepareQuestion(sql: string): StatementSync {
    const known = questions.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    questions.set(sql, statement)
    return statement
  }

  return {
    async write(batch) {
      if (writeBatch === null) {
        throw new WeirError('store_unusable', `${title} is open for reading only.`)
      }
      writeBatch(batch)
    },
    async readLedgerState() {
      return readState(database)
    },
    async readCounted(objects) {
      return readCounted(database, objects)
    },
    async sum(question) {
      const { sql, parameters } = toSumQuery(question)
      return prepareQuestion(sql)
        .all(...parameters)
        .map(fromSumRow)
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

function createBatchWriter(file: SqliteFile): BatchWriter {
  const { database } = file
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${WAL_PAGES}`)
  const names = createNames(database)
  const insertRecord = database.prepare(INSERT_RECORD)
  const totalKey = ['period', 'key_id', 'provider']
  const dimKey = ['period', 'key_id', 'dim_key', 'dim_value', 'model']
  const addTotal = prepareRollup(database, 'total_rollup', totalKey)
  const addModel = prepareRollup(database, 'model_rollup', [...totalKey, 'model'])
  const addDim = prepareRollup(database, 'dim_rollup', dimKey)
  const insertOpen = database.prepare('INSERT OR REPLACE INTO open_calls VALUES (?, ?, ?)')
  const deleteOpen = database.prepare('DELETE FROM open_calls WHERE id = ?')
  const addCounted = createCountedWriter(database)
  const putCursor = database.prepare('INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?)')

  function writeRows(batch: UsageBatch): void {
    const rollups = createRollups()
    for (const record of batch.records) {
      const { changes } = insertRecord.run(...toRecordRow(record))
      if (changes === 1) rollups.add(record)
    }
    for (const sum of rollups.totalSums()) addSum(addTotal, sum, names)
    for (const sum of rollups.modelSums()) addSum(addModel, sum, names)
    for (const sum of rollups.dimSums()) addSum(addDim, sum, names)
    for (const { worker, opening } of batch.opened) {
      insertOpen.run(toIdBytes(opening.id), worker, JSON.stringify(opening))
    }
    for (const id of batch.settledIds) deleteOpen.run(toIdBytes(id))
    addCounted(batch.counted)
    for (const { worker, segment, offset, sequence } of batch.cursors) {
      putCursor.run(worker, segment, offset, sequence)
    }
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

// The remainder is carried over at every addition, so it stays below one dollar for ever.
function prepareRollup(
  database: DatabaseSync,
  table: string,
  key: readonly string[],
): StatementSync {
  const columns = [...key, 'cost_usd', 'cost_pico', 'requests', 'tokens', 'unpriced']
  return database.prepare(`INSERT INTO ${table} (${columns.join(', ')})
    VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET
      cost_usd = cost_usd + excluded.cost_usd + (cost_pico + excluded.cost_pico) / ${PICO},
      cost_pico = (cost_pico + excluded.cost_pico) % ${PICO},
      requests = requests + excluded.requests,
      tokens = tokens + excluded.tokens,
      unpriced = unpriced + excluded.unpriced`)
}

function addSum(statement: StatementSync, sum: RollupSum, names: Names): void {
  const [period, ...parts] = sum.key
  // Rounded down, also below zero: the remainder must not be negative for the carry to work.
  const remainder = ((sum.cost % PICO) + PICO) % PICO
  const dollars = (sum.cost - remainder) / PICO
  const key = [toPeriodNumber(period), ...parts.map((name) => names.idOf(name))]
  statement.run(...key, dollars, remainder, sum.requests, sum.tokens, sum.unpriced)
}

// One read transaction, so that a batch written meanwhile is seen whole or not at all.
function readState(database: DatabaseSync): LedgerState {
  database.exec('BEGIN')
  try {
    const cursors = database.prepare('SELECT worker, segment, offset, sequence FROM cursors').all()
    const calls = database.prepare('SELECT worker, opening FROM open_calls').all()
    return {
      cursors: cursors.map((row) => ({ ...row }) as unknown as StoredCursor),
      openCalls: calls.map((row) => toOpenCall(row['worker'] as string, row['opening'] as string)),
    }
  } finally {
    database.exec('COMMIT')
  }
}

function toOpenCall(worker: string, opening: string): OpenCall {
  return { worker, opening: JSON.parse(opening) }
}
