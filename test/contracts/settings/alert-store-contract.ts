// The part of the settings store's contract that is about the log of alerts: none is forgotten, and
// none is taken over twice.

import assert from 'node:assert/strict'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import {
  createAlert,
  createBudget,
  createTarget,
  listDeliveries,
  START_MS,
} from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

async function listIds(store: SettingsStore, budgetId?: string): Promise<string[]> {
  const scope = budgetId === undefined ? {} : { budgetId }
  const { alerts } = await store.alerts.list({ before: null, rowsMax: 100, ...scope })
  return alerts.map(({ id }) => id)
}

export function alertStoreContract(run: Run): void {
  run('the place begins at zero and is where the last take ended', async ({ store, reopen }) => {
    const other = await reopen()
    assert.equal(await other.alerts.readPlace(), 0)
    await store.alerts.take([createAlert(1)], 7)
    assert.equal(await other.alerts.readPlace(), 7)
    await store.alerts.take([], 9)
    assert.equal(await other.alerts.readPlace(), 9)
  })

  run('an alert is due at once to the targets of its budget alone', async ({ store, clock }) => {
    const [first, second] = [await createBudget(store), await createBudget(store)]
    const ofFirst = [await createTarget(store, first), await createTarget(store, first)]
    const ofSecond = await createTarget(store, second)
    const ofNone = await createTarget(store, null)
    const alerts = [first, second, null, 'bud_gone'].map((budgetId, at) =>
      createAlert(at, { budgetId, kind: budgetId === null ? 'spend.anomaly' : 'budget.forecast' }),
    )
    await store.alerts.take(alerts, 1)
    const due = await store.alerts.listDue(clock.nowMs, 10)
    assert.deepEqual(
      due,
      [
        ...ofFirst.map((target) => ({ alert: alerts[0], target })),
        { alert: alerts[1], target: ofSecond },
        { alert: alerts[2], target: ofNone },
      ].map((delivery) => ({ ...delivery, attempts: 0 })),
    )
    assert.deepEqual(await listIds(store), alerts.map(({ id }) => id).reverse())
  })

  run(
    'what was taken before changes nothing, also when another process takes it again',
    async (scene) => {
      const { store, reopen, clock } = scene
      const other = await reopen()
      const target = await createTarget(store, null)
      await store.alerts.take([createAlert(1), createAlert(1, { body: '{}' })], 1)
      const attempt = { at: clock.nowMs, isDelivered: true, detail: '200' }
      const delivery = { alertId: createAlert(1).id, targetId: target.id }
      await store.alerts.noteAttempt(delivery, attempt, null)
      // A target that came later is not told what was before it.
      await createTarget(store, null)
      const logged = await store.alerts.list({ before: null, rowsMax: 10 })
      await other.alerts.take([createAlert(1, { body: '{}' }), createAlert(2)], 2)
      const { alerts } = await store.alerts.list({ before: null, rowsMax: 10 })
      assert.deepEqual(alerts.slice(1), logged.alerts)
      assert.equal(logged.alerts[0]?.body, createAlert(1).body)
      const due = await store.alerts.listDue(clock.nowMs, 10)
      assert.deepEqual(
        due.map(({ alert }) => alert.id),
        [createAlert(2).id, createAlert(2).id],
      )
    },
  )

  run('an incident is shown as it is now, and sent once, as it was taken', async (scene) => {
    const { store, clock } = scene
    const target = await createTarget(store, null)
    const incident = createAlert(1, { kind: 'spend.anomaly', body: '{"spent":1}' })
    await store.alerts.take([incident], 1)
    await store.alerts.take([{ ...incident, body: '{"spent":2}' }], 2)
    const due = await store.alerts.listDue(clock.nowMs, 10)
    assert.deepEqual(due, [{ alert: incident, target, attempts: 0 }])
    const attempt = { at: clock.nowMs, isDelivered: true, detail: '200' }
    await store.alerts.noteAttempt({ alertId: incident.id, targetId: target.id }, attempt, null)
    await store.alerts.take([{ ...incident, body: '{"spent":3}' }], 3)
    assert.deepEqual(await store.alerts.listDue(clock.nowMs, 10), [])
    const { alerts } = await store.alerts.list({ before: null, rowsMax: 10 })
    assert.deepEqual(
      alerts.map(({ body, at }) => [body, at]),
      [['{"spent":3}', incident.at]],
    )
  })

  run('all of a take is kept or nothing', async ({ store }) => {
    await createTarget(store, null)
    const broken = createAlert(2, { at: 0.5 })
    await assert.rejects(store.alerts.take([createAlert(1), broken], 5))
    await assert.rejects(store.alerts.take([createAlert(1)], 0.5))
    assert.deepEqual(await listIds(store), [])
    assert.deepEqual(await store.alerts.listDue(Number.MAX_SAFE_INTEGER, 10), [])
    assert.equal(await store.alerts.readPlace(), 0)
  })

  run('two who take the same at once log and send it once', async ({ store, reopen, clock }) => {
    const other = await reopen()
    await createTarget(store, null)
    const alerts = Array.from({ length: 20 }, (_, number) => createAlert(number))
    await Promise.all(
      [store, other, store, other].map((each, at) => each.alerts.take(alerts.slice(at), 20)),
    )
    assert.equal((await listIds(store)).length, 20)
    assert.equal((await store.alerts.listDue(clock.nowMs, 100)).length, 20)
  })

  run('the log is read newest first, page by page, of one budget too', async ({ store }) => {
    const alerts = Array.from({ length: 9 }, (_, number) =>
      createAlert(number, { budgetId: number % 2 === 0 ? 'bud_even' : 'bud_odd' }),
    )
    await store.alerts.take(alerts, 1)
    const newest = alerts.toReversed()
    for (const [budgetId, expected] of [
      [undefined, newest],
      ['bud_even', newest.filter((alert) => alert.budgetId === 'bud_even')],
      ['bud_none', []],
    ] as const) {
      const read: string[] = []
      let before: number | null = null
      do {
        const scope = budgetId === undefined ? {} : { budgetId }
        const page = await store.alerts.list({ before, rowsMax: 3, ...scope })
        assert.ok(page.alerts.length <= 3)
        read.push(...page.alerts.map(({ id }) => id))
        before = page.next
      } while (before !== null)
      assert.deepEqual(
        read,
        expected.map(({ id }) => id),
      )
    }
  })

  run('a full last page has no next', async ({ store }) => {
    await store.alerts.take(
      [1, 2, 3].map((number) => createAlert(number)),
      1,
    )
    assert.equal((await store.alerts.list({ before: null, rowsMax: 3 })).next, null)
    assert.notEqual((await store.alerts.list({ before: null, rowsMax: 2 })).next, null)
  })

  run('those of a kind since a moment are listed, newest first', async ({ store }) => {
    const target = await createTarget(store, null)
    const alerts = [0, 1, 2, 3].map((number) =>
      createAlert(number, { kind: number === 2 ? 'budget.forecast' : 'spend.anomaly' }),
    )
    await store.alerts.take(alerts, 1)
    const recent = await store.alerts.listRecent('spend.anomaly', START_MS + 1)
    assert.deepEqual(
      recent.map(({ id, deliveries }) => [id, deliveries.map(({ targetId }) => targetId)]),
      [alerts[3], alerts[1]].map((alert) => [alert?.id, [target.id]]),
    )
  })

  run('old alerts are removed, unless one is still to be delivered', async (scene) => {
    const { store, clock } = scene
    const budgetId = await createBudget(store)
    const target = await createTarget(store, budgetId)
    const alerts = [
      createAlert(1, { budgetId }),
      createAlert(2, { budgetId }),
      createAlert(3),
      createAlert(4),
    ]
    await store.alerts.take(alerts, 1)
    const ended = { alertId: createAlert(1).id, targetId: target.id }
    const attempt = { at: clock.nowMs, isDelivered: false, detail: '500' }
    await store.alerts.noteAttempt(ended, attempt, null)
    assert.equal(await store.alerts.removeBefore(START_MS + 4), 2)
    assert.deepEqual(await listIds(store), [createAlert(4).id, createAlert(2).id])
    await store.targets.remove(target.id)
    assert.equal(await store.alerts.removeBefore(START_MS + 4), 1)
    assert.equal(await store.alerts.removeBefore(START_MS + 4), 0)
    assert.deepEqual(await listDeliveries(store), [])
  })
}
