import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createOpening, createRecord, OCTOBER } from '../../test/contracts/usage-scene.ts'
import { MemoryJournal } from '../../test/fakes/memory-journal.ts'
import { createMeter } from '../app/meter.ts'
import type { MetricSample } from '../app/meter.ts'
import type { Clock } from '../core/clock.ts'
import type { CallOpening, UsageEvent } from '../core/usage-event.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { createPriceTables } from '../pricing/tables/price-tables.ts'
import { openSqliteLedger } from '../store/ledger/sqlite/store.ts'
import type { UsageSum } from '../store/usage/usage-store.ts'
import { StoreBusy } from '../store/store-busy.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { openLedger, retryPauseMs } from './ledger.ts'
import type { Ledger, LedgerOptions } from './ledger.ts'

const clock: Clock = { now: () => Date.parse('2026-10-20T12:00:00Z'), monotonic: () => 0 }
const prices = createPriceTables({ tables: [] })
const NOTHING = { forwarded: 0, recorded: 0, pending: 0, dead: 0, lost: 0 }

const open = (opening: CallOpening): JournalEntry => ({ kind: 'open', opening })
const close = (event: UsageEvent): JournalEntry => ({ kind: 'close', event })

function createCalls(count: number): UsageEvent[] {
  return Array.from({ length: count }, () => createRecord().event)
}

async function openStore(context: TestContext): Promise<() => Promise<LedgerStore>> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-ledger-'))
  context.after(() => rm(directory, { recursive: true }))
  return () => openSqliteLedger({ file: join(directory, 'usage.db') })
}

function startLedger(
  options: Partial<LedgerOptions> & Pick<LedgerOptions, 'reader' | 'store'>,
): Ledger {
  const meter = createMeter()
  const deadLetters = { append: () => Promise.reject(new Error('nothing is to be put aside')) }
  const fixed = { priceTables: () => prices, clock, meter, deadLetters }
  return openLedger({ ...fixed, batchLinesMax: 100, intervalMs: 1000, ...options })
}

async function total(store: LedgerStore): Promise<UsageSum | undefined> {
  const sums = await store.usage.sum({ period: OCTOBER, grouping: { by: 'total' }, keyId: null })
  return sums[0]
}

test('stores what is in the journals, batch after batch, and acknowledges it', async (context) => {
  const store = await (await openStore(context))()
  const journal = new MemoryJournal()
  const meter = createMeter()
  const calls = createCalls(25)
  for (const event of calls) journal.append('w1', open(event), close(event))
  journal.append('w2', close(createRecord({ status: 'denied' }).event))
  const ledger = startLedger({ reader: journal, store, batchLinesMax: 7, meter })
  await ledger.close()
  assert.equal((await total(store))?.requests, 25)
  assert.deepEqual(ledger.status(), {
    lastError: null,
    lagBytes: 0,
    caughtUpAt: clock.now(),
    recordsStored: 26,
    wayBack: null,
    completeness: { ...NOTHING, forwarded: 25, recorded: 25 },
  })
  const { cursors, openCalls, tally } = await store.progress.readState()
  assert.deepEqual([cursors, openCalls], [journal.acknowledged, []])
  assert.deepEqual(tally, { forwarded: 25, recorded: 25, dead: 0 })
  assert.equal(journal.acknowledged.length, 2)
  const isFree = ({ metric, labels }: MetricSample): boolean =>
    metric === 'ledgerRecords' && labels[0] === 'free'
  assert.equal(meter.samples().find(isFree)?.value, 1)
  await store.close()
})

test('counts a stored object once, over batches, restarts and deliveries that come twice', async (context) => {
  const openAgain = await openStore(context)
  const store = await openAgain()
  const countedAs = 'response:resp_1'
  const reads = Array.from({ length: 5 }, () => createRecord({ countedAs }).event)
  const journal = new MemoryJournal()
  for (const event of reads) journal.append('w1', close(event))
  await startLedger({ reader: journal, store, batchLinesMax: 2 }).close()
  assert.deepEqual(await tokensOf(store), { requests: 5, tokens: 15 })
  await store.close()

  const second = await openAgain()
  const later = new MemoryJournal()
  const again = [...reads, createRecord({ countedAs }).event]
  for (const event of again) later.append('w2', close(event))
  await startLedger({ reader: later, store: second, batchLinesMax: 3 }).close()
  assert.deepEqual(await tokensOf(second), { requests: 6, tokens: 15 })
  const record = await second.usage.readRecord((reads[0] as UsageEvent).id)
  assert.deepEqual(record?.event, reads[0])
  await second.close()
})

