// What every store of saved views must do.

import assert from 'node:assert/strict'
import type { ViewSettings } from '../../../src/resources/codecs.ts'
import { ADA, BOB, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

const VIEW: ViewSettings = {
  name: 'Zürich, by model',
  page: 'explore',
  query: 'group_by=model',
  isShared: false,
}

export function viewStoreContract(run: Run): void {
  run('a view is there as it was saved, and after a change as changed', async (scene) => {
    const { store, reopen, clock } = scene
    const { id: userId } = await store.users.create(ADA)
    const view = await store.views.create(userId, VIEW)
    const { id, ...rest } = view
    assert.match(id, /^view_[0-9a-f]{16}$/)
    const times = { createdAt: START_MS, updatedAt: START_MS }
    assert.deepEqual(rest, { ...VIEW, userId, ownerName: ADA.name, ...times })
    const other = await reopen()
    assert.deepEqual(await other.views.find(id), view)
    clock.nowMs += 1000
    const changed = await store.views.update(id, { name: 'All', isShared: true })
    const expected = { ...view, name: 'All', isShared: true, updatedAt: START_MS + 1000 }
    assert.deepEqual(changed, expected)
    clock.nowMs += 1000
    assert.deepEqual(await store.views.update(id, { name: 'All' }), expected)
    assert.deepEqual(await other.views.remove(id), expected)
    assert.equal(await store.views.find(id), null)
    assert.equal(await store.views.update(id, { name: 'Gone' }), null)
    assert.equal(await store.views.remove(id), null)
  })

  run('a user sees their own views and the shared ones, by name', async ({ store }) => {
    const ada = await store.users.create(ADA)
    const bob = await store.users.create(BOB)
    await store.views.create(ada.id, { ...VIEW, name: 'b' })
    await store.views.create(ada.id, { ...VIEW, name: 'c', isShared: true })
    await store.views.create(bob.id, { ...VIEW, name: 'a' })
    const names = async (userId: string | null) =>
      (await store.views.list(userId)).map(({ name }) => name)
    assert.deepEqual(await names(ada.id), ['b', 'c'])
    assert.deepEqual(await names(bob.id), ['a', 'c'])
    assert.deepEqual(await names(null), ['c'])
  })

  run('the views of a removed user are gone', async ({ store }) => {
    await store.users.create(ADA)
    const bob = await store.users.create(BOB)
    const view = await store.views.create(bob.id, { ...VIEW, isShared: true })
    await store.users.remove(bob.id)
    assert.equal(await store.views.find(view.id), null)
    await assert.rejects(store.views.create(bob.id, VIEW), { code: 'not_found' })
  })

  run('a user has one view of a name on a page', async ({ store }) => {
    const { id } = await store.users.create(ADA)
    await store.views.create(id, VIEW)
    const next = await store.views.create(id, { ...VIEW, name: 'Next' })
    await store.views.create(id, { ...VIEW, page: 'performance' })
    const refused = { code: 'invalid_argument', message: /of this name already/ }
    await assert.rejects(store.views.create(id, VIEW), refused)
    await assert.rejects(store.views.update(next.id, { name: VIEW.name }), refused)
  })

  run(
    'views have their limits, for each user and of shared ones',
    async ({ store }) => {
      const users = Array.from({ length: 3 }, (_, index) =>
        store.users.create({ ...ADA, email: `${index}@example.com`, subject: null }),
      )
      const ids = (await Promise.all(users)).map(({ id }) => id)
      const last = ids.pop() ?? ''
      for (const id of ids) {
        for (const name of ['one', 'two']) {
          await store.views.create(id, { ...VIEW, name, isShared: true })
        }
      }
      const own = { code: 'invalid_argument', message: /You have 2 saved views/ }
      await assert.rejects(store.views.create(ids[0] ?? '', { ...VIEW, name: 'more' }), own)
      const kept = await store.views.create(last, VIEW)
      const shared = { code: 'invalid_argument', message: /4 shared views/ }
      await assert.rejects(store.views.update(kept.id, { isShared: true }), shared)
      await assert.rejects(store.views.create(last, { ...VIEW, name: 'x', isShared: true }), shared)
    },
    { viewsPerUserMax: 2, sharedViewsMax: 4 },
  )
}
