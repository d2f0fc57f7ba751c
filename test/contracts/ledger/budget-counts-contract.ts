// What budgets spent, counted from what is on record: a budget that was made later, a limit, scope
// or cost that was changed. Part of the usage store's contract.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { BUDGET_PERIODS, amountAt, spanOf } from '../../../src/core/budget.ts'
import type { Budget, BudgetScope } from '../../../src/core/budget.ts'
import { createRequestId } from '../../../src/core/ids.ts'
import { toAnswerUsd } from '../../../src/core/money.ts'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { createCall } from '../request-log-contract.ts'
import {
  AT_NOON,
  CENT,
  createBudget,
  DAY_MS,
  DOLLAR,
  isCovered,
  percentsOf,
  readRaised,
  slugOf,
  spendPlainly,
  spentOf,
} from '../usage-budget-scene.ts'
import type { Raised } from '../usage-budget-scene.ts'
import { batchOf, createRecord, createStoreTest, NOON } from '../usage-scene.ts'
import { byForm } from '../../long-form.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const SCOPES: readonly BudgetScope[] = [
  { kind: 'global' },
  { kind: 'api_key', keyId: 'svc_k_one' },
  { kind: 'provider', providerId: 'north' },
  { kind: 'model', pattern: 'north/*' },
  { kind: 'dim', key: 'team', value: 'a' },
]
const BUDGETS: readonly Budget[] = SCOPES.flatMap((scope) =>
  BUDGET_PERIODS.map((period) =>
    createBudget({ id: `bud_${scope.kind}_${period}`, scope, period, limit: 4n * DOLLAR }),
  ),
)
const LINE = { repricing: null, at: NOON, who: 'me', what: 'all of it', prices: [] }

const RECORD = fc
  .record({
    keyId: fc.constantFrom('svc_k_one', 'svc_k_two', null),
    provider: fc.constantFrom('north', 'south'),
    model: fc.constantFrom('small', 'large', null),
    status: fc.constantFrom('delivered', 'aborted', 'denied'),
    team: fc.constantFrom(null, 'a', 'b'),
    endedAt: fc.oneof(
      fc.integer({ min: NOON - DAY_MS / 2, max: NOON + DAY_MS / 2 }),
      fc.integer({ min: NOON - DAY_MS * 20, max: NOON + DAY_MS * 20 }),
    ),
    // Some ran for days, and of some the clock was set back meanwhile.
    ranMs: fc.constantFrom(0, 1000, 2 * DAY_MS, 9 * DAY_MS, -2 * DAY_MS),
    amount: fc.oneof(fc.constantFrom(null, 0n, 2n * DOLLAR), fc.bigInt({ min: 0n, max: DOLLAR })),
  })
  .map(({ team, amount, ranMs, ...event }) => {
    const startedAt = event.endedAt - ranMs
    const dims = team === null ? {} : { team }
    const source = amount === null ? 'unpriced' : 'price-book'
    const id = createRequestId(startedAt)
    return createRecord({ ...event, startedAt, dims, id }, { amount, source })
  })

