// Budgets from the settings to the reports, over the real stores.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { PLAIN_BUDGET } from '../../test/contracts/settings-scene.ts'
import { batchOf, createOpening, createRecord } from '../../test/contracts/usage-scene.ts'
import { createMeter } from '../app/meter.ts'
import type { BudgetSettings } from '../core/budget.ts'
import type { BudgetReport } from '../core/budget-state.ts'
import { createRequestId } from '../core/ids.ts'
import type { Cost, UsageRecord } from '../core/usage-record.ts'
import { openSqliteSettings } from '../store/settings/sqlite/store.ts'
import type { BudgetStates } from '../store/ledger/budget-states.ts'
import { openSqliteLedger } from '../store/ledger/sqlite/store.ts'
import type { OpenCall } from '../store/ledger/ledger-progress.ts'
import type { RoundOutcome } from './budget-reports.ts'
import { createBudgetWatch } from './budget-watch.ts'
import type { BudgetWatch } from './budget-watch.ts'

const USD = 10n ** 12n
const CENT = USD / 100n
/** A Friday. */
const START = Date.parse('2026-10-16T12:00:00Z')
const DAY: BudgetSettings = { ...PLAIN_BUDGET, period: 'day', limit: USD, isBlocking: true }

async function openScene(context: TestContext, startMs = START) {
  const directory = await mkdtemp(join(tmpdir(), 'weir-budget-watch-'))
  const time = { nowMs: startMs }
  const clock = { now: () => time.nowMs, monotonic: () => time.nowMs - startMs }
  const settingsFile = join(directory, 'settings.db')
  const settings = await openSqliteSettings({ file: settingsFile, clock })
  const usage = await openSqliteLedger({ file: join(directory, 'usage.db') })
  context.after(async () => {
    await usage.close()
    await settings.close()
    await rm(directory, { recursive: true })
  })
  const meter = createMeter()
  const fault = { settings: null as Error | null, spend: null as Error | null }
  const recounts: number[] = []
  /** How long one takes. */
  const pace = { recountMs: 0 }
  const states: BudgetStates = {
    ...usage.progress.budgets,
    recount: async (nowMs) => {
      recounts.push(nowMs)
      time.nowMs += pace.recountMs
      await usage.progress.budgets.recount(nowMs)
    },
    readSpend: async (...asked) => {
      if (fault.spend !== null) throw fault.spend
      return usage.progress.budgets.readSpend(...asked)
    },
  }
  const store = { usage: usage.usage, progress: { ...usage.progress, budgets: states } }
  const budgets = {
    readChanges: async (revision: number) => {
      if (fault.settings !== null) throw fault.settings
      return settings.budgets.readChanges(revision)
    },
  }
  const reports: BudgetReport[] = []
  const warned: string[] = []
  const start = (): BudgetWatch =>
    createBudgetWatch({
      budgets,
      store,
      slugOf: (provider, model) => `${provider}/${model}`,
      clock,
      meter,
      warn: (_, message) => void warned.push(message),
      tell: (report) => void reports.push(report),
    })
  let watch = start()

  async function round(changes: Partial<RoundOutcome> = {}): Promise<void> {
    const beganAt = time.nowMs
    await watch.before()
    await watch.after({ beganAt, hasStored: false, hasReadAll: true, openCalls: [], ...changes })
  }

  /** Calls that end now, stored by a round of their own. */
  async function spend(amount: bigint | null, count = 1): Promise<readonly UsageRecord[]> {
    await watch.before()
    const records = Array.from({ length: count }, () =>
      createRecord(
        { id: createRequestId(time.nowMs), endedAt: time.nowMs, requestBytes: 100 },
        amount === null ? { amount, source: 'unpriced' } : { amount },
      ),
    )
    await usage.writeBatch(batchOf(...records))
    await round({ hasStored: true })
    return records
  }

  const alertKinds = async (): Promise<string[]> => {
    const { alerts } = await usage.progress.outbox.read(0, 1000)
    return alerts.map(({ kind, body }) => `${kind} ${JSON.parse(body).data.spent_usd}`)
  }
  const last = (): BudgetReport => reports.at(-1) as BudgetReport
  const restart = (): void => void (watch = start())
  const figure = (name: string) => meter.samples().find(({ metric }) => metric === name)?.value
  const stored = { settings, usage, settingsFile }
  return {
    ...stored,
    time,
    fault,
    recounts,
    pace,
    reports,
    warned,
    round,
    spend,
    alertKinds,
    last,
    restart,
    figure,
  }
}

