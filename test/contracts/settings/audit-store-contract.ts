// The part of the settings store's contract that is about the audit log: who changed what is in it,
// and nothing that must stay secret.

import assert from 'node:assert/strict'
import { hashSecret } from '../../../src/core/ids.ts'
import type { Actor, NewAuditEntry } from '../../../src/core/user.ts'
import type { AuditFilter } from '../../../src/store/settings/audit-store.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import {
  ADA,
  BOB,
  createAlert,
  listAudit,
  MINUTE_MS,
  PLAIN_BUDGET,
  PLAIN_KEY,
  START_MS,
  SYSTEM,
  toNewSession,
} from '../settings-scene.ts'
import type { Run, Scene } from '../settings-scene.ts'
import { createTour } from './settings-tour.ts'
import { RULE } from './settings-tour-spend.ts'

const EVE: Actor = { kind: 'token', id: 'svc_agt_0123456789abcdef', name: 'Eve, "Zürich" 😀' }
const ALL: AuditFilter = { noun: null, actorId: null, subjectId: null }

export function auditLinesContract(run: Run): void {
  run('every change leaves one line, with who made it and what it changed', async (scene) => {
    const { store, reopen } = scene
    const reader = await reopen()
    const acting = store.as(EVE)
    let last = 0
    for (const step of createTour().steps) {
      const id = await step.change(acting)
      const [line] = await listAudit(reader, { noun: step.action.split('.')[0] ?? '' })
      assert.ok(line)
      const { number, at, actor, subjectId, ...rest } = line
      const { action, subjectName, changes } = step
      assert.deepEqual(rest, { action, subjectName, changes })
      assert.deepEqual([at, subjectId], [START_MS, id])
      assert.ok(number > last)
      last = number
      // Who signs in does so in their own name.
      const [ada] = await reader.users.list()
      const own = { kind: 'user', id: ada?.id, name: ada?.email }
      assert.deepEqual(actor, action === 'session.begin' ? own : EVE, action)
    }
  })

  run('a change leaves no more than its line', async ({ store }) => {
    for (const { change, action } of createTour().steps) {
      const before = (await listAudit(store)).length
      await change(store)
      // On the way to this one a user is made, given a link and a password.
      const lines = action === 'user.update' ? 4 : 1
      assert.equal((await listAudit(store)).length, before + lines, action)
    }
  })

  run('no secret and no hash of one is in the log', async ({ store }) => {
    const tour = createTour()
    for (const { change } of tour.steps) await change(store)
    const text = JSON.stringify(await listAudit(store))
    assert.ok(tour.secrets.size > 10)
    for (const secret of tour.secrets) {
      assert.ok(secret.length > 5)
      assert.ok(!text.includes(secret), secret)
      assert.ok(!text.includes(hashSecret(secret)), `the hash of ${secret}`)
    }
  })

  run('what changes nothing leaves no line', async (scene) => {
    const { store } = scene
    const quiet = await prepareQuietChanges(scene)
    const lines = await listAudit(store)
    for (const change of quiet) await change()
    assert.deepEqual(await listAudit(store), lines)
  })

  run('a change that fails leaves no line', async ({ store }) => {
    const { id } = await store.users.create(ADA)
    const budget = await store.budgets.create(PLAIN_BUDGET)
    const lines = await listAudit(store)
    const target = { kind: 'email', address: 'ada@example.com', budgetId: 'bud_0' } as const
    const long = { version: 'v', publishedAt: 1, text: 'x'.repeat(16_777_217), who: 'ada' }
    const failing = [
      () => store.users.create(ADA),
      () => store.users.remove(id),
      () => store.users.update(id, { role: 'viewer' }),
      () => store.sessions.create(toNewSession({ id: 'user_0' })),
      () => store.targets.create(target),
      () => store.budgets.update(budget.id, { limit: 0n, name: 'x' }),
      () => store.budgets.create({ ...PLAIN_BUDGET, thresholds: [0] }),
      () => store.prices.putImport(long),
    ]
    for (const change of failing) await assert.rejects(change)
    assert.deepEqual(await listAudit(store), lines)
  })

  run('several targets that are made at once leave a line each, a budget one', async (scene) => {
    const { store } = scene
    const targets = ['ada', 'bob'].map((name) => {
      return { kind: 'email', address: `${name}@example.com` } as const
    })
    const made = await store.targets.createAll(targets, null)
    const lines = await listAudit(store)
    assert.deepEqual(
      lines.map(({ subjectId, subjectName }) => [subjectId, subjectName]),
      made.map(({ id, address }) => [id, address]).reverse(),
    )
    const budget = await store.budgets.create(PLAIN_BUDGET, targets)
    const [line, ...others] = await listAudit(store)
    assert.deepEqual(others, lines)
    const ofBudget = (await store.targets.list()).filter(({ budgetId }) => budgetId === budget.id)
    const shown = ofBudget.map(({ id, kind, address }) => ({ id, kind, address }))
    assert.deepEqual(line?.changes['targets'], { after: shown })
  })
}

