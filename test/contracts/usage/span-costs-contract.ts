// What every usage store must tell of spans that cut days, and of its first call. Part of the usage
// store's contract.

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { createRequestId } from '../../../src/core/ids.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { createCall } from '../request-log-contract.ts'
import { batchOf, createStoreTest, NOON } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const TODAY = NOON - (NOON % DAY_MS)

const costOf = async (store: LedgerStore, startMs: number, endMs: number) =>
  (await store.usage.readSnapshot({ questions: [], spans: [{ startMs, endMs }] })).costs[0]

/** Each costs twice as much as the one before: a sum tells which are in it. */
const endingAt = (...ends: readonly number[]) =>
  batchOf(
    ...ends.map((endedAt, index) =>
      createCall(endedAt - 1000, { endedAt }, { amount: 1n << BigInt(index) }),
    ),
  )

export function spanCostsContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: the cost of a span`, () => {
    storeTest('goes by the end of calls, to the millisecond', async (store) => {
      const [from, to] = [TODAY + HOUR_MS, TODAY + 2 * DAY_MS + HOUR_MS]
      await store.writeBatch(
        endingAt(TODAY, from - 1, from, TODAY + DAY_MS, NOON + DAY_MS, to - 1, to, to + HOUR_MS),
      )
      for (const [startMs, endMs, expected] of [
        [from, to, 4n + 8n + 16n + 32n],
        [from, NOON, 4n],
        [from - 1, from, 2n],
        [TODAY, TODAY + DAY_MS, 7n],
        [from, TODAY + DAY_MS, 4n],
        [TODAY + DAY_MS, to, 8n + 16n + 32n],
        [TODAY, TODAY, 0n],
      ] as const) {
        assert.equal(await costOf(store, startMs, endMs), expected)
      }
    })

    storeTest('leaves out refused calls, and counts unknown costs as nothing', async (store) => {
      await store.writeBatch(
        batchOf(
          createCall(NOON, { status: 'denied' }, { amount: 1n }),
          createCall(NOON, {}, { amount: null, source: 'unpriced' }),
          createCall(NOON, { endedAt: NOON + 5, startedAt: NOON - 3 * DAY_MS }, { amount: 4n }),
        ),
      )
      assert.equal(await costOf(store, NOON, NOON + HOUR_MS), 4n)
    })

    storeTest('is not known where records of a day that it cuts are gone', async (store) => {
      await store.writeBatch(endingAt(NOON - HOUR_MS, NOON + DAY_MS))
      assert.equal(await costOf(store, TODAY, NOON + DAY_MS + 1), 3n)
      await store.usage.upkeep.removeRecords(TODAY + DAY_MS, 10)
      assert.equal(await costOf(store, NOON - DAY_MS, NOON + DAY_MS + 1), 3n)
      assert.equal(await costOf(store, NOON - HOUR_MS, NOON + DAY_MS + 1), null)
      assert.equal(await costOf(store, TODAY, TODAY + DAY_MS), 1n)
    })

    storeTest('is exact beyond 2^63, and whenever its calls began', async (store) => {
      const huge = 10n ** 23n + 1n
      await store.writeBatch(
        batchOf(
          createCall(NOON, {}, { amount: huge }),
          createCall(NOON, {}, { amount: huge }),
          createCall(NOON + HOUR_MS, {}, { amount: huge }),
        ),
      )
      assert.equal(await costOf(store, NOON, NOON + HOUR_MS), 2n * huge)
      const times = { id: createRequestId(NOON - 5 * DAY_MS), endedAt: NOON + 5 }
      await store.writeBatch(batchOf(createCall(NOON, times, { amount: 7n })))
      assert.equal(await costOf(store, NOON, NOON + HOUR_MS), 2n * huge + 7n)
    })

    storeTest('is of the moment of the sums', async (store) => {
      await store.writeBatch(endingAt(NOON, NOON + 1))
      const period = { grain: 'month', from: '2026-10', to: '2026-10' } as const
      const moment = await store.usage.readSnapshot({
        questions: [{ period, grouping: { by: 'total' }, keyId: null }],
        spans: [{ startMs: NOON, endMs: NOON + 1 }],
      })
      assert.deepEqual([moment.sums[0]?.[0]?.cost, moment.costs], [3n, [1n]])
    })
  })

  suite(`${name}: the first call`, () => {
    storeTest('is the first that was forwarded, however late it is stored', async (store) => {
      assert.equal(await store.usage.readFirstCallAt(), null)
      await store.writeBatch(batchOf(createCall(NOON - DAY_MS, { status: 'denied' })))
      assert.equal(await store.usage.readFirstCallAt(), null)
      await store.writeBatch(batchOf(createCall(NOON)))
      assert.equal(await store.usage.readFirstCallAt(), NOON)
      await store.writeBatch(batchOf(createCall(NOON - HOUR_MS)))
      assert.equal(await store.usage.readFirstCallAt(), NOON - HOUR_MS)
    })

    storeTest('stays on its day when its record is removed', async (store) => {
      await store.writeBatch(batchOf(createCall(NOON), createCall(NOON + 3 * DAY_MS)))
      await store.usage.upkeep.removeRecords(TODAY + DAY_MS, 10)
      assert.equal(await store.usage.readFirstCallAt(), TODAY)
    })
  })
}
