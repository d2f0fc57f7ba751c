// The part of the settings store's contract that is about counts: windows and leaky buckets.

import assert from 'node:assert/strict'
import type { Bucket, CounterStore } from '../../../src/store/settings/counter-store.ts'
import { MINUTE_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

const WINDOW = { group: 'token', name: 'one', limit: 2, windowMs: MINUTE_MS }
const SMALL: Bucket = { group: 'email', name: 'ada@example.com', size: 2, everyMs: MINUTE_MS }
const LARGE: Bucket = { group: 'address', name: '10.0.0.1', size: 3, everyMs: 1000 }

export function counterStoreContract(run: Run): void {
  run('a window counts up to its limit, slides, and says when there is room', async (scene) => {
    const { store, clock } = scene
    const startMs = clock.nowMs
    for (const [sinceMs, isAllowed, count, resetMs] of [
      [0, true, 1, MINUTE_MS],
      [10_000, true, 2, 50_000],
      [10_000, false, 2, 50_000],
      [MINUTE_MS - 1, false, 2, 1],
      [MINUTE_MS, true, 2, 10_000],
      [MINUTE_MS, false, 2, 10_000],
      [MINUTE_MS + 10_000, true, 2, 50_000],
      [10 * MINUTE_MS, true, 1, MINUTE_MS],
    ] as const) {
      clock.nowMs = startMs + sinceMs
      const expected = { isAllowed, count, resetMs }
      assert.deepEqual(await store.counters.take(WINDOW), expected, String(sinceMs))
    }
  })

  run('names and groups count for themselves', async ({ store }) => {
    const once = { ...WINDOW, limit: 1 }
    for (const window of [once, { ...once, name: 'two' }, { ...once, group: 'session' }]) {
      assert.equal((await store.counters.take(window)).isAllowed, true)
      assert.equal((await store.counters.take(window)).isAllowed, false)
    }
  })

  run('those that come at once are no more than the limit', async ({ store }) => {
    const window = { ...WINDOW, limit: 5 }
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.counters.take(window)))
    assert.equal(taken.filter(({ isAllowed }) => isAllowed).length, 5)
    const buckets = Array.from({ length: 20 }, () => store.counters.fill([SMALL]))
    assert.equal((await Promise.all(buckets)).filter((waitMs) => waitMs === 0).length, 2)
  })

  run('a bucket takes as many as its size, and then one after each pause', async (scene) => {
    const { store, clock } = scene
    const startMs = clock.nowMs
    for (const [sinceMs, waitMs] of [
      [0, 0],
      [1000, 0],
      [2000, 58_000],
      [MINUTE_MS - 1, 1],
      [MINUTE_MS, 0],
      [MINUTE_MS, MINUTE_MS],
      [10 * MINUTE_MS, 0],
      [10 * MINUTE_MS, 0],
      [10 * MINUTE_MS, MINUTE_MS],
    ] as const) {
      clock.nowMs = startMs + sinceMs
      assert.equal(await store.counters.fill([SMALL]), waitMs, String(sinceMs))
    }
  })

  run('of several buckets all are filled or none, and the longest wait is named', async (scene) => {
    const { counters } = scene.store
    for (let count = 0; count < 2; count += 1) await counters.fill([LARGE])
    assert.equal(await counters.fill([SMALL, LARGE]), 0)
    assert.equal(await counters.fill([SMALL, LARGE]), 1000)
    assert.equal(await counters.fill([SMALL]), 0)
    assert.equal(await counters.fill([LARGE, SMALL]), MINUTE_MS)
  })

  run('what is given back may be taken again', async ({ store }) => {
    const { counters } = store
    await fillUp(counters, SMALL)
    await counters.giveBack(SMALL, 'one')
    assert.equal(await counters.fill([SMALL]), 0)
    assert.equal(await counters.fill([SMALL]), MINUTE_MS)
    await counters.giveBack(SMALL, 'all')
    await fillUp(counters, SMALL)
    await counters.giveBack({ ...SMALL, name: 'nobody' }, 'one')
    await counters.giveBack({ ...SMALL, name: 'nobody' }, 'all')
  })
}

async function fillUp(counters: CounterStore, bucket: Bucket): Promise<void> {
  for (let count = 0; count < bucket.size; count += 1) {
    assert.equal(await counters.fill([bucket]), 0)
  }
  assert.equal(await counters.fill([bucket]), bucket.everyMs)
}