async function tokensOf(store: LedgerStore) {
  const sum = await total(store)
  return { requests: sum?.requests, tokens: sum?.tokens }
}

test('looks again after its interval, and at once when it is closed', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const store = await (await openStore(context))()
  const journal = new MemoryJournal()
  const ledger = startLedger({ reader: journal, store })
  await settled()
  const [first, second] = createCalls(2) as [UsageEvent, UsageEvent]
  journal.append('w1', close(first))
  await settled()
  assert.equal(await total(store), undefined)
  context.mock.timers.tick(1000)
  await settled()
  assert.equal((await total(store))?.requests, 1)
  journal.append('w1', close(second))
  await ledger.close()
  assert.equal((await total(store))?.requests, 2)
  await store.close()
})

test('pauses for longer while little comes, up to its limit, and no longer after much', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const store = await (await openStore(context))()
  const journal = new MemoryJournal()
  const options = { intervalMs: 100, intervalMsMax: 400, batchLinesMax: 1000 }
  const ledger = startLedger({ reader: journal, store, ...options })
  await settled()
  const calls = createCalls(502)
  const storedAfter = async (ms: number, ...more: readonly UsageEvent[]): Promise<number> => {
    for (const call of more) journal.append('w1', close(call))
    context.mock.timers.tick(ms)
    await settled()
    return (await total(store))?.requests ?? 0
  }
  // The first round found nothing, hence 200.
  assert.equal(await storedAfter(199, calls[0] as UsageEvent), 0)
  assert.equal(await storedAfter(1), 1)
  assert.equal(await storedAfter(399, ...calls.slice(1, 501)), 1)
  assert.equal(await storedAfter(1), 501)
  assert.equal(await storedAfter(100, calls[501] as UsageEvent), 502)
  await ledger.close()
  await store.close()
})

