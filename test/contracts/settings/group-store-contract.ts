// What every store of a directory's groups must do.

import assert from 'node:assert/strict'
import { ADA, BOB, lastLine, listAudit, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

const SEARCH = { name: 'Zürich’s search', externalId: '8aa1-a0c0', memberIds: [] }

export function groupStoreContract(run: Run): void {
  run('a group is there as it was put, with its members', async ({ store, reopen }) => {
    const ada = await store.users.create(ADA)
    const bob = await store.users.create(BOB)
    const memberIds = [ada.id, bob.id].toSorted()
    const group = await store.groups.create({ ...SEARCH, memberIds: [...memberIds, ada.id] })
    const { id, ...rest } = group
    assert.match(id, /^group_[0-9a-f]{16}$/)
    const version = await lastLine(store)
    assert.deepEqual(rest, { ...SEARCH, memberIds, createdAt: START_MS, version })
    const other = await reopen()
    assert.deepEqual(await other.groups.find(id), group)
    const empty = await store.groups.create({ ...SEARCH, name: 'other', externalId: null })
    const all = await other.groups.list()
    assert.deepEqual(new Set(all), new Set([group, empty]))
    const { memberIds: _, ...bare } = group
    assert.deepEqual(await other.groups.listOf(ada.id), [bare])
    assert.deepEqual(await other.groups.listOf('user_0'), [])
  })

  run(
    'a change of members is a change of the group',
    async ({ store: { users, groups }, store }) => {
      const ada = await users.create(ADA)
      const bob = await users.create(BOB)
      const group = await groups.create({ ...SEARCH, memberIds: [ada.id] })
      const changed = await groups.update(group.id, { ...SEARCH, memberIds: [bob.id] })
      assert.deepEqual(changed, { ...group, memberIds: [bob.id], version: await lastLine(store) })
      assert.notEqual(changed.version, group.version)
      assert.deepEqual(await groups.find(group.id), changed)
      // Nothing is written where nothing is different.
      const lines = (await listAudit(store)).length
      assert.deepEqual(await groups.update(group.id, { ...SEARCH, memberIds: [bob.id] }), changed)
      assert.equal((await listAudit(store)).length, lines)
      await users.remove(bob.id)
      assert.deepEqual((await groups.find(group.id))?.memberIds, [])
    },
  )

  run('a change of another version than the last is refused', async ({ store: { groups } }) => {
    const group = await groups.create(SEARCH)
    await groups.update(group.id, { ...SEARCH, name: 'ranking' }, [group.version])
    const code = { code: 'changed_meanwhile' }
    await assert.rejects(groups.update(group.id, SEARCH, [group.version]), code)
    await assert.rejects(groups.remove(group.id, [group.version]), code)
    assert.equal((await groups.remove(group.id))?.name, 'ranking')
    assert.equal(await groups.remove(group.id), null)
    assert.equal(await groups.update(group.id, SEARCH), null)
    assert.equal(await groups.find(group.id), null)
  })

  run('who is no user is no member, and nothing of the change is kept', async ({ store }) => {
    const memberIds = ['user_0000000000000000']
    const refusal = { code: 'invalid_argument', message: /There is no user user_0000/ }
    await assert.rejects(store.groups.create({ ...SEARCH, memberIds }), refusal)
    assert.deepEqual(await store.groups.list(), [])
    const group = await store.groups.create(SEARCH)
    const change = { ...SEARCH, name: 'ranking', memberIds }
    await assert.rejects(store.groups.update(group.id, change), refusal)
    assert.deepEqual(await store.groups.find(group.id), group)
  })
}
