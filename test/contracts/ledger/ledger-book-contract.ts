// What every ledger's book must keep: how far the journals were read, which calls are open, the
// tally of calls, and which objects were counted.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import { COUNTED_KEPT_DAYS } from '../../../src/store/ledger/ledger-book.ts'
import type { CallTally, CountedUse } from '../../../src/store/ledger/ledger-book.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import {
  batchOf,
  createOpening,
  createRecord,
  createStoreTest,
  EMPTY,
  everyAnswer,
  NOON,
} from '../usage-scene.ts'
import type { UsageStorePlace } from '../usage-scene.ts'

export function ledgerBookContract(
  name: string,
  createPlace: () => Promise<UsageStorePlace>,
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: ledger state`, () => {
    storeTest('is empty at the beginning', async (store) => {
      const tally = { forwarded: 0, recorded: 0, dead: 0 }
      assert.deepEqual(await store.book.readState(), { cursors: [], openCalls: [], tally })
    })

    storeTest('keeps cursors and open calls, and settles them', async (store) => {
      const cursors = [
        { worker: 'w1', segment: 1, offset: 100, sequence: 4, forwarded: 2 },
        { worker: 'w2', segment: 7, offset: 0, sequence: 9, forwarded: 0 },
      ]
      const first = { worker: 'w1', opening: createOpening({ dims: { team: 'ä"' } }) }
      const second = { worker: 'w2', opening: createOpening({ operation: null }) }
      await store.writeBatch({ ...EMPTY, cursors, opened: [first, second] })
      const state = await store.book.readState()
      assert.deepEqual(state.cursors.toSorted(byWorker), cursors)
      assert.deepEqual(state.openCalls.toSorted(byWorker), [first, second])

      const moved = { worker: 'w1', segment: 2, offset: 5, sequence: 6, forwarded: 3 }
      await store.writeBatch({ ...EMPTY, cursors: [moved], settledIds: [first.opening.id] })
      const later = await store.book.readState()
      assert.deepEqual(later.cursors.toSorted(byWorker), [moved, cursors[1]])
      assert.deepEqual(later.openCalls, [second])
    })

    storeTest(
      'keeps what is known of a call that has ended, until it is settled',
      async (store) => {
        const opening = createOpening({ dims: { team: 'a' } })
        const { event } = createRecord({
          ...opening,
          usage: 'none',
          tokens: null,
          billing: { cost: 5n, marketCost: null, isByok: false, generationId: 'gen_"1"' },
        })
        const call = { worker: 'w1', opening }
        await store.writeBatch({ ...EMPTY, opened: [call] })
        await store.writeBatch({ ...EMPTY, opened: [{ ...call, uncounted: event }] })
        assert.deepEqual((await store.book.readState()).openCalls, [{ ...call, uncounted: event }])
        await store.writeBatch({
          ...batchOf({ ...createRecord(), event }),
          settledIds: [opening.id],
        })
        assert.deepEqual((await store.book.readState()).openCalls, [])
      },
    )

    test('is kept apart for each node and journal, and the tallies add up', async () => {
      const place = await createPlace()
      const owners = [
        { node: 'one', journal: 'a' },
        { node: 'one', journal: 'b' },
        { node: 'two', journal: 'a' },
      ]
      const stores = await Promise.all(owners.map((owner) => place.open(owner)))
      const states = owners.map((_, at) => ({
        cursors: [{ worker: 'w0', segment: 1, offset: 10 * at, sequence: at, forwarded: 1 }],
        openCalls: [{ worker: 'w0', opening: createOpening() }],
      }))
      try {
        for (const [at, store] of stores.entries()) {
          const { cursors, openCalls } = states[at] as (typeof states)[number]
          await store.writeBatch({ ...EMPTY, cursors, opened: openCalls, forwarded: 1 })
        }
        for (const [at, store] of stores.entries()) {
          const { tally: _, ...state } = await store.book.readState()
          assert.deepEqual(state, states[at])
          const tallies = await store.book.readTallies()
          assert.equal(
            tallies.reduce((sum, { forwarded }) => sum + forwarded, 0),
            3,
          )
        }
      } finally {
        for (const store of stores) await store.close()
        await place.remove()
      }
    })

    test('has everything again after it was closed and opened', async () => {
      const place = await createPlace()
      const record = createRecord({ dims: { team: 'a' } })
      const cursors = [{ worker: 'w1', segment: 3, offset: 12, sequence: 8, forwarded: 2 }]
      const openCalls = [{ worker: 'w1', opening: createOpening() }]
      const { provider, id: eventId, endedAt } = record.event
      const counted = [{ provider, name: 'response:resp_1', eventId, endedAt }]
      const prices = [{ version: 'test', sheet: 'a' }]
      const first = await place.open()
      const opened = { opened: openCalls, forwarded: 2 }
      await first.writeBatch({ ...batchOf(record), ...opened, cursors, counted, prices })
      const before = await everyAnswer(first)
      await first.close()
      const second = await place.open()
      try {
        assert.deepEqual(await second.usage.readRecord(record.event.id), record)
        const tally = { forwarded: 2, recorded: 1, dead: 0 }
        assert.deepEqual(await second.book.readState(), { cursors, openCalls, tally })
        assert.deepEqual(await everyAnswer(second), before)
        assert.deepEqual(await second.book.readCounted(counted), counted)
        assert.deepEqual(await second.usage.requests.readPrices(['test']), prices)
        assert.equal(await second.check(), null)
      } finally {
        await second.close()
        await place.remove()
      }
    })
  })

  suite(`${name}: tally`, () => {
    storeTest('adds up what the batches say was forwarded and put aside', async (store) => {
      await store.writeBatch({ ...EMPTY, forwarded: 5, dead: 2 })
      await store.writeBatch({ ...EMPTY, forwarded: 3, dead: -1 })
      assert.deepEqual(await tallyOf(store), { forwarded: 8, recorded: 0, dead: 1 })
    })

    storeTest('counts a record that comes again once', async (store) => {
      const [first, second] = [createRecord(), createRecord()]
      await store.writeBatch(batchOf(first, first))
      await store.writeBatch(batchOf(second, first))
      assert.equal((await tallyOf(store)).recorded, 2)
    })

    storeTest('counts every call that was forwarded, whatever became of it', async (store) => {
      const ends = ['delivered', 'refused', 'aborted', 'cut', 'interrupted'] as const
      await store.writeBatch(batchOf(...ends.map((status) => createRecord({ status }))))
      assert.equal((await tallyOf(store)).recorded, ends.length)
    })

    storeTest('never counts a denied call: it was not forwarded', async (store) => {
      const free = { amount: 0n, source: 'free', priceVersion: null } as const
      await store.writeBatch(batchOf(createRecord({ status: 'denied', keyId: null }, free)))
      assert.deepEqual(await tallyOf(store), { forwarded: 0, recorded: 0, dead: 0 })
    })
  })

  suite(`${name}: counted objects`, () => {
    storeTest('knows an object by provider and name, and who counted it', async (store) => {
      const use = toUse(createRecord(), { name: 'response:resp_1' })
      await store.writeBatch({ ...EMPTY, counted: [use] })
      const other = { provider: 'south', name: use.name }
      const unknown = { provider: use.provider, name: 'response:resp_2' }
      assert.deepEqual(await store.book.readCounted([unknown, use, other]), [use])
      assert.deepEqual(await store.book.readCounted([]), [])
    })

    storeTest('keeps who counted an object first', async (store) => {
      const first = toUse(createRecord(), { name: 'batch:b' })
      const second = toUse(createRecord(), { name: 'batch:b' })
      await store.writeBatch({ ...EMPTY, counted: [first, second] })
      await store.writeBatch({ ...EMPTY, counted: [second] })
      assert.deepEqual(await store.book.readCounted([second]), [first])
    })

    storeTest('forgets objects by their age, and only those', async (store) => {
      const keptMs = COUNTED_KEPT_DAYS * 86_400_000
      const old = toUse(createRecord(), { endedAt: NOON - keptMs - 1 })
      const kept = toUse(createRecord(), { endedAt: NOON - keptMs })
      await store.writeBatch({ ...EMPTY, counted: [old, kept] })
      assert.deepEqual(await store.book.readCounted([old, kept]), [old, kept])
      const fresh = toUse(createRecord())
      await store.writeBatch({ ...EMPTY, counted: [fresh] })
      assert.deepEqual(await store.book.readCounted([old, kept, fresh]), [kept, fresh])
    })
  })
}

/** What a record counts, under a name of its own. */
export function toUse({ event }: UsageRecord, changes: Partial<CountedUse> = {}): CountedUse {
  const { provider, id, endedAt } = event
  return { provider, name: `response:${id}`, eventId: id, endedAt, ...changes }
}

async function tallyOf(store: LedgerStore): Promise<CallTally> {
  return (await store.book.readState()).tally
}

function byWorker(left: { worker: string }, right: { worker: string }): number {
  return left.worker < right.worker ? -1 : 1
}
