// Rounds of a ledger over journals in memory and a store whose writes can be made to fail.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createMeter } from '../../../src/app/meter.ts'
import { createTokenCounts } from '../../../src/core/token-counts.ts'
import type { UsageEvent } from '../../../src/core/usage-event.ts'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import type { JournalEntry } from '../../../src/journal/journal.ts'
import type { BudgetWatch } from '../../../src/ledger/budget-watch.ts'
import { describeLine } from '../../../src/ledger/dead-letters.ts'
import type { DeadLetter } from '../../../src/ledger/dead-letters.ts'
import { Round } from '../../../src/ledger/round.ts'
import type { PriceTables } from '../../../src/pricing/tables/price-tables.ts'
import { openSqliteLedger } from '../../../src/store/ledger/sqlite/store.ts'
import { UnstorableRecord } from '../../../src/store/ledger/ledger-store.ts'
import type { LedgerStore, UsageBatch } from '../../../src/store/ledger/ledger-store.ts'
import { StoreBusy } from '../../../src/store/store-busy.ts'
import { createRecord } from '../../contracts/usage-scene.ts'
import { layEmptyStore } from '../sqlite/empty-stores.ts'
import { MemoryJournal } from '../memory-journal.ts'

export const NOW = Date.parse('2026-10-20T12:00:00Z')
export const tokens = createTokenCounts({ input: 1, output: 1 })

export const NO_BUDGETS: BudgetWatch = { before: async () => {}, after: async () => {} }

export const open = (event: UsageEvent): JournalEntry => ({ kind: 'open', opening: event })
export const close = (event: UsageEvent): JournalEntry => ({ kind: 'close', event })

export const priceTables: PriceTables = {
  find: ({ model }) => {
    if (model === 'poison') throw new Error('no rate can be made of it')
    return null
  },
}

export interface RoundScene {
  readonly store: LedgerStore
  readonly journal: MemoryJournal
  readonly letters: DeadLetter[]
  readonly refused: Set<string>
  /** What the next writes throw, before or after they are done. */
  readonly faults: {
    beforeWrite: Error | null
    afterWrite: Error | null
    append: Error | null
    /** A larger batch is cut off. */
    recordsMax: number
    /** What breaks a batch that has it, without a word which of its calls it was. */
    breaksOn: string | null
  }
  readonly monotonic: { ms: number }
  readonly meter: ReturnType<typeof createMeter>
  readonly batches: UsageBatch[]
  /** The ids of calls that were handed on once they were stored. */
  readonly handedOn: string[]
  /** As after a restart of the ledger. */
  readonly begin: (batchLinesMax?: number, budgets?: BudgetWatch) => Round
  readonly figure: (name: string) => number | undefined
}

export async function openRoundScene(context: TestContext): Promise<RoundScene> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-round-'))
  const file = join(directory, 'usage.db')
  await layEmptyStore('usage', file)
  const store = await openSqliteLedger({ file })
  context.after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  const journal = new MemoryJournal()
  const letters: DeadLetter[] = []
  const refused = new Set<string>()
  const faults: RoundScene['faults'] = {
    beforeWrite: null,
    afterWrite: null,
    append: null,
    recordsMax: Infinity,
    breaksOn: null,
  }
  const batches: UsageBatch[] = []
  const handedOn: string[] = []
  const onStored = (records: readonly UsageRecord[]): void =>
    void handedOn.push(...records.map(({ event }) => event.id))
  const monotonic = { ms: 0 }
  const clock = { now: () => NOW, monotonic: () => monotonic.ms }
  const meter = createMeter()
  const write = async (batch: UsageBatch): Promise<void> => {
    if (faults.beforeWrite !== null) throw faults.beforeWrite
    if (batch.records.length > faults.recordsMax) throw new StoreBusy('cut off')
    if (faults.breaksOn !== null && JSON.stringify(batch, digits).includes(faults.breaksOn)) {
      throw new RangeError('a sum overflows')
    }
    const odd = batch.records.find(({ event }) => refused.has(event.id))
    if (odd !== undefined) throw new UnstorableRecord(odd.event.id, new Error('too odd'))
    await store.writeBatch(batch)
    batches.push(batch)
    if (faults.afterWrite !== null) throw faults.afterWrite
  }
  const guarded = new Proxy(store, {
    get: (target, name) => {
      const own: unknown = name === 'writeBatch' ? write : Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
  const deadLetters = {
    append: async (more: readonly DeadLetter[]): Promise<void> => {
      if (faults.append !== null) throw faults.append
      letters.push(...more)
    },
  }
  const fixed = {
    reader: journal,
    store: guarded,
    deadLetters,
    priceTables: () => priceTables,
    clock,
    meter,
  }
  const options = { ...fixed, onStored }
  return {
    store,
    journal,
    letters,
    refused,
    faults,
    monotonic,
    meter,
    batches,
    handedOn,
    begin: (batchLinesMax = 1000, budgets = NO_BUDGETS) =>
      new Round({ ...options, batchLinesMax, budgets }),
    figure: (name) => meter.samples().find(({ metric }) => metric === name)?.value,
  }
}

const digits = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value

export async function runAll(round: Round): Promise<void> {
  while (await round.run());
}

export function createCalls(count: number, changes: Partial<UsageEvent> = {}): UsageEvent[] {
  return Array.from({ length: count }, () => createRecord(changes).event)
}

export const idsOf = (letters: readonly DeadLetter[]): (string | null)[] =>
  letters.map(({ text }) => {
    const described = describeLine(text)
    return described.kind === 'unknown' ? null : described.id
  })