async function changeCost(
  { usage }: Awaited<ReturnType<typeof openScene>>,
  { event, cost }: UsageRecord,
  amounts: readonly [from: bigint | null, to: bigint],
): Promise<void> {
  const priced = cost.source === 'unpriced' ? 'gateway' : cost.source
  const toCost = (amount: bigint | null): Cost => ({
    ...cost,
    amount,
    source: amount === null ? 'unpriced' : priced,
  })
  const [before, after] = amounts.map(toCost) as [Cost, Cost]
  const line = { repricing: null, at: START, who: 'me', what: 'all of it', prices: [] }
  await usage.usage.upkeep.changeCosts([{ id: event.id, before, after }], line)
}

const spentOf = ({ states }: BudgetReport): (readonly [string, bigint])[] =>
  states.map(({ budget, spent }) => [budget.name, spent] as const)

test('reports at once how the blocking budgets stand, and nothing of the others', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create({ ...DAY, name: 'blocks' })
  await scene.settings.budgets.create({ ...DAY, name: 'only tells', isBlocking: false })
  await scene.round()
  assert.deepEqual(spentOf(scene.last()), [['blocks', 0n]])
  await scene.spend(30n * CENT)
  assert.deepEqual(spentOf(scene.last()), [['blocks', 30n * CENT]])
  assert.equal(scene.reports.length, 2)
  assert.deepEqual(await scene.alertKinds(), [])
  await scene.spend(25n * CENT)
  assert.deepEqual(await scene.alertKinds(), ['budget.threshold 0.55', 'budget.threshold 0.55'])
})

test('reports once that there is no blocking budget, and then keeps quiet', async (t) => {
  const scene = await openScene(t)
  await scene.round()
  await scene.spend(CENT)
  scene.time.nowMs += 5000
  await scene.round()
  assert.deepEqual(scene.reports, [{ states: [], completeUntil: START - 250 }])
  const { id } = await scene.settings.budgets.create(DAY)
  await scene.round()
  assert.deepEqual(spentOf(scene.last()), [[DAY.name, CENT]])
  await scene.settings.budgets.remove(id)
  await scene.round()
  assert.deepEqual(scene.last().states, [])
  assert.equal(scene.reports.length, 3)
})

test('a changed limit is reported and judged in the next round', async (t) => {
  const scene = await openScene(t)
  const { id } = await scene.settings.budgets.create({ ...DAY, thresholds: [100] })
  await scene.spend(60n * CENT)
  await scene.settings.budgets.update(id, { limit: 50n * CENT })
  await scene.round()
  assert.equal(scene.last().states[0]?.budget.limit, 50n * CENT)
  assert.deepEqual(await scene.alertKinds(), ['budget.threshold 0.6'])
})

test('reports every second while there are blocking budgets, and moves on what is complete', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create(DAY)
  await scene.round()
  for (let count = 0; count < 10; count += 1) {
    scene.time.nowMs += 200
    await scene.round()
  }
  assert.deepEqual(
    scene.reports.map(({ completeUntil }) => completeUntil - START),
    [-250, 750, 1750],
  )
})

test('what is complete stays where it was while a round leaves something in the journals', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create(DAY)
  await scene.round({ hasReadAll: false })
  assert.equal(scene.last().completeUntil, 0)
  await scene.round({ hasStored: true })
  scene.time.nowMs += 3000
  await scene.round({ hasStored: true, hasReadAll: false })
  assert.equal(scene.last().completeUntil, START - 250)
})

