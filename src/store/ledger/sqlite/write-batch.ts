// Writes a batch in one transaction: records, rollups, cursors, open calls, counted objects, tally,
// budgets and alerts. Must stay true: a kill at any moment leaves all of it or nothing.

import type { SqliteFile } from '../../sqlite/file.ts'
import { createRecordWriter } from '../../usage/sqlite/record-writer.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { UsageBatch } from '../ledger-store.ts'
import type { BudgetCounter } from './budget-spend.ts'
import { createCountedWriter } from './counted.ts'
import { createStateWriter } from './journal-state.ts'

export interface BatchOptions {
  readonly owner: LedgerOwner
  readonly counter: BudgetCounter
}

export function createBatchWriter(
  file: SqliteFile,
  options: BatchOptions,
): (batch: UsageBatch) => void {
  const write = createBatchWrite(file, options)
  return (batch) => write(batch, () => {})
}

/** The returned function writes in one transaction, which ends with `last`. */
export function createBatchWrite(
  file: SqliteFile,
  { owner, counter, isOutside = false }: BatchOptions & { readonly isOutside?: boolean },
): (batch: UsageBatch, last: () => void) => void {
  const records = createRecordWriter(file, { isOutside })
  const writeCounted = createCountedWriter(file.database)
  const writeState = createStateWriter(file.database, owner)

  function write(batch: UsageBatch): void {
    const budgets = counter.begin(batch.records)
    let [stored, recorded] = [0, 0]
    const newIds = new Set<string>()
    records.writeRecords(batch, (record) => {
      stored += 1
      if (record.event.countedAs !== undefined) newIds.add(record.event.id)
      if (record.event.status !== 'denied') recorded += 1
      budgets?.add(record)
    })
    budgets?.write()
    records.writePrices(batch.prices)
    writeCounted(batch, newIds)
    writeState(batch, { stored, recorded })
  }

  return (batch, last) => {
    try {
      file.transact(() => {
        write(batch)
        last()
      })
    } catch (error) {
      records.forget()
      throw error
    }
  }
}