/** Each of them changes nothing, or nothing that the log is about. */
async function prepareQuietChanges({ store, clock }: Scene) {
  const { key } = await store.keys.create(PLAIN_KEY)
  await store.keys.revoke(key.id)
  const { token } = await store.tokens.create({
    name: 'x',
    scopes: ['admin'],
    teamId: null,
    expiresAt: null,
  })
  await store.tokens.revoke(token.id)
  const budget = await store.budgets.create(PLAIN_BUDGET)
  const imported = { version: 'v', publishedAt: 1, text: '{}', who: 'ada' }
  await store.prices.putImport(imported)
  await store.prices.set(RULE)
  const user = await store.users.create(BOB)
  const { session, credential } = await store.sessions.create(toNewSession(user))
  clock.nowMs += MINUTE_MS
  const attempt = { at: clock.nowMs, isDelivered: true, detail: '200' }
  const snapshot = { identity: 'x', takenAt: START_MS, validUntil: START_MS * 2, text: '{}' }
  return [
    () => store.keys.update(key.id, PLAIN_KEY),
    () => store.keys.revoke(key.id),
    () => store.keys.rotate('svc_k_00000000'),
    () => store.tokens.revoke(token.id),
    () => store.tokens.touch(token.id),
    () => store.budgets.update(budget.id, PLAIN_BUDGET),
    () => store.budgets.remove('bud_0'),
    () => store.targets.remove('tgt_0'),
    () => store.targets.createAll([], null),
    () => store.prices.set(RULE),
    () => store.prices.remove('price_0'),
    () => store.prices.putImport({ ...imported, who: 'eve' }),
    () => store.users.update(user.id, { email: 'BOB@example.com', name: BOB.name, role: 'viewer' }),
    () => store.users.redeemLink('wrong', 'x'),
    () => store.sessions.find(credential, 0),
    () => store.sessions.touch(session.id),
    () => store.sessions.rotate(session.id),
    () => store.sessions.end('session_0'),
    () => store.alerts.take([createAlert(1)], 1),
    () => store.incidentMarks.set({ id: createAlert(1).id, name: 'x' }, null),
    () => store.incidentMarks.set({ id: 'msg_0', name: 'x' }, { kind: 'acknowledged' }),
    () => store.alerts.noteAttempt({ alertId: createAlert(1).id, targetId: 'x' }, attempt, null),
    () => store.snapshots.put(snapshot),
    () => store.setupCode.create(),
    () => store.setupCode.redeem('wrong', ADA),
  ] as const
}