test('calls whose tokens are still being counted delay what is complete, for a while', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create(DAY)
  const running: OpenCall = { worker: 'w0', opening: createOpening() }
  const uncountedSince = (endedAt: number): OpenCall => ({
    ...running,
    uncounted: createRecord({ endedAt }).event,
  })
  const until = async (...openCalls: OpenCall[]): Promise<number> => {
    await scene.round({ hasStored: true, openCalls })
    return scene.last().completeUntil - START
  }
  assert.equal(await until(running), -250)
  assert.equal(await until(running, uncountedSince(START - 100)), -250)
  assert.equal(await until(uncountedSince(START - 900), uncountedSince(START - 500)), -900)
  assert.equal(await until(uncountedSince(START - 60_000)), -10_000)
})

test('a period that ends is reported at once, with nothing spent', async (t) => {
  const scene = await openScene(t, Date.parse('2026-10-16T23:59:59.900Z'))
  await scene.settings.budgets.create(DAY)
  await scene.spend(70n * CENT)
  const before = scene.reports.length
  scene.time.nowMs += 99
  await scene.round()
  assert.equal(scene.reports.length, before)
  scene.time.nowMs += 1
  await scene.round()
  assert.deepEqual(spentOf(scene.last()), [[DAY.name, 0n]])
  assert.equal(scene.last().states[0]?.span.startMs, Date.parse('2026-10-17T00:00:00Z'))
})

test('the usual call is that of the period before until twenty calls are known', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create({ ...DAY, limit: 100n * USD })
  await scene.round()
  const usual = () => scene.last().states[0]?.usual
  assert.equal(usual(), null)
  scene.time.nowMs += 86_400_000
  await scene.spend(CENT, 2)
  assert.deepEqual(usual(), { cost: CENT, requestBytes: 100, outputTokens: 5 })
  scene.time.nowMs += 86_400_000
  await scene.round()
  assert.equal(usual()?.cost, CENT)
  await scene.spend(5n * CENT, 19)
  assert.equal(usual()?.cost, CENT)
  await scene.spend(5n * CENT)
  assert.equal(usual()?.cost, 5n * CENT)
})

test('what was spent before the budget was made does not make its calls look dear', async (t) => {
  const scene = await openScene(t)
  await scene.spend(20n * USD, 3)
  await scene.settings.budgets.create({ ...DAY, period: 'month', limit: 1000n * USD })
  await scene.spend(CENT, 2)
  assert.equal(scene.last().states[0]?.spent, 60n * USD + 2n * CENT)
  assert.equal(scene.last().states[0]?.usual?.cost, CENT)
})

test('counts again when costs were changed, also those that were changed before its start', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create(DAY)
  const [call] = (await scene.spend(20n * CENT)) as [UsageRecord]
  await scene.round()
  assert.equal(scene.recounts.length, 0)
  const changeTo = (from: bigint, to: bigint) => changeCost(scene, call, [from, to])
  await changeTo(20n * CENT, 90n * CENT)
  await scene.round()
  await scene.round()
  assert.equal(scene.recounts.length, 1)
  assert.deepEqual(spentOf(scene.last()), [[DAY.name, 90n * CENT]])
  assert.deepEqual(await scene.alertKinds(), ['budget.threshold 0.9', 'budget.threshold 0.9'])
  await changeTo(90n * CENT, 120n * CENT)
  scene.restart()
  await scene.round()
  assert.deepEqual(spentOf(scene.last()), [[DAY.name, 120n * CENT]])
  assert.equal((await scene.alertKinds()).length, 3)
})

test('calls of unknown cost are reported, after a restart as well, until they have a cost', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create(DAY)
  const shown = (): unknown => scene.last().states.map(({ spent, unpriced }) => [spent, unpriced])
  const [first] = await scene.spend(null, 2)
  assert.deepEqual(shown(), [[0n, 2]])
  scene.restart()
  await scene.round()
  assert.deepEqual(shown(), [[0n, 2]])
  await changeCost(scene, first as UsageRecord, [null, 3n * CENT])
  await scene.round()
  assert.deepEqual(shown(), [[3n * CENT, 1]])
})

