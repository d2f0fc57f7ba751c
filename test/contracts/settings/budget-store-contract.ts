// What every store of budgets must do, and how their changes are read.

import assert from 'node:assert/strict'
import type { AlertTarget } from '../../../src/core/alert.ts'
import type { BudgetSettings } from '../../../src/core/budget.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import { lastLine, PLAIN_BUDGET, PLAIN_KEY, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

/** One of each scope and period; the limits are the smallest and one that no 64 bits hold. */
const BUDGETS: readonly BudgetSettings[] = [
  PLAIN_BUDGET,
  { ...PLAIN_BUDGET, scope: { kind: 'api_key', keyId: 'svc_k_00000000' }, limit: 1n },
  { ...PLAIN_BUDGET, scope: { kind: 'provider', providerId: 'acme' }, limit: 10n ** 30n + 1n },
  { ...PLAIN_BUDGET, scope: { kind: 'model', pattern: 'acme/*' }, period: 'day', thresholds: [] },
  {
    ...PLAIN_BUDGET,
    name: 'Zürich, "quoted" 😀',
    scope: { kind: 'dim', key: 'team', value: 'a=b, "Zürich"' },
    period: 'week',
    thresholds: [1, 1000],
    each: 'none',
    isTargetsOnly: false,
    isBlocking: true,
  },
]

export function budgetStoreContract(run: Run): void {
  run('a created budget carries what was decided about it', async ({ store, reopen }) => {
    const other = await reopen()
    for (const settings of BUDGETS) {
      const budget = await store.budgets.create(settings)
      const { id, ...rest } = budget
      assert.match(id, /^bud_[0-9a-f]{16}$/)
      assert.deepEqual(rest, {
        ...settings,
        createdAt: START_MS,
        version: await lastLine(store),
      })
      assert.deepEqual(await other.budgets.find(id), budget)
    }
  })

  run('budgets are listed by age, those of one moment too', async ({ store, clock }) => {
    const ids: string[] = []
    for (let count = 0; count < 8; count += 1) {
      clock.nowMs += count % 2
      ids.push((await store.budgets.create(PLAIN_BUDGET)).id)
    }
    const listed = await store.budgets.list()
    assert.deepEqual(
      listed.map(({ id }) => id),
      ids,
    )
    assert.deepEqual((await store.budgets.readChanges(-1))?.budgets, listed)
  })

  run('an update changes what it names and nothing else', async ({ store }) => {
    const other = await store.budgets.create(PLAIN_BUDGET)
    let budget = await store.budgets.create(PLAIN_BUDGET)
    const { name, scope, period, limit, thresholds, isBlocking } = BUDGETS[4] as BudgetSettings
    const changes = [{ name }, { scope }, { period }, { limit: limit + 1n }, { thresholds }]
    for (const change of [...changes, { isBlocking }, { isBlocking: false, thresholds: [] }]) {
      const changed = await store.budgets.update(budget.id, change)
      assert.deepEqual(changed, { ...budget, ...change, version: await lastLine(store) })
      budget = changed
      assert.deepEqual(await store.budgets.list(), [other, budget])
    }
  })

  run('a removed budget is gone, with its targets and no others', async ({ store }) => {
    const budget = await store.budgets.create(PLAIN_BUDGET)
    const kept = await store.budgets.create(PLAIN_BUDGET)
    const targets: AlertTarget[] = []
    for (const budgetId of [budget.id, kept.id, null, budget.id]) {
      const target = { kind: 'email', address: 'ada@example.com', budgetId } as const
      targets.push(await store.targets.create(target))
    }
    assert.deepEqual(await store.budgets.remove(budget.id), budget)
    assert.deepEqual(await store.budgets.list(), [kept])
    assert.deepEqual(await store.targets.list(), [targets[1], targets[2]])
    assert.equal(await store.budgets.remove(budget.id), null)
  })

  run('a budget that does not exist is answered with null', async ({ store }) => {
    assert.equal(await store.budgets.find('bud_0000000000000000'), null)
    assert.equal(await store.budgets.update('bud_0000000000000000', { name: 'x' }), null)
    assert.equal(await store.budgets.remove('bud_0000000000000000'), null)
    assert.deepEqual(await store.budgets.list(), [])
  })

  run('every kind of change is seen, by another process too', async ({ store, reopen }) => {
    const reader = await reopen()
    let seen = await reader.budgets.readChanges(-1)
    assert.deepEqual(seen?.budgets, [])
    let id = ''
    const changes = [
      async () => void (id = (await store.budgets.create(PLAIN_BUDGET)).id),
      () => store.budgets.update(id, { limit: 1n }),
      () => store.budgets.remove(id),
    ]
    for (const change of changes) {
      const { revision }: { revision: number } = seen
      assert.equal(await reader.budgets.readChanges(revision), null)
      await change()
      seen = await reader.budgets.readChanges(revision)
      assert.ok(seen)
      assert.ok(seen.revision > revision)
      assert.deepEqual(seen.budgets, await store.budgets.list())
    }
  })

  run('what changed no budget is not seen', async ({ store }) => {
    const { id } = await store.budgets.create(PLAIN_BUDGET)
    const revision = await readRevision(store)
    await store.budgets.update(id, {})
    await store.budgets.update('bud_0000000000000000', { limit: 1n })
    await store.budgets.remove('bud_0000000000000000')
    await store.keys.create(PLAIN_KEY)
    assert.equal(await store.budgets.readChanges(revision), null)
  })

  run('a changed budget is no change to keys and prices', async ({ store }) => {
    const keys = await store.keys.readChanges(0)
    const prices = await store.prices.read()
    await store.budgets.create(PLAIN_BUDGET)
    assert.deepEqual(await store.keys.readChanges(keys.revision), keys)
    assert.equal(await store.prices.readChanges(prices.revision), null)
  })

  run('a reader ahead of the store is given everything', async ({ store }) => {
    const budget = await store.budgets.create(PLAIN_BUDGET)
    const revision = await readRevision(store)
    const seen = await store.budgets.readChanges(revision + 1000)
    assert.deepEqual(seen, { revision, budgets: [budget] })
  })

  run('a budget that makes no sense is refused, and nothing is written', async ({ store }) => {
    const budget = await store.budgets.create(PLAIN_BUDGET)
    const changes = [{ limit: 0n }, { limit: -1n }, { thresholds: [80, 50] }, { thresholds: [0] }]
    for (const change of [...changes, { thresholds: [50, 50] }, { thresholds: [1.5] }]) {
      await assert.rejects(store.budgets.create({ ...PLAIN_BUDGET, ...change }), /Weir defect/)
      await assert.rejects(store.budgets.update(budget.id, change), /Weir defect/)
    }
    assert.deepEqual(await store.budgets.list(), [budget])
  })
}

async function readRevision(store: SettingsStore): Promise<number> {
  const changes = await store.budgets.readChanges(-1)
  assert.ok(changes)
  return changes.revision
}
