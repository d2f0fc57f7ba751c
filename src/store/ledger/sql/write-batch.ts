// Writes a batch in one transaction: records, sums, cursors, open calls, counted objects, tally,
// budgets and alerts. Must stay true: a kill at any moment, of this process or of a server, leaves
// all of it or nothing, and what two processes write at once is counted once.
//
// What can be worked out before the lock is taken, is. Then records go in, as the engine does it,
// and all that is shared is read and changed. Where another process came between, or some records
// are stored already, the batch is rolled back and made again.

import type { UsageRecord } from '../../../core/usage-record.ts'
import { settleAll } from '../../sql/settle-all.ts'
import { requireEpoch } from '../../sql/sql.ts'
import type { Change, Sql } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import { createBatchSummer } from '../../usage/sql/writes/batch-sums.ts'
import type { BatchSums } from '../../usage/sql/writes/batch-sums.ts'
import { planParts, readTiers, toPartInserts } from '../../usage/sql/writes/block-writes.ts'
import { toPriceRows } from '../../usage/sql/writes/price-rows.ts'
import type { BatchConnection, PreparedRecords } from '../batch-records.ts'
import { requireOwnCounts } from '../counted-objects.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { UsageBatch } from '../ledger-store.ts'
import type { BudgetCounter } from './budget-counter.ts'
import { toPruning, writeCounted } from './counted.ts'
import type { CursorCheck } from './cursor-check.ts'
import { toStateWrites } from './journal-state.ts'
import type { LedgerEngine } from './ledger-engine.ts'

/** Each is for a reason that another process gave; more in a row are a sign of something else. */
const ATTEMPTS_MAX = 8

const COUNT_RECORDS = 'UPDATE usage_state SET records = records + ?, batches = batches + 1'

type Records = readonly UsageRecord[]

interface Prepared<Connection extends BatchConnection> {
  readonly batch: UsageBatch
  /** New to the store, as far as is known. */
  readonly records: Records
  readonly sent: PreparedRecords<Connection>
  readonly sums: BatchSums
  /** When its ids were resolved, see requireEpoch. */
  readonly epochs: number
}

export interface BatchWriterOptions {
  readonly owner: LedgerOwner
  readonly budgets: BudgetCounter
  readonly cursors: CursorCheck
}

export function createBatchWriter<Connection extends BatchConnection>(
  engine: LedgerEngine<Connection>,
  { owner, budgets, cursors }: BatchWriterOptions,
): (batch: UsageBatch) => Promise<void> {
  const { database, dialect, mergedRowsMax: rowsMax } = engine
  const { epoch } = database
  const summer = createBatchSummer(database, { dialect, hasParts: engine.records.hasParts })
  const place = engine.openBatches(summer.idOf)
  // Merging is most of the work under the lock, and on a slow machine the server may end the
  // session meanwhile. It can wait, the batch cannot.
  let canMerge = true

  async function prepare(batch: UsageBatch, records: Records): Promise<Prepared<Connection>> {
    const epochs = epoch.count()
    // First of all, as it finds what cannot be stored.
    const sent = await place.prepare(records)
    return { batch, records, sent, sums: await summer.sum(records, batch.knownDims), epochs }
  }

  function toWork({ batch, records, sent, sums, epochs }: Prepared<Connection>) {
    const { blocks } = sums
    const read = (sql: Sql) =>
      settleAll([
        sent.confirm(sql),
        cursors.read(sql),
        writeCounted(sql, batch.counted),
        readTiers(sql, blocks, dialect),
        budgets.begin(sql, records),
      ])
    const change = async (
      sql: Sql,
      [confirmation, stored, taken, tiers, count]: Awaited<ReturnType<typeof read>>,
    ): Promise<readonly Change[]> => {
      // Before anything else: ids of names are other names' in another database.
      requireEpoch(epoch, epochs)
      cursors.require(stored, batch.cursors)
      requireOwnCounts(batch, new Set(records.map(({ event }) => event.id)), taken)
      for (const record of records) count.add(record)
      const recorded = records.filter(({ event }) => event.status !== 'denied').length
      return [
        ...confirmation,
        ...sums.additions,
        ...(canMerge
          ? await planParts(sql, { added: blocks, tiers, rowsMax })
          : toPartInserts(blocks)),
        ...(batch.prices.length === 0 ? [] : [toPriceRows(batch.prices)]),
        ...count.finish(),
        ...toPruning(batch.counted),
        ...toStateWrites(batch, { owner, recorded, dialect }),
        ...(records.length === 0 ? [] : [{ text: COUNT_RECORDS, values: [records.length] }]),
      ]
    }
    return { read, change }
  }

  return async (batch) => {
    let records = toDistinct(batch.records, engine)
    for (let attempts = 1; ; attempts += 1) {
      const prepared = await prepare(batch, records)
      try {
        await engine.transactBatch(prepared.sent, toWork(prepared))
        prepared.sent.committed()
        budgets.committed()
        cursors.follow(batch.cursors)
        canMerge = true
        return
      } catch (error) {
        cursors.doubt()
        canMerge = !(error instanceof StoreBusy)
        if (attempts === ATTEMPTS_MAX) throw error
        if (place.isRepeat(error)) records = await place.withoutStored(records)
        else if (!place.recover(error) && !(await budgets.recover(error, records))) throw error
      }
    }
  }
}

/** The first of several with one id stays. */
function toDistinct(records: Records, engine: Pick<LedgerEngine, 'toStorable'>): Records {
  const byId = new Map<string, UsageRecord>()
  for (const record of records) {
    if (!byId.has(record.event.id)) byId.set(record.event.id, engine.toStorable(record))
  }
  return [...byId.values()]
}
