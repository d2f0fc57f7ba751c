import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  createKnownNode,
  createNodeReport,
  STORED_JOURNAL,
} from '../../../test/nodes/known-nodes.ts'
import { CENT, DOLLAR, slugOf } from '../../../test/contracts/usage-budget-scene.ts'
import { batchOf, createRecord, NOON } from '../../../test/contracts/usage-scene.ts'
import { openTestDatabase } from '../../../test/fakes/postgres/test-database.ts'
import { createTestConfig } from '../../../test/fakes/role-process.ts'
import type { BudgetSettings } from '../../core/budget.ts'
import { systemClock } from '../../core/clock.ts'
import { openPostgresLedger } from '../../store/ledger/postgres/store.ts'
import type { JournalReport, KnownNode } from '../../store/nodes/node-store.ts'
import { SILENT_MS } from '../../store/nodes/node-store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { migrateStores } from '../../store/databases.ts'
import { openPostgresSettings } from '../../store/settings/postgres/store.ts'
import { createMeter } from '../meter.ts'
import { areCaughtUp, listLeaderChores } from './leader-work.ts'

const AT = 1_000_000_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const JOURNAL: JournalReport = { ...STORED_JOURNAL, caughtUpAt: AT }
const NODE: KnownNode = createKnownNode({ journal: JOURNAL, seenAt: AT })
const BUDGET: BudgetSettings = {
  name: 'everything',
  scope: { kind: 'global' },
  period: 'month',
  limit: DOLLAR,
  thresholds: [],
  each: 'none',
  isTargetsOnly: false,
  isBlocking: false,
}
const behind = (ms: number): JournalReport => ({ ...JOURNAL, caughtUpAt: AT - ms })

const NODES: readonly (readonly [what: string, node: Partial<KnownNode>, isCaughtUp: boolean])[] = [
  ['has just read all of its journal', {}, true],
  ['had read all of it a minute ago', { journal: behind(MINUTE_MS) }, true],
  ['had read all of it longer ago', { journal: behind(MINUTE_MS + 1) }, false],
  ['has never read all of it', { journal: { ...JOURNAL, caughtUpAt: null } }, false],
  ['has not told of its journal yet', { journal: null }, false],
  ['drains, and is behind', { state: 'draining', journal: behind(DAY_MS) }, false],
  ['has left, and was behind', { state: 'left', journal: behind(DAY_MS) }, true],
  ['was seen five seconds ago', { seenAt: AT - SILENT_MS, journal: null }, false],
  ['is silent', { seenAt: AT - SILENT_MS - 1, journal: null }, true],
  ['has no journal, as an API', { role: 'api', journal: null }, true],
]

for (const [what, changes, isCaughtUp] of NODES) {
  test(`a node that ${what} is ${isCaughtUp ? 'not ' : ''}waited for`, async () => {
    const nodes = [NODE, { ...NODE, id: 'b', ...changes }]
    assert.equal(await areCaughtUp({ list: async () => ({ at: AT, nodes }) }), isCaughtUp)
  })
}

async function openStores(t: TestContext) {
  const url = await openTestDatabase(t)
  await migrateStores({ settings: url, usage: url })
  const clock = { now: () => NOON, monotonic: () => 0 }
  const settings = await openPostgresSettings({ url, clock, readTime: async () => NOON })
  const ledgerStore = await openPostgresLedger({ url, owner: { node: 'a', journal: 'j' } })
  const nodes = await openNodeStore({ url })
  t.after(async () => {
    await nodes.close()
    await ledgerStore.close()
    await settings.close()
  })
  return { settings, ledgerStore, nodes, clock }
}

test('the leader tells of a budget that will not last once all nodes have caught up', async (t) => {
  const { settings, ledgerStore, nodes, clock } = await openStores(t)
  const { id } = await settings.budgets.create(BUDGET, [])
  await ledgerStore.progress.budgets.watch(await settings.budgets.list(), { slugOf, nowMs: NOON })
  // Sixty cents in ten days, of a dollar for the month.
  const records = [NOON - 10 * DAY_MS, NOON].map((endedAt) =>
    createRecord({ endedAt }, { amount: 30n * CENT }),
  )
  await ledgerStore.writeBatch(batchOf(...records))
  const chores = listLeaderChores(
    { config: createTestConfig(), clock, meter: createMeter() },
    { settings, ledgerStore, nodes },
  )
  const runAll = async () => {
    for (const { work } of chores) await work(AbortSignal.timeout(MINUTE_MS))
    const { alerts } = await ledgerStore.progress.outbox.read(0, 100)
    return alerts.map(({ kind, budgetId }) => [kind, budgetId])
  }
  const report = createNodeReport({})

  await nodes.beat({ ...report, journal: { ...JOURNAL, caughtUpAt: null } })
  assert.deepEqual(await runAll(), [])
  await nodes.beat({ ...report, journal: { ...JOURNAL, caughtUpAt: systemClock.now() } })
  assert.deepEqual(await runAll(), [['budget.forecast', id]])
  assert.deepEqual(await runAll(), [['budget.forecast', id]])
})
