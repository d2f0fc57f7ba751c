// Budgets that are counted from many calls, while nodes go on to store some.

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import fc from 'fast-check'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import {
  AT_NOON,
  createBudget,
  DAY_MS,
  DOLLAR,
  percentsOf,
  spendPlainly,
} from '../../../../test/contracts/usage-budget-scene.ts'
import { batchOf, NOON } from '../../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { byForm, LONG_ONLY } from '../../../../test/long-form.ts'
import { createPostgresPlaces } from '../../../../test/fakes/postgres/usage-place.ts'
import { openPausingRelay } from '../../../../test/fakes/servers/pausing-relay.ts'
import type { PausingRelay } from '../../../../test/fakes/servers/pausing-relay.ts'
import type { Cleanups } from '../../../../test/fakes/servers/shared-server.ts'
import type { Budget } from '../../../core/budget.ts'
import type { Cost, UsageRecord } from '../../../core/usage-record.ts'
import { openClickhouseRecords } from '../../usage/clickhouse/open-records.ts'
import type { LedgerStore } from '../ledger-store.ts'
import { openPostgresLedger } from './store.ts'

const BUDGETS: readonly Budget[] = (['day', 'week'] as const).flatMap((period) => [
  createBudget({
    id: `dim_${period}`,
    scope: { kind: 'dim', key: 'team', value: 'a' },
    period,
    limit: 10n * DOLLAR,
    thresholds: [100],
  }),
  createBudget({ id: `model_${period}`, scope: { kind: 'model', pattern: 'north/*' }, period }),
])
const LINE = { repricing: null, at: NOON, who: 'me', what: 'all of it', prices: [] }

interface Scene {
  open(node: string): Promise<LedgerStore>
  /** A node whose questions about calls can be made to wait. */
  openSlow(node: string): Promise<LedgerStore>
  /** At the question that counts calls. */
  pause(): ReturnType<PausingRelay['pauseAt']>
}

type OpenScene = (context: Cleanups) => Promise<Scene>

const createBook = createPostgresPlaces(after)

const openPostgresScene: OpenScene = async (context) => {
  const place = await createBook()
  const { url } = place
  const relay = await openPausingRelay(context, url)
  context.after(() => place.remove())
  const open = (at: string, node: string) =>
    openPostgresLedger({ url: at, owner: { node, journal: 'a' } })
  return {
    open: (node) => open(url, node),
    openSlow: (node) => open(relay.url, node),
    pause: () => relay.pauseAt('FROM records'),
  }
}

const createCalls = createClickhousePlaces(after)

const openClickhouseScene: OpenScene = async (context) => {
  const place = await createCalls()
  const { url, callsUrl } = place
  const relay = await openPausingRelay(context, callsUrl)
  context.after(() => place.remove())
  const open = (at: string, node: string) =>
    openPostgresLedger({
      url,
      owner: { node, journal: 'a' },
      openRecords: openClickhouseRecords(at),
    })
  return {
    open: (node) => open(callsUrl, node),
    openSlow: (node) => open(relay.url, node),
    pause: () => relay.pauseAt('FROM calls'),
  }
}

async function assertSpend(store: LedgerStore, records: readonly UsageRecord[]): Promise<void> {
  const spends = await store.progress.budgets.readSpend(BUDGETS, AT_NOON)
  assert.deepEqual(
    spends.map(({ budgetId, spent, unpriced }) => ({ budgetId, spent, unpriced })),
    BUDGETS.map((budget) => ({ budgetId: budget.id, ...spendPlainly(budget, records, NOON) })),
  )
}

const CALL = fc
  .record({
    team: fc.constantFrom('a', 'b', null),
    provider: fc.constantFrom('north', 'south'),
    daysAgo: fc.constantFrom(0, 0, 1, 3),
    amount: fc.constantFrom(null, 0n, DOLLAR, 3n * DOLLAR),
  })
  .map(({ team, provider, daysAgo, amount }) => {
    const dims = team === null ? {} : { team }
    const source = amount === null ? 'unpriced' : 'price-book'
    return createCall(NOON - daysAgo * DAY_MS - 5000, { provider, dims }, { amount, source })
  })
