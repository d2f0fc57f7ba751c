// The part of the settings store's contract that is about the delivery of alerts: what is due,
// every attempt in the log, and what was given up stays so.

import assert from 'node:assert/strict'
import type { AlertTarget } from '../../../src/core/alert.ts'
import { ATTEMPTS_KEPT_MAX, CLAIM_MS } from '../../../src/store/settings/alert-store.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import {
  ADA,
  createAlert,
  createBudget,
  createTarget,
  listDeliveries,
  MINUTE_MS,
  START_MS,
} from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

export function alertDeliveriesContract(run: Run): void {
  run('a failed attempt is due again at its moment, the longest due first', async (scene) => {
    const { store, clock } = scene
    const target = await createTarget(store, null)
    await store.alerts.take([createAlert(1), createAlert(2), createAlert(3)], 1)
    const attempt = { at: START_MS, isDelivered: false, detail: '500' }
    for (const [number, pauseMs] of [
      [1, 2 * MINUTE_MS],
      [2, MINUTE_MS],
    ] as const) {
      const delivery = { alertId: createAlert(number).id, targetId: target.id }
      await store.alerts.noteAttempt(delivery, attempt, START_MS + pauseMs)
    }
    for (const [sinceMs, numbers] of [
      [0, [3]],
      [MINUTE_MS - 1, [3]],
      [MINUTE_MS, [3, 2]],
      [2 * MINUTE_MS, [3, 2, 1]],
    ] as const) {
      const due = await store.alerts.listDue(START_MS + sinceMs, 10)
      assert.deepEqual(
        due.map(({ alert }) => alert),
        numbers.map((number) => createAlert(number)),
      )
      assert.deepEqual(
        due.map(({ attempts }) => attempts),
        numbers.map((number) => (number === 3 ? 0 : 1)),
      )
    }
    assert.equal((await store.alerts.listDue(clock.nowMs + 3 * MINUTE_MS, 2)).length, 2)
  })

  run('every attempt is in the log, and how it ended', async ({ store, reopen }) => {
    const target = await createTarget(store, null)
    await store.alerts.take([createAlert(1), createAlert(2)], 1)
    const attempts = ['500', 'no answer within 10 s', '200'].map((detail, at) => ({
      at: START_MS + at,
      isDelivered: detail === '200',
      detail,
    }))
    const [failed, hung, succeeded] = attempts
    assert.ok(failed && hung && succeeded)
    const first = { alertId: createAlert(1).id, targetId: target.id }
    const second = { alertId: createAlert(2).id, targetId: target.id }
    await store.alerts.noteAttempt(first, failed, START_MS + 1)
    await store.alerts.noteAttempt(first, hung, START_MS + 2)
    await store.alerts.noteAttempt(first, succeeded, null)
    await store.alerts.noteAttempt(second, failed, START_MS + 1)
    await store.alerts.noteAttempt(second, hung, null)
    const shown = { targetId: target.id, kind: target.kind, address: target.address, nextAt: null }
    assert.deepEqual(await listDeliveries(await reopen()), [
      { ...shown, state: 'given_up', attempts: [failed, hung] },
      { ...shown, state: 'delivered', attempts },
    ])
    assert.deepEqual(await store.alerts.listDue(Number.MAX_SAFE_INTEGER, 10), [])
  })

  run(
    'people get it besides the targets, each once, and nothing once they have left',
    async ({ store }) => {
      const { id: userId, email } = await store.users.create(ADA)
      await store.targets.create({ kind: 'email', address: 'team@example.com', budgetId: null })
      const ada = { userId, email, role: 'owner' } as const
      const team = { userId: 'user_0', email: 'team@example.com', role: 'lead' } as const
      const alert = { ...createAlert(1), recipients: [ada, { ...ada, userId: 'user_1' }, team] }
      await store.alerts.take([alert], 1)
      await store.alerts.take([alert], 2)
      const due = await store.alerts.listDue(START_MS, 10)
      const [own, mail] = due.map(({ target }) => target)
      assert.equal(due.length, 2)
      assert.deepEqual([own?.address, own?.kind], ['team@example.com', 'email'])
      const person = { id: userId, kind: 'email', address: email, budgetId: null, secret: null }
      assert.deepEqual(mail, { ...person, createdAt: createAlert(1).at })
      const delivery = { alertId: alert.id, targetId: userId }
      assert.equal(await store.alerts.claim(delivery), true)
      const attempt = { at: START_MS, isDelivered: false, detail: '450' }
      await store.alerts.noteAttempt(delivery, attempt, START_MS + 1)
      await store.users.create({ ...ADA, email: 'other@example.com' })
      await store.users.update(userId, { isDisabled: true })
      assert.equal((await store.alerts.listDue(START_MS + MINUTE_MS, 10)).length, 1)
      assert.deepEqual(
        (await listDeliveries(store)).map(({ targetId, state }) => [targetId, state]),
        [
          [own?.id, 'pending'],
          [userId, 'given_up'],
        ],
      )
    },
  )

  run('what was delivered is not due again, whatever moment was named', async ({ store }) => {
    const target = await createTarget(store, null)
    await store.alerts.take([createAlert(1)], 1)
    const delivery = { alertId: createAlert(1).id, targetId: target.id }
    for (const isDelivered of [true, false]) {
      const attempt = { at: START_MS, isDelivered, detail: '' }
      await store.alerts.noteAttempt(delivery, attempt, START_MS + 1)
      const [logged] = await listDeliveries(store)
      assert.deepEqual([logged?.state, logged?.nextAt], ['delivered', null])
    }
  })

  for (const [what, remove] of [
    ['target', (store, target) => store.targets.remove(target.id)],
    ['budget', (store, target) => store.budgets.remove(target.budgetId ?? '')],
  ] as const satisfies readonly [
    string,
    (store: SettingsStore, target: AlertTarget) => Promise<unknown>,
  ][]) {
    run(`what is still to be sent when its ${what} is removed is given up`, async ({ store }) => {
      const budgetId = await createBudget(store)
      const target = await createTarget(store, budgetId)
      const other = await createTarget(store, null)
      const alerts = [1, 2, 3].map((number) => createAlert(number, { budgetId }))
      await store.alerts.take([...alerts, createAlert(4)], 1)
      const attempt = { at: START_MS, isDelivered: true, detail: '200' }
      const [done, underWay] = alerts.map(({ id }) => ({ alertId: id, targetId: target.id }))
      assert.ok(done && underWay)
      await store.alerts.noteAttempt(done, attempt, null)
      await remove(store, target)
      const failed = { ...attempt, isDelivered: false }
      // It was under way when the target went.
      await store.alerts.noteAttempt(underWay, failed, START_MS + 1)
      const due = await store.alerts.listDue(Number.MAX_SAFE_INTEGER, 10)
      assert.deepEqual(
        due.map((delivery) => delivery.target),
        [other],
      )
      const logged = await listDeliveries(store)
      assert.deepEqual(
        logged.map(({ state, nextAt, address }) => [state, nextAt, address]),
        [
          ['pending', START_MS, other.address],
          ['given_up', null, target.address],
          ['given_up', null, target.address],
          ['delivered', null, target.address],
        ],
      )
      assert.deepEqual(logged[2]?.attempts, [failed])
    })
  }

  run('the newest attempts are kept up to the limit, and all are counted', async ({ store }) => {
    const targets = [await createTarget(store, null), await createTarget(store, null)]
    await store.alerts.take([createAlert(1)], 1)
    const count = ATTEMPTS_KEPT_MAX + 3
    for (let at = 1; at <= count; at += 1) {
      for (const { id } of targets) {
        const delivery = { alertId: createAlert(1).id, targetId: id }
        const attempt = { at, isDelivered: false, detail: 'x'.repeat(100_000) }
        await store.alerts.noteAttempt(delivery, attempt, START_MS)
      }
    }
    for (const { attempts } of await listDeliveries(store)) {
      assert.deepEqual(
        attempts.map(({ at }) => at),
        Array.from({ length: ATTEMPTS_KEPT_MAX }, (_, at) => at + 4),
      )
      assert.ok(attempts.every(({ detail }) => detail.length === 500))
    }
    const due = await store.alerts.listDue(START_MS, 10)
    assert.deepEqual(
      due.map(({ attempts }) => attempts),
      [count, count],
    )
  })

  run('an attempt at what is not there changes nothing', async ({ store }) => {
    const delivery = { alertId: createAlert(1).id, targetId: 'tgt_0000000000000000' }
    await store.alerts.noteAttempt(delivery, { at: 1, isDelivered: true, detail: '200' }, null)
    assert.deepEqual(await store.alerts.list({ before: null, rowsMax: 1 }), {
      alerts: [],
      next: null,
    })
  })
}