export function auditStoreContract(run: Run): void {
  const refusal: NewAuditEntry = {
    action: 'session.refuse',
    subjectId: null,
    subjectName: 'eve@example.com',
    changes: { calls: { after: 7 }, dims: { before: { team: 'ä' }, after: null } },
  }

  run('a line that is added is kept as it was, in the name of its actor', async (scene) => {
    const { store, reopen, clock } = scene
    await store.audit.add(refusal)
    clock.nowMs += 1
    await store.as(EVE).audit.add({ ...refusal, subjectId: 'x', subjectName: null, changes: {} })
    const lines = await listAudit(await reopen())
    const [second, first] = lines.map(({ number }) => number)
    const changed = { subjectId: 'x', subjectName: null, changes: {} }
    assert.deepEqual(lines, [
      { ...refusal, ...changed, number: second, at: START_MS + 1, actor: EVE },
      { ...refusal, number: first, at: START_MS, actor: SYSTEM },
    ])
    assert.ok(Number(second) > Number(first))
  })

  run('a store for another actor is the same store', async ({ store }) => {
    const acting = store.as(EVE)
    const { key } = await acting.keys.create(PLAIN_KEY)
    assert.deepEqual(await store.keys.list(), [key])
    assert.deepEqual((await store.keys.readChanges(0)).keys, [key])
    await acting.as(SYSTEM).keys.revoke(key.id)
    await store.keys.rotate(key.id)
    const actors = (await listAudit(acting)).map(({ actor }) => actor)
    assert.deepEqual(actors, [SYSTEM, SYSTEM, EVE])
    await acting.close()
    await assert.rejects(store.keys.list(), { code: 'store_unusable' })
    await assert.rejects(store.as(EVE).audit.list(ALL, { before: null, rowsMax: 1 }), {
      code: 'store_unusable',
    })
  })

  run('it is read page by page, newest first, while lines are added', async ({ store }) => {
    for (let count = 0; count < 7; count += 1) await store.audit.add(refusal)
    const numbers = (await listAudit(store)).map(({ number }) => number)
    const seen: number[] = []
    let before: number | null = null
    do {
      const page = await store.audit.list(ALL, { before, rowsMax: 3 })
      assert.ok(page.entries.length <= 3)
      seen.push(...page.entries.map(({ number }) => number))
      before = page.next
      await store.audit.add(refusal)
    } while (before !== null)
    assert.deepEqual(seen, numbers)
    assert.equal((await store.audit.list(ALL, { before: null, rowsMax: 10 })).next, null)
    assert.deepEqual(await store.audit.list(ALL, { before: 1, rowsMax: 3 }), {
      entries: [],
      next: null,
    })
  })

  run('it is asked by kind, by actor, by what was changed, and by all of them', async (scene) => {
    const { store } = scene
    const { key } = await store.keys.create(PLAIN_KEY)
    const { key: other } = await store.as(EVE).keys.create(PLAIN_KEY)
    await store.as(EVE).keys.rotate(key.id)
    await store.as(EVE).budgets.create(PLAIN_BUDGET)
    const rows: readonly (readonly [Partial<AuditFilter>, string[]])[] = [
      [{}, ['budget.create', 'key.rotate', 'key.create', 'key.create']],
      [{ noun: 'key' }, ['key.rotate', 'key.create', 'key.create']],
      [{ noun: 'ke' }, []],
      [{ noun: 'key.create' }, []],
      [{ actorId: EVE.id }, ['budget.create', 'key.rotate', 'key.create']],
      [{ actorId: EVE.name }, ['budget.create', 'key.rotate', 'key.create']],
      [{ action: 'key.create' }, ['key.create', 'key.create']],
      [{ action: 'key.create', actorId: EVE.id }, ['key.create']],
      [{ fromMs: START_MS, toMs: START_MS }, []],
      [{ fromMs: START_MS + 1 }, []],
      [{ fromMs: START_MS, toMs: START_MS + 1, noun: 'budget' }, ['budget.create']],
      [{ subjectId: key.id }, ['key.rotate', 'key.create']],
      [{ subjectId: key.id, actorId: EVE.id }, ['key.rotate']],
      [{ subjectId: other.id, actorId: EVE.id, noun: 'key' }, ['key.create']],
      [{ subjectId: other.id, noun: 'budget' }, []],
    ]
    for (const [filter, actions] of rows) {
      const lines = await listAudit(store, filter)
      assert.deepEqual(
        lines.map(({ action }) => action),
        actions,
        JSON.stringify(filter),
      )
    }
  })

  run('lines of two processes at once are all kept, each with its number', async (scene) => {
    const { store, reopen } = scene
    const other = await reopen()
    const stores: SettingsStore[] = Array.from({ length: 10 }, () => [store, other]).flat()
    await Promise.all(stores.map((each) => each.keys.create(PLAIN_KEY)))
    const numbers = (await listAudit(store)).map(({ number }) => number)
    assert.equal(new Set(numbers).size, stores.length)
    assert.deepEqual(
      numbers,
      numbers.toSorted((one, next) => next - one),
    )
  })
}