/** Lets promises run that wait for nothing but each other. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
}

test('goes on from the stored cursor after a crash between write and acknowledgement', async (context) => {
  const reopen = await openStore(context)
  const journal = new MemoryJournal()
  for (const event of createCalls(5)) journal.append('w1', open(event), close(event))
  const store = await reopen()
  const acknowledge = () => Promise.reject(new StoreBusy('killed'))
  const crashed = startLedger({ reader: withMethod(journal, { acknowledge }), store })
  await crashed.close()
  assert.equal(crashed.status().lastError, 'killed')
  await store.close()
  assert.equal(journal.acknowledged.length, 0)

  const again = await reopen()
  const ledger = startLedger({ reader: journal, store: again })
  await ledger.close()
  assert.equal((await total(again))?.requests, 5)
  assert.equal(ledger.status().recordsStored, 0)
  assert.equal(journal.acknowledged[0]?.offset, 10)
  await again.close()
})

test('counts lines once that the journal delivers again', async (context) => {
  const reopen = await openStore(context)
  const journal = new MemoryJournal()
  const calls = createCalls(5)
  for (const event of calls) journal.append('w1', open(event), close(event))
  const store = await reopen()
  await startLedger({ reader: journal, store, batchLinesMax: 3 }).close()
  const forgetful = { ...(await store.progress.readState()), cursors: [] }
  const progress = { ...store.progress, readState: () => Promise.resolve(forgetful) }
  await startLedger({
    reader: journal,
    store: withMethod(store, { progress }),
    batchLinesMax: 4,
  }).close()
  assert.equal((await total(store))?.requests, 5)
  assert.deepEqual((await store.progress.readState()).openCalls, [])
  await store.close()
})

test('keeps trying a store that fails, with growing pauses, and loses nothing', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const store = await (await openStore(context))()
  const journal = new MemoryJournal()
  for (const event of createCalls(3)) journal.append('w1', open(event), close(event))
  let tries = 0
  const failing = withMethod(store, {
    writeBatch: async (batch: Parameters<LedgerStore['writeBatch']>[0]) => {
      tries += 1
      if (tries <= 3) throw new StoreBusy('disk full')
      await store.writeBatch(batch)
    },
  })
  const logged: object[] = []
  const log = { error: (details: object) => void logged.push(details) }
  const ledger = startLedger({ reader: journal, store: failing, log })
  for (const [index, pauseMs] of [100, 200, 400].entries()) {
    await settled()
    assert.equal(tries, index + 1)
    assert.equal(ledger.status().lastError, 'disk full')
    assert.deepEqual(journal.acknowledged, [])
    context.mock.timers.tick(pauseMs - 1)
    await settled()
    assert.equal(tries, index + 1)
    context.mock.timers.tick(1)
  }
  await settled()
  assert.deepEqual(ledger.status(), {
    lastError: null,
    lagBytes: 0,
    caughtUpAt: clock.now(),
    recordsStored: 3,
    wayBack: null,
    completeness: { ...NOTHING, forwarded: 3, recorded: 3 },
  })
  assert.equal(logged.length, 3)
  await ledger.close()
  assert.equal((await total(store))?.requests, 3)
  await store.close()
})

test('reports how far it is behind, also while the store fails', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const store = await (await openStore(context))()
  const journal = new MemoryJournal()
  const [newer, older] = [4000, 9000].map((ageMs) =>
    close(createRecord({ endedAt: clock.now() - ageMs }).event),
  )
  journal.append('w1', { kind: 'start' }, newer as JournalEntry)
  journal.append('w2', older as JournalEntry)
  const fault = { isOn: true }
  const failing = withMethod(store, {
    writeBatch: async (batch: Parameters<LedgerStore['writeBatch']>[0]) => {
      if (fault.isOn) throw new StoreBusy('away')
      await store.writeBatch(batch)
    },
  })
  const meter = createMeter()
  const lag = () =>
    ['journalLag', 'journalLagSeconds'].map(
      (name) => meter.samples().find(({ metric }) => metric === name)?.value,
    )
  const ledger = startLedger({ reader: journal, store: failing, meter })
  await settled()
  assert.deepEqual(lag(), [30, 9])
  journal.append('w2', newer as JournalEntry)
  context.mock.timers.tick(100)
  await settled()
  assert.deepEqual(lag(), [40, 9])
  fault.isOn = false
  context.mock.timers.tick(200)
  await settled()
  assert.deepEqual(lag(), [0, 0])
  await ledger.close()
  await store.close()
})

test('a store that is back is tried within five seconds', () => {
  assert.deepEqual([0, 1, 5, 6, 5000].map(retryPauseMs), [100, 200, 3200, 5000, 5000])
})

test('ends when it is closed while the store fails, leaving the lines to the next start', async (context) => {
  const store = await (await openStore(context))()
  const journal = new MemoryJournal()
  journal.append('w1', close(createRecord().event))
  const write = () => Promise.reject(new StoreBusy('away'))
  const ledger = startLedger({ reader: journal, store: withMethod(store, { writeBatch: write }) })
  await ledger.close()
  assert.deepEqual(journal.acknowledged, [])
  await startLedger({ reader: journal, store }).close()
  assert.equal((await total(store))?.requests, 1)
  await store.close()
})

test('tries a store that fails for as long as it may when it is closed', async (context) => {
  const store = await (await openStore(context))()
  const journal = new MemoryJournal()
  journal.append('w1', close(createRecord().event))
  let tries = 0
  const writeBatch: LedgerStore['writeBatch'] = (batch) => {
    tries += 1
    return tries <= 3 ? Promise.reject(new StoreBusy('away')) : store.writeBatch(batch)
  }
  const ledger = startLedger({ reader: journal, store: withMethod(store, { writeBatch }) })
  await ledger.close(1000)
  assert.equal((await total(store))?.requests, 1)
  assert.equal(ledger.status().lagBytes, 0)
  await store.close()
})

test('records calls of a dead process as interrupted when its worker starts again', async (context) => {
  const reopen = await openStore(context)
  const journal = new MemoryJournal()
  const lost = createOpening()
  const running = createOpening()
  journal.append('w1', { kind: 'start' }, open(lost))
  journal.append('w2', { kind: 'start' }, open(running))
  const store = await reopen()
  await startLedger({ reader: journal, store }).close()
  assert.equal((await store.progress.readState()).openCalls.length, 2)
  await store.close()

  journal.append('w1', { kind: 'start' })
  const again = await reopen()
  await startLedger({ reader: journal, store: again }).close()
  const record = await again.usage.readRecord(lost.id)
  assert.equal(record?.event.status, 'interrupted')
  assert.equal(record?.event.endedAt, clock.now())
  assert.equal((await total(again))?.unpriced, 1)
  assert.deepEqual((await again.progress.readState()).openCalls, [
    { worker: 'w2', opening: running },
  ])
  await again.close()
})

/** The same object with some methods replaced, as a failing disk would. */
function withMethod<Whole extends object>(whole: Whole, methods: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get(target, name) {
      const own = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}