export function alertClaimsContract(run: Run): void {
  const ids = (number: number, { id }: AlertTarget) => {
    return { alertId: createAlert(number).id, targetId: id }
  }

  run('of several who claim a delivery in the same instant, one may send it', async (scene) => {
    const { store, reopen, clock } = scene
    const other = await reopen()
    const targets = [await createTarget(store, null), await createTarget(store, null)]
    await store.alerts.take([createAlert(1)], 1)
    const claims = await Promise.all(
      targets.flatMap((target) =>
        [store, other, store, other].map((each) => each.alerts.claim(ids(1, target))),
      ),
    )
    assert.equal(claims.slice(0, 4).filter(Boolean).length, 1)
    assert.equal(claims.slice(4).filter(Boolean).length, 1)
    assert.deepEqual(await other.alerts.listDue(clock.nowMs, 10), [])
  })

  run('a target gets one at a time, whoever sends', async ({ store, reopen, clock }) => {
    const other = await reopen()
    const target = await createTarget(store, null)
    await store.alerts.take([createAlert(1), createAlert(2)], 1)
    assert.equal(await store.alerts.claim(ids(1, target)), true)
    assert.equal(await other.alerts.claim(ids(2, target)), false)
    assert.deepEqual(await other.alerts.listDue(clock.nowMs, 10), [])
    const attempt = { at: clock.nowMs, isDelivered: true, detail: '200' }
    await store.alerts.noteAttempt(ids(1, target), attempt, null)
    assert.equal(await store.alerts.claim(ids(1, target)), false)
    assert.equal((await other.alerts.listDue(clock.nowMs, 10)).length, 1)
    assert.equal(await other.alerts.claim(ids(2, target)), true)
  })

  run('a claim whose owner is gone runs out, and one that is given back is free', async (scene) => {
    const { store, reopen, clock } = scene
    const other = await reopen()
    const target = await createTarget(store, null)
    await store.alerts.take([createAlert(1)], 1)
    assert.equal(await store.alerts.claim(ids(1, target)), true)
    // Whatever is on its way is still to be delivered.
    assert.equal((await other.alerts.listDue(Number.MAX_SAFE_INTEGER, 10)).length, 1)
    clock.nowMs += CLAIM_MS - 1
    assert.equal(await other.alerts.claim(ids(1, target)), false)
    clock.nowMs += 1
    assert.equal((await other.alerts.listDue(clock.nowMs, 10)).length, 1)
    assert.equal(await other.alerts.claim(ids(1, target)), true)
    assert.equal(await store.alerts.claim(ids(1, target)), false)
    await other.alerts.release(ids(1, target))
    assert.equal(await store.alerts.claim(ids(1, target)), true)
    await other.alerts.releaseAll()
    assert.equal(await other.alerts.claim(ids(1, target)), true)
  })

  run('what is not due or not there cannot be claimed', async ({ store, clock }) => {
    const target = await createTarget(store, null)
    await store.alerts.take([createAlert(1)], 1)
    assert.equal(await store.alerts.claim(ids(2, target)), false)
    await store.alerts.release(ids(2, target))
    const attempt = { at: clock.nowMs, isDelivered: false, detail: '500' }
    await store.alerts.noteAttempt(ids(1, target), attempt, START_MS + MINUTE_MS)
    assert.equal(await store.alerts.claim(ids(1, target)), false)
    clock.nowMs += MINUTE_MS
    assert.equal(await store.alerts.claim(ids(1, target)), true)
    await store.targets.remove(target.id)
    await store.alerts.release(ids(1, target))
    assert.equal(await store.alerts.claim(ids(1, target)), false)
  })
}
