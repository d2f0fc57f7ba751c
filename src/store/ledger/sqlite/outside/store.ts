// The ledger's book and the sums in a SQLite file, single calls elsewhere. Must stay true: the book
// can be opened and read, and budgets stand, while the calls cannot be reached.

import { setTimeout as pause } from 'node:timers/promises'
import type { SqliteFile } from '../../../sqlite/file.ts'
import { createSnapshots } from '../../../sqlite/snapshots.ts'
import type { Snapshot, Snapshots } from '../../../sqlite/snapshots.ts'
import { createTurns } from '../../../sqlite/turns.ts'
import type { Turns } from '../../../sqlite/turns.ts'
import { StoreBusy } from '../../../store-busy.ts'
import type { RecordEngine } from '../../../usage/record-engine.ts'
import { createOutsideUsage, readFirstCallAt } from '../../../usage/sqlite/outside/store.ts'
import type { OpenRecords, RecordPlace } from '../../calls-book.ts'
import type { LedgerOwner } from '../../ledger-owner.ts'
import type { LedgerStore } from '../../ledger-store.ts'
import { createBudgetCounter } from '../budget-spend.ts'
import type { BudgetReading } from '../budget-states.ts'
import { createSqliteCallsBook } from '../calls-book.ts'
import { createStore } from '../create-store.ts'
import type { Writer } from '../create-store.ts'
import { createReadCounts } from './read-counts.ts'
import type { ReadCounts } from './read-counts.ts'
import { createOutsideBatchWriter } from './write-batch.ts'

export interface OutsideStoreOptions {
  readonly owner: LedgerOwner
  readonly canWrite: boolean
  readonly openRecords: OpenRecords
  /** Another connection to the file. */
  readonly openConnection: (how: { readonly readOnly: boolean }) => SqliteFile
}

export async function openOutsideStore(
  file: SqliteFile,
  options: OutsideStoreOptions,
): Promise<LedgerStore> {
  const snapshots = createSnapshots(() => options.openConnection({ readOnly: true }))
  const place = options.openRecords(createSqliteCallsBook(file, snapshots))
  const close = async (): Promise<void> => {
    await place.close()
    snapshots.close()
    file.close()
  }
  try {
    await checkIfReached(place)
    return file.guard(() => createOutsideStore(file, { ...options, snapshots, place, close }))
  } catch (error) {
    await close()
    throw error
  }
}

/** Neither callers nor the start of the node wait for one that is away: the journals do. */
const CHECK_MS_MAX = 2000

/** Whoever writes the first batch checks again. */
async function checkIfReached(place: RecordPlace): Promise<void> {
  const timer = new AbortController()
  const { signal } = timer
  try {
    await Promise.race([place.check(), pause(CHECK_MS_MAX, null, { signal }).catch(() => {})])
  } catch (error) {
    if (!(error instanceof StoreBusy)) throw error
  } finally {
    timer.abort()
  }
}

interface Parts extends OutsideStoreOptions {
  readonly snapshots: Snapshots
  readonly place: RecordPlace
  readonly close: () => Promise<void>
}

function createOutsideStore(file: SqliteFile, parts: Parts): LedgerStore {
  const { canWrite, snapshots, place, close } = parts
  const { engine: records } = place
  const counts = createReadCounts(records, (work) => snapshots.read(work))
  // A count takes long, and would be in vain each time that a batch comes between.
  const turns = createTurns()
  return createStore(file, {
    owner: parts.owner,
    writer: canWrite ? createWriter(file, parts, { counts, turns }) : null,
    budgets: {
      count: (work) => turns.take(() => counts.run(work)),
      read: (work) => snapshots.read((snapshot) => readBudgets(snapshot, records, work)),
    },
    usage: createOutsideUsage(file, {
      canWrite,
      records,
      snapshots,
      openConnection: () => parts.openConnection({ readOnly: !canWrite }),
    }),
    checkCalls: () => place.check(),
    close,
  })
}

function createWriter(
  file: SqliteFile,
  { owner, place, snapshots }: Parts,
  { counts, turns }: { readonly counts: ReadCounts; readonly turns: Turns },
): Writer {
  const counter = createBudgetCounter(file, counts.countRecords)
  const write = createOutsideBatchWriter(file, { owner, counter, place, snapshots, counts })
  return { counter, writeBatch: (batch) => turns.take(() => write(batch)) }
}

async function readBudgets<Result>(
  snapshot: Snapshot,
  records: RecordEngine,
  work: (reading: BudgetReading) => Result,
): Promise<Result> {
  const counts = createReadCounts(records, (use) => use(snapshot))
  const firstCallAt = await readFirstCallAt(snapshot, {
    readFirstStart: (sql) => unlessAway(records.readFirstStart(sql)),
  })
  const { countRecords } = counts
  return counts.run(() => work({ file: snapshot.file, firstCallAt, countRecords }))
}

/** Of the first call, the day will do. */
async function unlessAway<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof StoreBusy) return null
    throw error
  }
}
