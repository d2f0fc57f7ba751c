// The part of the settings store's contract that is about personal keys: they are let in only while
// their person may sign in.

import assert from 'node:assert/strict'
import { USER_ROLES } from '../../../src/core/user.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import { ADA, BOB, listAudit, MINUTE_MS, PLAIN_KEY, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

async function createKey(store: SettingsStore, name: string, personId: string | null) {
  return (await store.keys.create({ ...PLAIN_KEY, name, personId })).key.id
}

async function listPaused(store: SettingsStore): Promise<readonly string[]> {
  const paused = (await store.keys.list()).filter(({ pausedAt }) => pausedAt !== null)
  return paused.map(({ name }) => name).toSorted()
}

export function personKeysContract(run: Run): void {
  run('the keys of who is disabled are paused, and those alone are resumed', async (scene) => {
    const { store, reopen, clock } = scene
    const other = await reopen()
    const [ada, bob] = [await store.users.create(ADA), await store.users.create(BOB)]
    await createKey(store, 'of Ada', ada.id)
    await createKey(store, 'of nobody', null)
    await createKey(store, 'used', bob.id)
    await store.keys.pause(await createKey(store, 'paused before', bob.id))
    const meanwhile = await createKey(store, 'paused meanwhile', bob.id)
    await store.keys.revoke(await createKey(store, 'revoked', bob.id))
    const { revision } = await other.keys.readChanges(0)
    const count = (await listAudit(store)).length
    clock.nowMs += MINUTE_MS
    await store.users.update(bob.id, { isDisabled: true })
    const { keys } = await other.keys.readChanges(revision)
    assert.deepEqual(
      keys.map(({ name, pausedAt }) => `${name} ${pausedAt}`).toSorted(),
      ['paused meanwhile', 'used'].map((name) => `${name} ${START_MS + MINUTE_MS}`),
    )
    const lines = (await listAudit(store)).slice(0, -count)
    const written = lines.map(({ action, subjectName }) => `${action} ${subjectName}`).toSorted()
    const expected = ['key.pause paused meanwhile', 'key.pause used', `user.update ${BOB.email}`]
    assert.deepEqual(written, expected)
    await store.keys.pause(meanwhile)
    await store.users.update(bob.id, { name: 'Robert' })
    assert.deepEqual(await listPaused(store), ['paused before', 'paused meanwhile', 'used'])
    await store.users.update(bob.id, { isDisabled: false })
    assert.deepEqual(await listPaused(store), ['paused before', 'paused meanwhile'])
    await store.users.update(bob.id, { isDisabled: true })
    assert.deepEqual(await listPaused(store), ['paused before', 'paused meanwhile', 'used'])
  })

  run('the keys of who was removed stay paused, and say whose they were', async ({ store }) => {
    await store.users.create(ADA)
    const bob = await store.users.create(BOB)
    const id = await createKey(store, 'used', bob.id)
    await store.users.remove(bob.id)
    const [key] = await store.keys.list()
    assert.deepEqual([key?.personId, key?.pausedAt], [bob.id, START_MS])
    const gone = { code: 'invalid_argument', message: /removed/, hint: /somebody else/ }
    await assert.rejects(store.keys.resume(id), gone)
    await store.keys.update(id, { personId: null })
    assert.equal((await store.keys.resume(id))?.pausedAt, null)
  })

  run('who may not sign in gets no key', async ({ store }) => {
    await store.users.create(ADA)
    const bob = await store.users.create(BOB)
    const paused = await createKey(store, 'paused', bob.id)
    const other = await createKey(store, 'other', null)
    await store.users.update(bob.id, { isDisabled: true })
    const lines = await listAudit(store)
    const refused = { code: 'invalid_argument', message: /disabled/ }
    await assert.rejects(createKey(store, 'new', bob.id), refused)
    await assert.rejects(createKey(store, 'new', 'user_0'), refused)
    await assert.rejects(store.keys.update(other, { personId: bob.id }), refused)
    await assert.rejects(store.keys.resume(paused), refused)
    assert.deepEqual(await listAudit(store), lines)
    assert.equal((await store.keys.update(paused, { name: 'renamed' }))?.personId, bob.id)
  })

  run('a key that went to somebody else is not resumed by their sign-in', async ({ store }) => {
    const [ada, bob] = [await store.users.create(ADA), await store.users.create(BOB)]
    const eve = await store.users.create({ ...ADA, email: 'eve@example.com' })
    const id = await createKey(store, 'moved', bob.id)
    await store.users.update(bob.id, { isDisabled: true })
    await store.keys.update(id, { personId: eve.id })
    for (const isDisabled of [true, false]) await store.users.update(eve.id, { isDisabled })
    assert.deepEqual(await listPaused(store), ['moved'])
    assert.ok(await store.keys.resume(id))
    assert.equal(ada.disabledAt, null)
  })

  run('who is the owner of a key by their address stays it under a new one', async (scene) => {
    const { store } = scene
    const { id } = await store.users.create(ADA)
    for (const owner of ['ADA@example.com', `not ${ADA.email}`, 'null']) {
      await store.keys.create({ ...PLAIN_KEY, name: 'key', owner })
    }
    const count = (await listAudit(store)).length
    await store.users.update(id, { name: 'Ada L.' })
    await store.users.update(id, { email: 'lovelace@example.com' })
    const owners = (await store.keys.list()).map(({ owner }) => String(owner))
    assert.deepEqual(owners.toSorted(), ['lovelace@example.com', `not ${ADA.email}`, 'null'])
    const lines = (await listAudit(store)).slice(0, -count).map(({ action }) => action)
    assert.deepEqual(lines.toSorted(), ['key.update', 'user.update', 'user.update'])
  })

  run('a user has one of the roles, and loses the sessions with it', async ({ store }) => {
    await store.users.create(ADA)
    const { id } = await store.users.create({ ...BOB, role: 'none' })
    for (const role of USER_ROLES) {
      assert.equal((await store.users.update(id, { role }))?.role, role)
      assert.equal((await store.users.find({ id }))?.role, role)
    }
  })
}
