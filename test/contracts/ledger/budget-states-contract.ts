// What every ledger's book must do about budgets: count them with the calls, and raise each
// threshold at the exact call, once. Counting from what is on record is in
// budget-counts-contract.ts.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { BUDGET_PERIODS, spanOf } from '../../../src/core/budget.ts'
import { createTokenCounts } from '../../../src/core/token-counts.ts'
import { createCall } from '../request-log-contract.ts'
import {
  AT_NOON,
  CENT,
  createBudget,
  DAY_MS,
  DOLLAR,
  percentsOf,
  readRaised,
  slugOf,
  spentOf,
} from '../usage-budget-scene.ts'
import { budgetCountsContract } from './budget-counts-contract.ts'
import { eachBudgetsContract } from './each-budgets-contract.ts'
import { batchOf, createStoreTest, NOON } from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const BUDGET = createBudget()

/** Calls of the cents, a second apart. */
function costing(...cents: readonly number[]) {
  return cents.map((count, index) =>
    createCall(NOON + index * 1000, {}, { amount: BigInt(count) * CENT }),
  )
}

export function budgetStatesContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)
  budgetCountsContract(name, createPlace)
  eachBudgetsContract(name, createPlace)

  suite(`${name}: thresholds of budgets`, () => {
    for (const size of [1, 2, 5]) {
      storeTest(`fire at the exact call, once, in batches of ${size}`, async (store) => {
        const calls = costing(30, 20, 45, 4, 1, 30)
        await store.progress.budgets.watch([BUDGET], AT_NOON)
        for (let at = 0; at < calls.length; at += size) {
          await store.writeBatch(batchOf(...calls.slice(at, at + size)))
        }
        const [, second, third, , fifth] = calls.map(({ event }) => event.endedAt)
        const { startMs: start } = spanOf('month', NOON)
        const own = { budget: 'bud_1', start }
        assert.deepEqual(await readRaised(store), [
          { ...own, percent: 50, spentUsd: 0.5, at: second },
          { ...own, percent: 80, spentUsd: 0.95, at: third },
          { ...own, percent: 100, spentUsd: 1, at: fifth },
        ])
        assert.equal(await spentOf(store, BUDGET), 130n * CENT)
      })
    }

    storeTest('are reached to the last pico-dollar, not before', async (store) => {
      const budget = createBudget({ limit: 3n, thresholds: [50, 100] })
      await store.progress.budgets.watch([budget], AT_NOON)
      const counts: number[] = []
      for (let step = 0; step < 3; step += 1) {
        await store.writeBatch(batchOf(createCall(NOON, {}, { amount: 1n })))
        counts.push((await percentsOf(store)).length)
      }
      assert.deepEqual(counts, [0, 1, 2])
    })

    storeTest('of several budgets come in the order of the calls', async (store) => {
      const second = createBudget({ id: 'bud_2', limit: 30n * CENT, thresholds: [100] })
      await store.progress.budgets.watch([{ ...BUDGET, thresholds: [50] }, second], AT_NOON)
      await store.writeBatch(batchOf(...costing(10, 20, 20)))
      const raised = await readRaised(store)
      assert.deepEqual(
        raised.map(({ budget, percent }) => [budget, percent]),
        [
          ['bud_2', 100],
          ['bud_1', 50],
        ],
      )
    })

    storeTest('are not moved by what is free, denied or not known', async (store) => {
      const budget = createBudget({ limit: 1n })
      await store.progress.budgets.watch([budget], AT_NOON)
      await store.writeBatch(
        batchOf(
          createCall(NOON, {}, { amount: 0n, source: 'byok-zero' }),
          createCall(NOON, { chargeable: false }, { amount: 0n, source: 'free' }),
          createCall(NOON, { status: 'denied' }, { amount: 5n }),
          createCall(NOON, {}, { amount: null, source: 'unpriced' }),
        ),
      )
      assert.deepEqual(await percentsOf(store), [])
      const [spend] = await store.progress.budgets.readSpend([budget], AT_NOON)
      assert.deepEqual([spend?.spent, spend?.calls, spend?.unpriced], [0n, 0, 1])
    })

    for (const period of BUDGET_PERIODS) {
      storeTest(`start again with the next ${period}`, async (store) => {
        const budget = createBudget({ period, thresholds: [100] })
        const span = spanOf(period, NOON)
        await store.progress.budgets.watch([budget], AT_NOON)
        const [last, first] = [span.endMs - 1, span.endMs].map((endedAt) =>
          createCall(endedAt - 1000, { endedAt }, { amount: DOLLAR }),
        )
        assert.ok(last !== undefined && first !== undefined)
        await store.writeBatch(batchOf(last))
        assert.equal(await spentOf(store, budget, span.endMs - 1), DOLLAR)
        assert.equal(await spentOf(store, budget, span.endMs), 0n)
        await store.writeBatch(batchOf(first))
        assert.equal(await spentOf(store, budget, span.endMs), DOLLAR)
        const starts = (await readRaised(store)).map(({ start }) => start)
        assert.deepEqual(starts, [span.startMs, span.endMs])
        const [previous] = await store.progress.budgets.readPreviousSpend([budget], span.endMs)
        assert.deepEqual([previous?.span, previous?.spent], [span, DOLLAR])
        assert.deepEqual(await store.progress.budgets.readPreviousSpend([budget], NOON), [])
      })
    }
  })

  suite(`${name}: budgets whatever happens`, () => {
    storeTest('count a batch that comes twice once', async (store) => {
      await store.progress.budgets.watch([BUDGET], AT_NOON)
      const [known, ...calls] = costing(30, 30, 50)
      assert.ok(known !== undefined)
      await store.writeBatch(batchOf(known, known))
      for (let time = 0; time < 2; time += 1) await store.writeBatch(batchOf(known, ...calls))
      assert.equal(await spentOf(store, BUDGET), 110n * CENT)
      assert.deepEqual(await percentsOf(store), [50, 80, 100])
    })

    storeTest('keep neither spend nor alert of a batch that fails', async (store) => {
      const weekly = createBudget({ id: 'bud_2', period: 'week', thresholds: [1000] })
      await store.progress.budgets.watch([BUDGET, weekly], AT_NOON)
      await store.writeBatch(batchOf(...costing(10)))
      const calls = costing(60, 40)
      const next = createCall(NOON + 40 * DAY_MS, {}, { amount: DOLLAR })
      for (const changes of [{ endedAt: Number.NaN }, { endedAt: 1e20 }, { requestBytes: 1e300 }]) {
        const broken = createCall(NOON, changes)
        const blamed = { name: 'UnstorableRecord', eventId: broken.event.id }
        await assert.rejects(store.writeBatch(batchOf(...calls, next, broken)), blamed)
        assert.equal(await spentOf(store, BUDGET), 10n * CENT)
        assert.deepEqual(await percentsOf(store), [])
      }
      await store.writeBatch(batchOf(...calls))
      assert.equal(await spentOf(store, BUDGET), 110n * CENT)
      assert.deepEqual(await percentsOf(store), [50, 80, 100])
    })

    test('neither repeat nor forget a threshold over restarts', async () => {
      const place = await createPlace()
      try {
        for (const [index, call] of costing(50, 20, 20, 20).entries()) {
          const store = await place.open()
          await store.progress.budgets.watch([BUDGET], AT_NOON)
          await store.writeBatch(batchOf(call))
          const expected = [[50], [50], [50, 80], [50, 80, 100]]
          assert.deepEqual(await percentsOf(store), expected[index])
          await store.close()
        }
      } finally {
        await place.remove()
      }
    })

    test('are counted together by two who write', async () => {
      const place = await createPlace()
      const stores = [await place.open(), await place.open()]
      try {
        for (const store of stores) await store.progress.budgets.watch([BUDGET], AT_NOON)
        const next = NOON + 31 * DAY_MS
        for (const atMs of [NOON, next]) {
          for (const store of [...stores, ...stores]) {
            await store.writeBatch(batchOf(createCall(atMs, {}, { amount: 30n * CENT })))
          }
        }
        for (const store of stores) {
          assert.equal(await spentOf(store, BUDGET, next), 120n * CENT)
          assert.deepEqual(await percentsOf(store), [50, 80, 100, 50, 80, 100])
        }
      } finally {
        for (const store of stores) await store.close()
        await place.remove()
      }
    })

    test('are counted whole by a process that learns of them later than another that writes', async () => {
      const place = await createPlace()
      const [store, other] = [await place.open(), await place.open()]
      try {
        const scope = { kind: 'dim', key: 'team', value: 'a' } as const
        const fresh = createBudget({ id: 'bud_2', scope, period: 'day' })
        await store.progress.budgets.watch([BUDGET], AT_NOON)
        await other.progress.budgets.watch([BUDGET, fresh], AT_NOON)
        const call = () => createCall(NOON, { dims: { team: 'a' } }, { amount: 30n * CENT })
        await store.writeBatch(batchOf(call()))
        await store.progress.budgets.watch([BUDGET, fresh], AT_NOON)
        assert.equal(await spentOf(store, fresh), 30n * CENT)
        for (const each of [store, other]) await each.writeBatch(batchOf(call()))
        assert.equal(await spentOf(other, fresh), 90n * CENT)
      } finally {
        await store.close()
        await other.close()
        await place.remove()
      }
    })

    test('that come back with a backup know what was spent without them', async () => {
      const place = await createPlace()
      try {
        const scope = { kind: 'model', pattern: 'north/*' } as const
        const budget = createBudget({ scope, period: 'week' })
        const watched = [[budget], [], [budget]]
        for (const [index, call] of costing(10, 20, 40).entries()) {
          const store = await place.open()
          await store.progress.budgets.watch(watched[index] ?? [], AT_NOON)
          await store.writeBatch(batchOf(call))
          if (index === 2) assert.equal(await spentOf(store, budget), 70n * CENT)
          await store.close()
        }
      } finally {
        await place.remove()
      }
    })

    storeTest('that were made before the clock was set back count from now on', async (store) => {
      const budget = createBudget({ createdAt: NOON + 90 * DAY_MS })
      await store.progress.budgets.watch([budget], AT_NOON)
      await store.writeBatch(batchOf(...costing(60)))
      assert.equal(await spentOf(store, budget), 60n * CENT)
      assert.deepEqual(await percentsOf(store), [50])
    })

    storeTest(
      'keep no call from being stored, not on the first nor the last day',
      async (store) => {
        const scope = { kind: 'dim', key: 'team', value: 'a' } as const
        const budgets = BUDGET_PERIODS.flatMap((period) => [
          createBudget({ id: `bud_${period}`, period }),
          createBudget({ id: `bud_${period}_dim`, period, scope }),
        ])
        await store.progress.budgets.watch(budgets, AT_NOON)
        for (const endedAt of [0, Date.UTC(9999, 11, 31, 12)]) {
          const calls = [1, 2].map(() =>
            createCall(NOON, { endedAt, dims: { team: 'a' } }, { amount: CENT }),
          )
          for (const call of calls) await store.writeBatch(batchOf(call))
          for (const budget of budgets)
            assert.equal(await spentOf(store, budget, endedAt), 2n * CENT, budget.id)
        }
      },
    )

    test('catch up with their first call on what others stored in a period', async () => {
      const place = await createPlace()
      const [store, other] = [await place.open(), await place.open()]
      try {
        await store.progress.budgets.watch([BUDGET], AT_NOON)
        const next = NOON + 31 * DAY_MS
        await other.writeBatch(batchOf(createCall(next, {}, { amount: 60n * CENT })))
        await store.writeBatch(batchOf(createCall(next, {}, { amount: 20n * CENT })))
        const raised = await readRaised(store)
        assert.deepEqual(
          raised.map(({ percent, spentUsd }) => [percent, spentUsd]),
          [
            [50, 0.6],
            [80, 0.8],
          ],
        )
      } finally {
        await store.close()
        await other.close()
        await place.remove()
      }
    })

    storeTest('say nothing about periods that were over when they were made', async (store) => {
      const { startMs } = spanOf('month', NOON)
      const budgets = [BUDGET, createBudget({ id: 'bud_2', createdAt: startMs })]
      await store.progress.budgets.watch(budgets, AT_NOON)
      await store.writeBatch(batchOf(createCall(startMs - 5000, {}, { amount: DOLLAR })))
      assert.deepEqual(
        [...new Set((await readRaised(store)).map(({ budget }) => budget))],
        ['bud_1'],
      )
    })

    storeTest('add up sizes and the most expensive call, and money beyond 2^63', async (store) => {
      await store.progress.budgets.watch([BUDGET], AT_NOON)
      const [huge, tokens] = [10n ** 24n, createTokenCounts({ input: 1, output: 7 })]
      await store.writeBatch(
        batchOf(
          createCall(NOON, { requestBytes: 100, tokens }, { amount: huge }),
          createCall(NOON, { requestBytes: 50, tokens: null }, { amount: huge - 1n }),
          createCall(NOON, { requestBytes: 9, tokens }, { amount: 0n }),
        ),
      )
      const [spend] = await store.progress.budgets.readSpend([BUDGET], AT_NOON)
      assert.deepEqual(spend, {
        budgetId: 'bud_1',
        span: spanOf('month', NOON),
        sinceMs: NOON,
        spent: 2n * huge - 1n,
        calls: 2,
        requestBytes: 150,
        outputTokens: 7,
        largest: huge,
        unpriced: 0,
      })
    })
  })

  test(`${name}: a thousand budgets do not slow a batch down`, async (context) => {
    const place = await createPlace()
    const store = await place.open()
    try {
      const teams = Array.from({ length: 999 }, (_, index) => `t${index}`)
      const budgets = teams.map((value, index) =>
        createBudget({
          id: `bud_${value}`,
          scope: { kind: 'dim', key: 'team', value },
          period: BUDGET_PERIODS[index % 3] as 'day',
        }),
      )
      const calls = Array.from({ length: 10_000 }, (_, index) =>
        createCall(NOON, { dims: { team: teams[index % 999] as string } }, { amount: CENT }),
      )
      const batches = [calls.slice(0, 1000), calls.slice(1000, 5500), calls.slice(5500)]
      await store.writeBatch(batchOf(...(batches[0] ?? [])))
      const plain = await measureCpu(() => store.writeBatch(batchOf(...(batches[1] ?? []))))
      const watching = await measureCpu(() =>
        store.progress.budgets.watch([BUDGET, ...budgets], { slugOf, nowMs: NOON }),
      )
      const counting = await measureCpu(() => store.writeBatch(batchOf(...(batches[2] ?? []))))
      context.diagnostic(
        `CPU ms: 4500 calls ${plain}, with 1000 budgets ${counting}; counted at first ${watching}`,
      )
      assert.equal(await spentOf(store, BUDGET), 100n * DOLLAR)
      const spends = await store.progress.budgets.readSpend(budgets, AT_NOON)
      const total = spends.reduce((sum, { spent }) => sum + spent, 0n)
      assert.equal(total, 100n * DOLLAR)
      const tomorrow = NOON + DAY_MS
      const looking = await measureCpu(async () => {
        const before = await store.progress.budgets.readPreviousSpend(budgets, tomorrow)
        assert.equal(before.length, 333)
      })
      context.diagnostic(`CPU ms: a look at the periods before ${looking}`)
      assert.ok(looking < 100, `${looking} ms of CPU: each budget must not read the rows of all`)
    } finally {
      await store.close()
      await place.remove()
    }
  })
}

async function measureCpu(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / 1000)
}
