// Writes a batch in one transaction on PostgreSQL: records, sums, cursors, open calls, counted
// objects, tally, budgets and alerts. Must stay true: a kill at any moment, of this process or of
// the server, leaves all of it or nothing, and what two nodes write at once is counted once.
//
// Records go in first, by COPY, beside what other nodes write. Then the lock is taken, and all that
// is shared is read and changed in two round trips. A process that stops meanwhile keeps the lock
// until the server ends its session, some seconds later.

import type { PoolClient } from 'pg'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { createSql, IDLE_IN_TRANSACTION_MS_MAX } from '../../postgres/database.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { requireEpoch } from '../../postgres/epoch.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { sendTogether, settleAll, startAll } from '../../postgres/run-together.ts'
import { toTextArray } from '../../postgres/array-text.ts'
import type { Sql, Statement } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import { planParts, readTiers, toPartInserts } from '../../usage/postgres/part-writes.ts'
import { toStorableRecord } from '../../usage/postgres/storable-record.ts'
import type { BatchRecords, PreparedRecords } from '../batch-records.ts'
import { requireOwnCounts } from '../counted-objects.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import type { UsageBatch } from '../ledger-store.ts'
import type { BatchSummer, BatchSums } from './batch-sums.ts'
import type { PostgresBudgetCounter } from './budget-counter.ts'
import { toPruning, writeCounted } from './counted.ts'
import type { CursorCheck } from './cursor-check.ts'
import { toStateWrites } from './journal-state.ts'

/** With many nodes a batch waits for theirs, and for the time-out of one that has stopped. */
const LOCK_MS_MAX = 20_000
const STATEMENT_MS_MAX = 30_000
/** Each is for a reason that another node gave; more in a row are a sign of something else. */
const ATTEMPTS_MAX = 8

const BEGIN = [
  'BEGIN ISOLATION LEVEL READ COMMITTED',
  `SET LOCAL lock_timeout = ${LOCK_MS_MAX}`,
  `SET LOCAL statement_timeout = ${STATEMENT_MS_MAX}`,
  `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS_MAX}`,
].join('; ')
const PUT_PRICES = `INSERT INTO prices SELECT * FROM unnest(?::text[], ?::text[]) ORDER BY 1
  ON CONFLICT DO NOTHING`
const COUNT_RECORDS = 'UPDATE usage_state SET records = records + ?, batches = batches + 1'

interface Prepared {
  readonly batch: UsageBatch
  /** New to the store, as far as is known. */
  readonly records: readonly UsageRecord[]
  readonly sent: PreparedRecords<PoolClient>
  readonly sums: BatchSums
  /** When its ids were resolved, see requireEpoch. */
  readonly epochs: number
}

export interface BatchWriterOptions {
  readonly owner: LedgerOwner
  readonly records: BatchRecords<PoolClient>
  readonly summer: BatchSummer
  readonly budgets: PostgresBudgetCounter
  readonly cursors: CursorCheck
}

export function createPostgresBatchWriter(
  database: PostgresDatabase,
  { owner, records: place, summer, budgets, cursors }: BatchWriterOptions,
): (batch: UsageBatch) => Promise<void> {
  const { epoch } = database
  const takeLock = `SELECT pg_advisory_xact_lock(${LOCKS.usage}), ${epoch.sql} AS epoch`
  // Merging is most of the work under the lock, and on a slow machine the server may end the
  // session meanwhile. It can wait, the batch cannot.
  let canMerge = true

  async function prepare(batch: UsageBatch, records: readonly UsageRecord[]): Promise<Prepared> {
    const epochs = epoch.count()
    // First of all, as it finds what cannot be stored.
    const sent = await place.prepare(records)
    return { batch, records, sent, sums: await summer.sum(records, batch.knownDims), epochs }
  }

  /** Under the lock: what is shared is read, then changed. */
  async function writeShared(client: PoolClient, sql: Sql, prepared: Prepared): Promise<void> {
    const { batch, records, sent, sums, epochs } = prepared
    const [lock, confirmation, stored, taken, tiers, count] = await settleAll([
      sql.first<{ epoch: string }>(takeLock),
      sent.confirm(sql),
      cursors.read(sql),
      writeCounted(sql, batch.counted),
      readTiers(sql, sums.parts),
      budgets.begin(sql, records),
    ])
    // Before anything else: ids of names are other names' in another database.
    epoch.note(lock?.epoch ?? '')
    requireEpoch(epoch, epochs)
    cursors.require(stored, batch.cursors)
    requireOwnCounts(batch, new Set(records.map(({ event }) => event.id)), taken)
    for (const record of records) count.add(record)
    const recorded = records.filter(({ event }) => event.status !== 'denied').length
    const statements = [
      ...confirmation,
      ...sums.additions,
      ...(canMerge ? await planParts(sql, sums.parts, tiers) : toPartInserts(sums.parts)),
      ...toPrices(batch),
      ...count.finish(),
      ...toPruning(batch.counted),
      ...toStateWrites(batch, owner, recorded),
      ...(records.length === 0 ? [] : [{ text: COUNT_RECORDS, values: [records.length] }]),
    ]
    await settleAll([...startAll(sql, statements), commit(client)])
  }

  async function attempt(prepared: Prepared): Promise<void> {
    await database.withClient(async (client) => {
      await prepared.sent.begin(client, BEGIN)
      sendTogether(client, true)
      await writeShared(client, createSql(client), prepared)
      sendTogether(client, false)
    })
  }

  return async (batch) => {
    let records = toDistinct(batch.records)
    for (let attempts = 1; ; attempts += 1) {
      const prepared = await prepare(batch, records)
      try {
        await attempt(prepared)
        prepared.sent.committed()
        cursors.follow(batch.cursors)
        canMerge = true
        return
      } catch (error) {
        cursors.doubt()
        canMerge = !(error instanceof StoreBusy)
        if (attempts === ATTEMPTS_MAX) throw error
        if (place.isRepeat(error)) records = await place.withoutStored(records)
        else if (place.recover(error)) continue
        else if (!(await budgets.recover(error, records))) throw error
      }
    }
  }
}

/** The first of several with one id stays. */
function toDistinct(records: readonly UsageRecord[]): readonly UsageRecord[] {
  const byId = new Map<string, UsageRecord>()
  for (const record of records) {
    if (!byId.has(record.event.id)) byId.set(record.event.id, toStorableRecord(record))
  }
  return [...byId.values()]
}

function toPrices({ prices }: UsageBatch): readonly Statement[] {
  if (prices.length === 0) return []
  const values = [
    toTextArray(prices.map(({ version }) => version)),
    toTextArray(prices.map(({ sheet }) => sheet)),
  ]
  return [{ text: PUT_PRICES, values }]
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  // A transaction that failed before answers ROLLBACK here, without an error.
  if (command !== 'COMMIT') throw new StoreBusy('The usage store rolled a batch back.')
}
