// What every ledger's book must keep: how far the journals were read, which calls are open, the
// tally of calls, and which objects were counted.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import { COUNTED_KEPT_DAYS } from '../../../src/store/ledger/ledger-progress.ts'
import type { CallTally, CountedUse } from '../../../src/store/ledger/ledger-progress.ts'
import { createCountOnce } from '../../../src/ledger/count-once.ts'
import { CountedMeanwhile } from '../../../src/store/ledger/ledger-store.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import {
  batchOf,
  createOpening,
  createRecord,
  createStoreTest,
  EMPTY,
  everyAnswer,
  NOON,
  total,
} from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const DAY_MS = 86_400_000

export function ledgerProgressContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: ledger state`, () => {
    storeTest('is empty at the beginning', async (store) => {
      const tally = { forwarded: 0, recorded: 0, dead: 0 }
      assert.deepEqual(await store.progress.readState(), { cursors: [], openCalls: [], tally })
    })

    storeTest('keeps cursors and open calls, and settles them', async (store) => {
      const cursors = [
        { worker: 'w1', segment: 1, offset: 100, sequence: 4, forwarded: 2 },
        { worker: 'w2', segment: 7, offset: 0, sequence: 9, forwarded: 0 },
      ]
      const first = { worker: 'w1', opening: createOpening({ dims: { team: 'ä"' } }) }
      const second = { worker: 'w2', opening: createOpening({ operation: null }) }
      await store.writeBatch({ ...EMPTY, cursors, opened: [first, second] })
      const state = await store.progress.readState()
      assert.deepEqual(state.cursors.toSorted(byWorker), cursors)
      assert.deepEqual(state.openCalls.toSorted(byWorker), [first, second])

      const moved = { worker: 'w1', segment: 2, offset: 5, sequence: 6, forwarded: 3 }
      await store.writeBatch({ ...EMPTY, cursors: [moved], settledIds: [first.opening.id] })
      const later = await store.progress.readState()
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
        assert.deepEqual((await store.progress.readState()).openCalls, [
          { ...call, uncounted: event },
        ])
        await store.writeBatch({
          ...batchOf({ ...createRecord(), event }),
          settledIds: [opening.id],
        })
        assert.deepEqual((await store.progress.readState()).openCalls, [])
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
          const { tally: _, ...state } = await store.progress.readState()
          assert.deepEqual(state, states[at])
          const tallies = await store.progress.readTallies()
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
        assert.deepEqual(await second.progress.readState(), { cursors, openCalls, tally })
        assert.deepEqual(await everyAnswer(second), before)
        assert.deepEqual(await second.progress.readCounted(counted), counted)
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
      assert.deepEqual(await store.progress.readCounted([unknown, use, other]), [use])
      assert.deepEqual(await store.progress.readCounted([]), [])
    })

    storeTest('keeps who counted an object first', async (store) => {
      const first = toUse(createRecord(), { name: 'batch:b' })
      const second = toUse(createRecord(), { name: 'batch:b' })
      await store.writeBatch({ ...EMPTY, counted: [first, second] })
      await store.writeBatch({ ...EMPTY, counted: [second] })
      assert.deepEqual(await store.progress.readCounted([second]), [first])
    })

    storeTest('forgets objects that are older than sixty days with calls', async (store) => {
      const days = Array.from({ length: COUNTED_KEPT_DAYS + 2 }, (_, day) =>
        toUse(createRecord(), { endedAt: NOON - day * DAY_MS }),
      )
      for (const use of days.toReversed()) await store.writeBatch({ ...EMPTY, counted: [use] })
      assert.deepEqual(await store.progress.readCounted(days), days.slice(0, -1))
    })

    storeTest('forgets nothing for one call under a clock that is far ahead', async (store) => {
      const known = toUse(createRecord())
      await store.writeBatch({ ...EMPTY, counted: [known] })
      const ahead = toUse(createRecord(), { endedAt: NOON + 3650 * DAY_MS })
      await store.writeBatch({ ...EMPTY, counted: [ahead] })
      await store.writeBatch({ ...EMPTY, counted: [toUse(createRecord())] })
      assert.deepEqual(await store.progress.readCounted([known, ahead]), [known, ahead])
    })

    test('an object that another process counted meanwhile undoes the batch', async () => {
      const place = await createPlace()
      const [one, other] = [await place.open(), await place.open()]
      try {
        const name = 'response:r1'
        const [first, second] = [
          createRecord({ countedAs: name }),
          createRecord({ countedAs: name }),
        ]
        await one.writeBatch({ ...batchOf(first), counted: [toUse(first, { name })] })
        const late = { ...batchOf(second), counted: [toUse(second, { name })], forwarded: 1 }
        await assert.rejects(other.writeBatch(late), CountedMeanwhile)
        assert.equal(await other.usage.readRecord(second.event.id), null)
        assert.deepEqual(await tallyOf(other), { forwarded: 0, recorded: 1, dead: 0 })
        // What the ledger and a replay do then: they ask again, and the call has used nothing.
        const counted = await other.progress.readCounted([toUse(second, { name })])
        const event = createCountOnce(counted).take(second.event)
        await other.writeBatch({ ...batchOf({ ...second, event }), forwarded: 1 })
        assert.equal((await total(one))?.tokens, 15)
        // The first may come again: it is its own count.
        await one.writeBatch({ ...batchOf(first), counted: [toUse(first, { name })] })
        assert.equal((await total(one))?.requests, 2)
      } finally {
        for (const store of [one, other]) await store.close()
        await place.remove()
      }
    })
  })
}

/** What a record counts, under a name of its own. */
export function toUse({ event }: UsageRecord, changes: Partial<CountedUse> = {}): CountedUse {
  const { provider, id, endedAt } = event
  return { provider, name: `response:${id}`, eventId: id, endedAt, ...changes }
}

async function tallyOf(store: LedgerStore): Promise<CallTally> {
  return (await store.progress.readState()).tally
}

function byWorker(left: { worker: string }, right: { worker: string }): number {
  return left.worker < right.worker ? -1 : 1
}