test('a repricing of many steps does not keep the ledger busy with counting', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create(DAY)
  const [call] = (await scene.spend(CENT)) as [UsageRecord]
  scene.pace.recountMs = 200
  for (let step = 1n; step <= 40n; step += 1n) {
    await changeCost(scene, call, [step * CENT, (step + 1n) * CENT])
    await scene.round()
    scene.time.nowMs += 250
  }
  assert.equal(scene.recounts.length, 3)
  scene.time.nowMs += 4000
  await scene.round()
  assert.deepEqual(spentOf(scene.last()), [[DAY.name, 41n * CENT]])
})

test('a restart reports at once, and repeats no alert', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create(DAY)
  await scene.spend(90n * CENT)
  const before = await scene.alertKinds()
  assert.equal(before.length, 2)
  scene.restart()
  await scene.round()
  assert.deepEqual(spentOf(scene.last()), [[DAY.name, 90n * CENT]])
  await scene.spend(20n * CENT)
  assert.deepEqual(await scene.alertKinds(), [...before, 'budget.threshold 1.1'])
})

test('until the budgets were read once no round begins; from then on a fault leaves them as they are', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create(DAY)
  scene.fault.settings = new Error('locked')
  await assert.rejects(scene.round(), /locked/)
  await assert.rejects(scene.round(), /locked/)
  scene.fault.settings = null
  await scene.round()
  scene.fault.settings = new Error('locked')
  const later = await scene.settings.budgets.create({ ...DAY, name: 'later' })
  await scene.spend(10n * CENT)
  scene.time.nowMs += 1000
  await scene.spend(10n * CENT)
  assert.deepEqual(spentOf(scene.last()), [[DAY.name, 20n * CENT]])
  assert.deepEqual([scene.warned.length, scene.figure('settingsFailures')], [1, 2])
  scene.fault.settings = null
  await scene.round()
  assert.equal(scene.last().states.length, 1, 'one look a second')
  scene.time.nowMs += 1000
  await scene.round()
  assert.deepEqual(spentOf(scene.last()), [
    [DAY.name, 20n * CENT],
    [later.name, 20n * CENT],
  ])
})

test('a change is seen while another process writes the settings', async (t) => {
  const scene = await openScene(t)
  const { id } = await scene.settings.budgets.create({ ...DAY, thresholds: [100] })
  await scene.round()
  await scene.settings.budgets.update(id, { limit: 40n * CENT })
  const locked = new DatabaseSync(scene.settingsFile)
  locked.exec('BEGIN IMMEDIATE')
  await scene.spend(50n * CENT)
  locked.exec('ROLLBACK')
  locked.close()
  assert.deepEqual(await scene.alertKinds(), ['budget.threshold 0.5'])
})

test('spend that cannot be read is reported later, with one warning', async (t) => {
  const scene = await openScene(t)
  await scene.settings.budgets.create(DAY)
  await scene.round()
  scene.fault.spend = new Error('busy')
  await scene.spend(30n * CENT)
  await scene.round()
  assert.equal(scene.reports.length, 1)
  assert.equal(scene.warned.length, 1)
  scene.fault.spend = null
  await scene.round()
  assert.deepEqual(spentOf(scene.last()), [[DAY.name, 30n * CENT]])
})

test('takes the pace of a first month from its first call on', async (t) => {
  const scene = await openScene(t, Date.parse('2026-10-11T00:00:00Z'))
  // 21 of the 31 days are on record: 5 USD in the first five of them are 21 by the end.
  await scene.settings.budgets.create({ ...PLAIN_BUDGET, limit: 21n * USD, thresholds: [1000] })
  await scene.spend(5n * USD)
  scene.time.nowMs = Date.parse('2026-10-16T00:01:00Z')
  await scene.round()
  assert.deepEqual(await scene.alertKinds(), [], 'a minute more than five days')
  await scene.spend(CENT)
  scene.time.nowMs += 1000
  await scene.round()
  assert.deepEqual(await scene.alertKinds(), ['budget.forecast 5.01'])
})