export function budgetCountsContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: budgets of every scope and period`, () => {
    test('come to the plain sums, whenever they were made', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(RECORD, { maxLength: 12 }), { maxLength: 4 }),
          (batches) =>
            withStores(createPlace, async ([early, late]) => {
              await early.progress.budgets.watch(BUDGETS, AT_NOON)
              for (const records of batches) {
                await early.writeBatch(batchOf(...records))
                await late.writeBatch(batchOf(...records))
              }
              const records = batches.flat()
              await assertSpend(early, records)
              // Never watched, then watched, then counted once more.
              await assertSpend(late, records)
              await late.progress.budgets.watch(BUDGETS, AT_NOON)
              await assertSpend(late, records)
              for (const store of [early, late]) await store.progress.budgets.recount(NOON)
              await assertSpend(early, records)
              await assertSpend(late, records)
              for (const store of [early, late]) await assertPeriods(store, records)
              const raised = (await readRaised(early)).toSorted(byBudget)
              assert.deepEqual(raised, raisePlainly(records).toSorted(byBudget))
              assert.deepEqual((await readRaised(late)).map(toName).toSorted(), namesOfNow(raised))
            }),
        ),
        { numRuns: byForm(3, 15), endOnFailure: true },
      )
    })
  })

  suite(`${name}: a budget that was changed`, () => {
    storeTest('speaks up at once when its limit falls below the spend', async (store) => {
      const budget = createBudget({ limit: 10n * DOLLAR })
      await store.progress.budgets.watch([budget], AT_NOON)
      await store.writeBatch(batchOf(createCall(NOON, {}, { amount: DOLLAR })))
      assert.deepEqual(await percentsOf(store), [])
      const nowMs = NOON + 5000
      const lowered = { ...budget, limit: 120n * CENT }
      await store.progress.budgets.watch([lowered], { slugOf, nowMs })
      const raised = await readRaised(store)
      assert.deepEqual(
        raised.map(({ percent, spentUsd, at }) => [percent, spentUsd, at]),
        [50, 80].map((percent) => [percent, 1, nowMs]),
      )
      await store.progress.budgets.watch([lowered], { slugOf, nowMs })
      assert.equal((await percentsOf(store)).length, 2)
    })

    storeTest('is armed again by a higher limit, and not by the old one', async (store) => {
      const budget = createBudget({ thresholds: [100] })
      await store.progress.budgets.watch([budget], AT_NOON)
      await store.writeBatch(batchOf(createCall(NOON, {}, { amount: DOLLAR })))
      await store.progress.budgets.watch([{ ...budget, limit: 2n * DOLLAR }], AT_NOON)
      assert.deepEqual(await percentsOf(store), [100])
      await store.writeBatch(batchOf(createCall(NOON, {}, { amount: DOLLAR })))
      assert.deepEqual(await percentsOf(store), [100, 100])
      await store.progress.budgets.watch([budget], AT_NOON)
      assert.deepEqual(await percentsOf(store), [100, 100])
    })

    storeTest('is counted afresh in another scope or period', async (store) => {
      const budget = createBudget()
      await store.progress.budgets.watch([budget], AT_NOON)
      const dims = { team: 'a' }
      await store.writeBatch(
        batchOf(
          createCall(NOON, { dims }, { amount: 3n }),
          createCall(NOON - 2 * DAY_MS, {}, { amount: 4n }),
        ),
      )
      const changes: readonly (readonly [Partial<Budget>, bigint])[] = [
        [{ period: 'day' }, 3n],
        [{ scope: { kind: 'dim', key: 'team', value: 'a' } }, 3n],
        [{}, 7n],
      ]
      for (const [change, spent] of changes) {
        const changed = { ...budget, ...change }
        assert.equal(await spentOf(store, changed), spent)
        await store.progress.budgets.watch([changed], AT_NOON)
        assert.equal(await spentOf(store, changed), spent)
      }
      await store.progress.budgets.watch([], AT_NOON)
      await store.writeBatch(batchOf(createCall(NOON, {}, { amount: DOLLAR })))
      assert.deepEqual(await percentsOf(store), [])
    })
  })

  suite(`${name}: a period that is over`, () => {
    const LATER = NOON + 40 * DAY_MS

    storeTest('follows costs that were changed since', async (store) => {
      await store.progress.budgets.watch(BUDGETS, AT_NOON)
      const event = { keyId: 'svc_k_one', dims: { team: 'a' } }
      const call = createCall(NOON, event, { amount: null, source: 'unpriced' })
      const other = createCall(NOON, event, { amount: 1n })
      await store.writeBatch(batchOf(call, other))
      await assertPeriods(store, [call, other])
      const after = { amount: DOLLAR, source: 'override', priceVersion: 'own' } as const
      await store.usage.upkeep.changeCosts([{ id: call.event.id, before: call.cost, after }], LINE)
      // The period that runs is another by now: no recount reaches this one.
      await store.progress.budgets.recount(LATER)
      await assertPeriods(store, [{ ...call, cost: after }, other])
    })

    storeTest('stays as it was counted once its calls are gone', async (store) => {
      await store.progress.budgets.watch(BUDGETS, AT_NOON)
      const event = { keyId: 'svc_k_one', dims: { team: 'a' } }
      const call = createCall(NOON, event, { amount: 5n })
      await store.writeBatch(batchOf(call))
      await store.usage.upkeep.removeRecords(LATER - (LATER % DAY_MS), 100)
      for (const budget of BUDGETS) {
        const span = spanOf(budget.period, NOON)
        const spend = await store.progress.budgets.readPeriod(budget, { slugOf, span })
        assert.equal(spend?.spent, isCovered(budget.scope, call.event) ? 5n : 0n, budget.id)
      }
      const others = BUDGETS.map((budget) => ({ ...budget, id: `${budget.id}_new` }))
      for (const budget of others) {
        const span = spanOf(budget.period, NOON)
        const spend = await store.progress.budgets.readPeriod(budget, { slugOf, span })
        const isSummed = budget.period === 'month' || !['model', 'dim'].includes(budget.scope.kind)
        assert.equal(spend?.spent, isSummed ? 5n : undefined, budget.id)
      }
    })
  })

  suite(`${name}: a recount`, () => {
    storeTest('follows costs that were changed, and judges', async (store) => {
      const budgets = BUDGETS.map((budget) => ({ ...budget, limit: DOLLAR, thresholds: [100] }))
      await store.progress.budgets.watch(budgets, AT_NOON)
      const call = createCall(
        NOON,
        { keyId: 'svc_k_one', dims: { team: 'a' } },
        { amount: null, source: 'unpriced' },
      )
      const other = createCall(NOON, { requestBytes: 9 }, { amount: 1n })
      await store.writeBatch(batchOf(call, other))
      const after = { amount: DOLLAR, source: 'override', priceVersion: 'own' } as const
      await store.usage.upkeep.changeCosts([{ id: call.event.id, before: call.cost, after }], LINE)
      await store.progress.budgets.recount(NOON)
      const changed = [{ ...call, cost: after }, other]
      await assertSpend(store, changed, budgets)
      assert.equal((await percentsOf(store)).length, budgets.length)
      await store.usage.upkeep.rebuildRollups({ isTrial: false })
      await store.progress.budgets.recount(NOON)
      await assertSpend(store, changed, budgets)
    })

    storeTest('leaves alone what it can no longer count', async (store) => {
      const budgets = BUDGETS.filter(({ period }) => period !== 'day')
      await store.progress.budgets.watch(budgets, AT_NOON)
      const event = { keyId: 'svc_k_one', dims: { team: 'a' } }
      const calls = [NOON - DAY_MS, NOON].map((at) => createCall(at, event, { amount: 5n }))
      await store.writeBatch(batchOf(...calls))
      await store.usage.upkeep.removeRecords(NOON - (NOON % DAY_MS), 100)
      await store.progress.budgets.recount(NOON)
      await assertSpend(store, calls, budgets)
    })

    storeTest('knows the sizes of calls where it goes by the calls themselves', async (store) => {
      const budget = createBudget({ scope: { kind: 'model', pattern: 'north/*' }, period: 'day' })
      await store.writeBatch(
        batchOf(
          createCall(NOON, { requestBytes: 3 }, { amount: 70n }),
          createCall(NOON, { requestBytes: 4 }, { amount: 10n }),
          createCall(NOON, { requestBytes: 9 }, { amount: 0n }),
        ),
      )
      const [spend] = await store.progress.budgets.readSpend([budget], AT_NOON)
      const { spent, calls, requestBytes, outputTokens, largest } = spend ?? {}
      assert.deepEqual([spent, calls, requestBytes, outputTokens, largest], [80n, 2, 7, 10, 70n])
    })

    storeTest('keeps the averages of the calls that were seen', async (store) => {
      const budget = createBudget()
      await store.writeBatch(batchOf(createCall(NOON, { requestBytes: 1 }, { amount: 70n })))
      await store.progress.budgets.watch([budget], AT_NOON)
      const unseen = await store.progress.budgets.readSpend([budget], AT_NOON)
      assert.deepEqual([unseen[0]?.spent, unseen[0]?.calls], [70n, 0])
      await store.writeBatch(batchOf(createCall(NOON, { requestBytes: 20 }, { amount: 10n })))
      await store.progress.budgets.recount(NOON)
      const [spend] = await store.progress.budgets.readSpend([budget], AT_NOON)
      const { spent, calls, requestBytes, outputTokens, largest } = spend ?? {}
      assert.deepEqual([spent, calls, requestBytes, outputTokens, largest], [80n, 8, 160, 40, 10n])
    })
  })
}

async function withStores(
  createPlace: () => Promise<UsageStoreLocation>,
  run: (stores: readonly [LedgerStore, LedgerStore]) => Promise<void>,
): Promise<void> {
  const places = [await createPlace(), await createPlace()] as const
  const stores = [await places[0].open(), await places[1].open()] as const
  try {
    await run(stores)
  } finally {
    for (const store of stores) await store.close()
    for (const place of places) await place.remove()
  }
}

/** Around noon: months, weeks and days with calls and without. */
async function assertPeriods(store: LedgerStore, records: readonly UsageRecord[]): Promise<void> {
  for (const budget of BUDGETS) {
    for (const days of [-20, -7, -1, 0, 1, 20]) {
      const atMs = NOON + days * DAY_MS
      const span = spanOf(budget.period, atMs)
      const spend = await store.progress.budgets.readPeriod(budget, { slugOf, span })
      const { spent, unpriced } = spendPlainly(budget, records, atMs)
      const read = [spend?.span, spend?.spent, spend?.unpriced]
      assert.deepEqual(read, [span, spent, unpriced], `${budget.id} ${days}`)
    }
  }
}

async function assertSpend(
  store: LedgerStore,
  records: readonly UsageRecord[],
  budgets: readonly Budget[] = BUDGETS,
): Promise<void> {
  const spends = await store.progress.budgets.readSpend(budgets, AT_NOON)
  const actual = spends.map(({ budgetId, spent, unpriced }) => ({ budgetId, spent, unpriced }))
  const expected = budgets.map((budget) => {
    return { budgetId: budget.id, ...spendPlainly(budget, records, NOON) }
  })
  assert.deepEqual(actual, expected)
}

/** Each budget walks over the calls by itself. */
function raisePlainly(records: readonly UsageRecord[]): readonly Raised[] {
  return BUDGETS.flatMap(({ id, scope, period, limit, thresholds }) => {
    const raised: Raised[] = []
    const spent = new Map<number, bigint>()
    for (const { event, cost } of records) {
      if (!isCovered(scope, event) || cost.amount === null) continue
      const start = spanOf(period, event.endedAt).startMs
      const before = spent.get(start) ?? 0n
      const after = before + cost.amount
      spent.set(start, after)
      for (const percent of thresholds) {
        const amount = amountAt(limit, percent)
        if (amount <= before || amount > after) continue
        const spentUsd = toAnswerUsd(after)
        raised.push({ budget: id, percent, spentUsd, start, at: event.endedAt })
      }
    }
    return raised
  })
}

function toName({ budget, start, percent }: Raised): string {
  return `${budget} ${start} ${String(percent).padStart(3)}`
}

function byBudget(one: Raised, other: Raised): number {
  return toName(one) < toName(other) ? -1 : 1
}

/** Those of the periods that hold the moment. */
function namesOfNow(raised: readonly Raised[]): readonly string[] {
  const starts = new Map(BUDGETS.map(({ id, period }) => [id, spanOf(period, NOON).startMs]))
  return raised.filter(({ budget, start }) => starts.get(budget) === start).map(toName)
}
