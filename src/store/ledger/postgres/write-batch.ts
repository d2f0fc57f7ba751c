// Writes a batch in one transaction on PostgreSQL: records, sums, cursors, open calls, counted
// objects, tally, budgets and alerts. Must stay true: a kill at any moment, of this process or of
// the server, leaves all of it or nothing, and what two nodes write at once is counted once.
//
// Records go in first, by COPY, beside what other nodes write. Then the lock is taken, and all that
// is shared is read and changed in two round trips. A process that stops meanwhile keeps the lock
// until the server ends its session, some seconds later.

import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { createSql, IDLE_IN_TRANSACTION_MS_MAX } from '../../postgres/database.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { isRepeat } from '../../postgres/faults.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { sendTogether, settleAll, startAll } from '../../postgres/run-together.ts'
import type { Statement } from '../../postgres/statement.ts'
import { toTextArray } from '../../postgres/array-text.ts'
import type { Sql } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import { planParts, readTiers, toPartInserts } from '../../usage/postgres/part-writes.ts'
import { COPY_RECORDS, toCopiedRecords } from '../../usage/postgres/record-copy.ts'
import type { CopiedRecords } from '../../usage/postgres/record-copy.ts'
import { toStorableRecord } from '../../usage/postgres/storable-record.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import { CountedMeanwhile } from '../ledger-store.ts'
import type { UsageBatch } from '../ledger-store.ts'
import { createBatchSummer } from './batch-sums.ts'
import type { BatchSums } from './batch-sums.ts'
import type { PostgresBudgetCounter } from './budget-counter.ts'
import { toPruning, writeCounted } from './counted.ts'
import type { CursorCheck } from './cursor-check.ts'
import { toStateWrites } from './journal-state.ts'
import { createPartitions } from './partitions.ts'

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
const TAKE_LOCK = `SELECT pg_advisory_xact_lock(${LOCKS.usage})`
const PUT_PRICES = `INSERT INTO prices SELECT * FROM unnest(?::text[], ?::text[]) ORDER BY 1
  ON CONFLICT DO NOTHING`
const COUNT_RECORDS = 'UPDATE usage_state SET records = records + ?'

interface Prepared {
  readonly batch: UsageBatch
  /** New to the store, as far as is known. */
  readonly records: readonly UsageRecord[]
  readonly copied: CopiedRecords
  readonly sums: BatchSums
}

export interface BatchWriterOptions {
  readonly owner: LedgerOwner
  readonly budgets: PostgresBudgetCounter
  readonly cursors: CursorCheck
}

export function createPostgresBatchWriter(
  database: PostgresDatabase,
  { owner, budgets, cursors }: BatchWriterOptions,
): (batch: UsageBatch) => Promise<void> {
  const summer = createBatchSummer(database)
  const partitions = createPartitions(database)
  // Merging is most of the work under the lock, and on a slow machine the server may end the
  // session meanwhile. It can wait, the batch cannot.
  let canMerge = true

  async function prepare(batch: UsageBatch, records: readonly UsageRecord[]): Promise<Prepared> {
    // First of all, as it finds what cannot be stored.
    const copied = toCopiedRecords(records)
    await partitions.ensure(copied.times)
    return { batch, records, copied, sums: await summer.sum(records) }
  }

  /** Under the lock: what is shared is read, then changed. */
  async function writeShared(client: PoolClient, sql: Sql, prepared: Prepared): Promise<void> {
    const { batch, records, sums } = prepared
    const [, stored, taken, tiers, count] = await settleAll([
      sql.run(TAKE_LOCK),
      cursors.read(sql),
      writeCounted(sql, batch.counted),
      readTiers(sql, sums.parts),
      budgets.begin(sql, records),
    ])
    cursors.require(stored, batch.cursors)
    requireOwnCounts(batch, records, taken)
    for (const record of records) count.add(record)
    const recorded = records.filter(({ event }) => event.status !== 'denied').length
    const statements = [
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
      if (prepared.records.length === 0) await client.query(BEGIN)
      else await copyRecords(client, prepared.copied)
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
        cursors.follow(batch.cursors)
        canMerge = true
        return
      } catch (error) {
        cursors.doubt()
        canMerge = !(error instanceof StoreBusy)
        if (attempts === ATTEMPTS_MAX) throw error
        if (isRepeat(error)) records = await removeStored(database, records)
        else if (isWithoutPartition(error)) partitions.forget()
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

async function removeStored(
  sql: Sql,
  records: readonly UsageRecord[],
): Promise<readonly UsageRecord[]> {
  const ids = toTextArray(records.map(({ event }) => event.id))
  const text = 'SELECT id::text AS id FROM records WHERE id = ANY (?::uuid[])'
  const rows = await sql.all<{ id: string }>(text, [ids])
  const stored = new Set(rows.map(({ id }) => id))
  return records.filter(({ event }) => !stored.has(event.id))
}

/** `no partition of relation "records" found for row`: retention removed it meanwhile. */
function isWithoutPartition(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23514'
}

/** A record whose object another event counted first would be counted twice. */
function requireOwnCounts(
  { counted }: UsageBatch,
  records: readonly UsageRecord[],
  taken: readonly { readonly provider: string; readonly name: string }[],
): void {
  if (taken.length === 0) return
  const ids = new Set(records.map(({ event }) => event.id))
  const names = new Set(taken.map(({ provider, name }) => `${provider} ${name}`))
  const lost = counted.filter(
    ({ provider, name, eventId }) => names.has(`${provider} ${name}`) && ids.has(eventId),
  )
  if (lost.length > 0) throw new CountedMeanwhile(lost)
}

function toPrices({ prices }: UsageBatch): readonly Statement[] {
  if (prices.length === 0) return []
  const values = [
    toTextArray(prices.map(({ version }) => version)),
    toTextArray(prices.map(({ sheet }) => sheet)),
  ]
  return [{ text: PUT_PRICES, values }]
}

function copyRecords(client: PoolClient, { chunks }: CopiedRecords): Promise<void> {
  const stream = client.query(copyFrom(`${BEGIN}; ${COPY_RECORDS}`))
  return new Promise((resolve, reject) => {
    stream.on('error', reject)
    stream.on('finish', resolve)
    for (const chunk of chunks) stream.write(chunk)
    stream.end()
  })
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  // A transaction that failed before answers ROLLBACK here, without an error.
  if (command !== 'COMMIT') throw new StoreBusy('The usage store rolled a batch back.')
}