/** What other nodes do before calls are counted, and meanwhile. */
const STEP = fc.oneof(
  fc.record({
    kind: fc.constant('store' as const),
    node: fc.constantFrom(0, 1),
    calls: fc.array(CALL, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('watch' as const), node: fc.constantFrom(0, 1) }),
  fc.record({ kind: fc.constant('recount' as const), node: fc.constantFrom(0, 1) }),
  fc.record({
    kind: fc.constant('reprice' as const),
    node: fc.constantFrom(0, 1),
    place: fc.nat({ max: 20 }),
  }),
)

type Step = typeof STEP extends fc.Arbitrary<infer Each> ? Each : never

const watch = (node: 0 | 1): Step => ({ kind: 'watch', node })
const store = (node: 0 | 1): Step => {
  return { kind: 'store', node, calls: [createCall(NOON, { dims: { team: 'a' } })] }
}
/** Another node adds to the row, makes it, or corrects it. */
const EXAMPLES: [Step[], Step[]][] = [
  [[watch(0), store(0)], [store(0)]],
  [[store(0)], [watch(0), watch(1), store(1)]],
  [[watch(0), store(1)], [watch(1)]],
  [
    [watch(0), store(1)],
    [watch(1), store(0), store(1)],
  ],
]

function recountSuite(name: string, openScene: OpenScene, numRuns: number): void {
  suite(name, () => {
    test('a node stores calls while another counts a budget, and both count', async (context) => {
      const scene = await openScene(context as Cleanups)
      const [counting, storing] = [await scene.openSlow('one'), await scene.open('two')]
      context.after(async () => {
        await counting.close()
        await storing.close()
      })
      const calls = [1, 2, 3].map(() =>
        createCall(NOON, { dims: { team: 'a' } }, { amount: DOLLAR }),
      )
      await storing.writeBatch(batchOf(calls[0] as UsageRecord))
      await storing.progress.budgets.watch(BUDGETS, AT_NOON)
      await storing.writeBatch(batchOf(calls[1] as UsageRecord))
      const pause = scene.pause()
      const watched = counting.progress.budgets.watch(BUDGETS, AT_NOON)
      await Promise.race([pause.reached, watched])
      // Under the lock, this one would wait for the other to be given up.
      await storing.writeBatch(batchOf(calls[2] as UsageRecord))
      await assertSpend(storing, calls)
      pause.resume()
      await watched
      await assertSpend(counting, calls)
    })

    test('a threshold that is reached while a budget is counted fires once', async (context) => {
      const scene = await openScene(context as Cleanups)
      const [counting, storing] = [await scene.openSlow('one'), await scene.open('two')]
      context.after(async () => {
        await counting.close()
        await storing.close()
      })
      const spend = (amount: bigint) =>
        batchOf(createCall(NOON, { dims: { team: 'a' }, provider: 'south' }, { amount }))
      await storing.progress.budgets.watch(BUDGETS, AT_NOON)
      await storing.writeBatch(spend(9n * DOLLAR))
      const pause = scene.pause()
      const watched = counting.progress.budgets.watch(BUDGETS, AT_NOON)
      await Promise.race([pause.reached, watched])
      await storing.writeBatch(spend(DOLLAR))
      pause.resume()
      await watched
      assert.deepEqual(await percentsOf(storing), [100, 100])
      await counting.writeBatch(spend(DOLLAR))
      assert.deepEqual(await percentsOf(storing), [100, 100])
    })

    test('whatever happens while a budget is counted, every call is in it once', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(STEP, { maxLength: 4 }),
          fc.array(STEP, { maxLength: 4 }),
          (before, meanwhile) => assertExact(openScene, before, meanwhile),
        ),
        { numRuns, examples: EXAMPLES, endOnFailure: true },
      )
    })
  })
}

async function assertExact(
  openScene: OpenScene,
  before: readonly Step[],
  meanwhile: readonly Step[],
): Promise<void> {
  const cleanups: (() => Promise<void>)[] = []
  const scene = await openScene({ after: (cleanup) => cleanups.push(cleanup) })
  const counting = await scene.openSlow('one')
  const others = [await scene.open('two'), await scene.open('three')]
  const records: UsageRecord[] = []
  const aware = new Set<LedgerStore>()
  const uncounted = new Set<LedgerStore>()
  const change = async (store: LedgerStore, place: number): Promise<void> => {
    const known = records[place % Math.max(1, records.length)]
    if (known === undefined) return
    const cost: Cost = { amount: 2n * DOLLAR, source: 'override', priceVersion: 'own' }
    const changed = { id: known.event.id, before: known.cost, after: cost }
    await store.usage.upkeep.changeCosts([changed], LINE)
    records[records.indexOf(known)] = { ...known, cost }
  }
  const take = async (step: Step): Promise<void> => {
    const store = others[step.node] as LedgerStore
    switch (step.kind) {
      case 'store':
        await store.writeBatch(batchOf(...step.calls))
        records.push(...step.calls)
        if (!aware.has(store)) uncounted.add(store)
        break
      case 'watch':
        await store.progress.budgets.watch(BUDGETS, AT_NOON)
        aware.add(store)
        uncounted.delete(store)
        break
      case 'recount':
        await store.progress.budgets.recount(NOON)
        break
      case 'reprice':
        await change(store, step.place)
        break
    }
  }
  try {
    for (const step of before) await take(step)
    const pause = scene.pause()
    const watched = counting.progress.budgets.watch(BUDGETS, AT_NOON)
    await Promise.race([pause.reached, watched])
    for (const step of meanwhile) await take(step)
    pause.resume()
    await watched
    // Nodes that stored calls before they knew the budgets count these when they do, and costs that
    // were changed are noticed.
    for (const store of uncounted) await store.progress.budgets.watch(BUDGETS, AT_NOON)
    await counting.progress.budgets.recount(NOON)
    await assertSpend(counting, records)
  } finally {
    for (const store of [counting, ...others]) await store.close()
    for (const cleanup of cleanups) await cleanup()
  }
}

recountSuite('PostgreSQL', openPostgresScene, byForm(3, 30))
const skip = NEEDS_CLICKHOUSE || LONG_ONLY
if (skip === false) recountSuite('ClickHouse', openClickhouseScene, 8)
else test('ClickHouse', { skip })