test('raises one alert when a month is expected to end above its limit, and none below', async (t) => {
  const scene = await openScene(t, Date.parse('2026-09-30T12:00:00Z'))
  await scene.spend(CENT)
  scene.time.nowMs = Date.parse('2026-10-02T12:00:00Z')
  const month = { ...PLAIN_BUDGET, limit: 31n * USD, thresholds: [1000] }
  const { id } = await scene.settings.budgets.create(month)
  await scene.spend(2n * USD)
  assert.deepEqual(await scene.alertKinds(), [], 'two days have to pass')
  scene.time.nowMs = Date.parse('2026-10-02T23:59:30Z')
  await scene.round()
  scene.time.nowMs = Date.parse('2026-10-03T00:00:30Z')
  await scene.round()
  assert.deepEqual(await scene.alertKinds(), [], '2 of 31 days, 2 USD: just below')
  await scene.spend(CENT)
  scene.time.nowMs += 1000
  await scene.round()
  assert.deepEqual(await scene.alertKinds(), ['budget.forecast 2.01'])
  scene.restart()
  scene.time.nowMs += 60_000
  await scene.spend(CENT)
  assert.equal((await scene.alertKinds()).length, 1)
  await scene.settings.budgets.update(id, { limit: 20n * USD })
  scene.time.nowMs += 1000
  await scene.round()
  assert.deepEqual(await scene.alertKinds(), ['budget.forecast 2.01', 'budget.forecast 2.02'])
  await scene.settings.budgets.update(id, { limit: 2n * USD })
  scene.time.nowMs += 1000
  await scene.round()
  assert.equal((await scene.alertKinds()).length, 2, 'what is used up needs no forecast')
})

test('of members that have a limit for themselves, those that changed are reported', async (t) => {
  const scene = await openScene(t)
  const each = { ...DAY, each: 'key' } as const
  const { id } = await scene.settings.budgets.create(each)
  const call = (keyId: string, amount: bigint) =>
    createRecord({ id: createRequestId(START), keyId, endedAt: START }, { amount })
  await scene.round()
  await scene.usage.writeBatch(batchOf(call('svc_k_one', CENT), call('svc_k_two', 2n * CENT)))
  await scene.round({ hasStored: true })
  await scene.usage.writeBatch(batchOf(call('svc_k_two', 60n * CENT)))
  await scene.round({ hasStored: true })
  const sent = scene.reports.map(({ states, isPartial = false }) => [
    isPartial,
    ...states.map(({ budget, spent }) => `${budget.id.replace(id, '')} ${spent / CENT}`).toSorted(),
  ])
  // A rule itself stands as a member begins.
  assert.deepEqual(sent, [
    [false, ' 0'],
    [true, ' 0', '#svc_k_one 1', '#svc_k_two 2'],
    [true, ' 0', '#svc_k_two 62'],
  ])
  assert.deepEqual(await scene.alertKinds(), ['budget.threshold 0.62'])
  await scene.settings.budgets.update(id, { limit: 2n * USD })
  await scene.round()
  assert.deepEqual([scene.last().isPartial, scene.last().states.length], [undefined, 3])
})

test('a member that is expected to spend more than its limit raises one alert', async (t) => {
  const scene = await openScene(t, Date.parse('2026-10-20T00:00:00Z'))
  const rule = { ...DAY, period: 'month', each: 'key', limit: 100n * USD, thresholds: [] } as const
  await scene.settings.budgets.create(rule)
  const call = (keyId: string, at: number, amount: bigint) =>
    createRecord({ id: createRequestId(at), keyId, startedAt: at, endedAt: at }, { amount })
  const first = Date.parse('2026-10-01T00:00:00Z')
  await scene.round()
  await scene.usage.writeBatch(
    batchOf(call('svc_k_one', first, 80n * USD), call('svc_k_two', first, 10n * USD)),
  )
  for (let count = 0; count < 3; count += 1) {
    scene.time.nowMs += 2000
    await scene.round({ hasStored: true })
  }
  const { alerts } = await scene.usage.progress.outbox.read(0, 10)
  const sent = alerts.map(({ kind, body }) => [kind, JSON.parse(body).data.member.id])
  assert.deepEqual(sent, [['budget.forecast', 'svc_k_one']])
})
