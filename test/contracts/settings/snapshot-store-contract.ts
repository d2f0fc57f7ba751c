// The part of the settings store's contract that is about snapshots: answers which all processes
// share for a while.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import type { Snapshot } from '../../../src/store/settings/snapshot-store.ts'
import { StoreBusy } from '../../../src/store/store-busy.ts'
import { MINUTE_MS, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

const SNAPSHOT: Snapshot = {
  identity: '["cost_usd","Zürich 😀"]',
  takenAt: START_MS,
  validUntil: START_MS + MINUTE_MS,
  text: '{"rows":[{"label":"Zürich, \\"quoted\\" 😀"}]}',
}

export function snapshotStoreContract(run: Run): void {
  run('there is none at first', async ({ store }) => {
    assert.equal(await store.snapshots.find(SNAPSHOT.identity), null)
  })

  run('one that was put is found as it was, by every connection', async ({ store, reopen }) => {
    assert.deepEqual(await store.snapshots.put(SNAPSHOT), SNAPSHOT)
    const other = await reopen()
    for (const each of [store, other]) {
      assert.deepEqual(await each.snapshots.find(SNAPSHOT.identity), SNAPSHOT)
      assert.equal(await each.snapshots.find('another'), null)
    }
  })

  run('it is valid from its moment until its end, which is not part of it', async (scene) => {
    const { store, clock } = scene
    await store.snapshots.put(SNAPSHOT)
    for (const [sinceMs, isThere] of [
      [0, true],
      [MINUTE_MS - 1, true],
      [MINUTE_MS, false],
      [MINUTE_MS * 60, false],
      [-1, false],
    ] as const) {
      clock.nowMs = START_MS + sinceMs
      const found = await store.snapshots.find(SNAPSHOT.identity)
      assert.equal(found !== null, isThere, String(sinceMs))
    }
  })

  run('of two that are put of the same, the first stays and is returned', async (scene) => {
    const { store, reopen, clock } = scene
    const other = await reopen()
    clock.nowMs = START_MS + 10
    const later = { ...SNAPSHOT, takenAt: START_MS + 10, text: 'later' }
    assert.deepEqual(await store.snapshots.put(SNAPSHOT), SNAPSHOT)
    assert.deepEqual(await other.snapshots.put(later), SNAPSHOT)
    assert.deepEqual(await store.snapshots.put({ ...later, text: 'again' }), SNAPSHOT)
    assert.deepEqual(await other.snapshots.find(SNAPSHOT.identity), SNAPSHOT)
  })

  run('of several that are put in the same instant, all get the same', async (scene) => {
    const { store, reopen } = scene
    const other = await reopen()
    const put = [store, other, store, other].map((each, at) =>
      putPatiently(each, { ...SNAPSHOT, text: `of ${at}` }),
    )
    const texts = (await Promise.all(put)).map(({ text }) => text)
    const found = await store.snapshots.find(SNAPSHOT.identity)
    assert.deepEqual(new Set(texts), new Set([found?.text]))
  })

  run('a question may be long', async ({ store, reopen }) => {
    const long = { ...SNAPSHOT, identity: randomBytes(50_000).toString('base64') }
    assert.deepEqual(await store.snapshots.put(long), long)
    assert.deepEqual(await (await reopen()).snapshots.find(long.identity), long)
    assert.equal(await store.snapshots.find(`${long.identity}x`), null)
  })

  run('one that has ended makes way for the next', async ({ store, clock }) => {
    await store.snapshots.put(SNAPSHOT)
    clock.nowMs = SNAPSHOT.validUntil
    const next = { ...SNAPSHOT, takenAt: clock.nowMs, validUntil: clock.nowMs + 1, text: 'next' }
    assert.deepEqual(await store.snapshots.put(next), next)
    assert.deepEqual(await store.snapshots.find(SNAPSHOT.identity), next)
  })

  run('one that is dated ahead makes way when the clock was set back', async (scene) => {
    const { store, clock } = scene
    await store.snapshots.put(SNAPSHOT)
    clock.nowMs = START_MS - MINUTE_MS * 60
    const early = { ...SNAPSHOT, takenAt: clock.nowMs, text: 'early' }
    assert.deepEqual(await store.snapshots.put(early), early)
    clock.nowMs = START_MS
    assert.deepEqual(await store.snapshots.find(SNAPSHOT.identity), early)
  })

  run('one that ended before it could be put is returned and not kept', async (scene) => {
    const { store, clock } = scene
    clock.nowMs = SNAPSHOT.validUntil
    assert.deepEqual(await store.snapshots.put(SNAPSHOT), SNAPSHOT)
    assert.equal(await store.snapshots.find(SNAPSHOT.identity), null)
  })
}

/** As the API does: one that would have to wait is refused. */
async function putPatiently(store: SettingsStore, snapshot: Snapshot): Promise<Snapshot> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.snapshots.put(snapshot)
    } catch (error) {
      if (!(error instanceof StoreBusy) || attempt === 50) throw error
    }
  }
}
