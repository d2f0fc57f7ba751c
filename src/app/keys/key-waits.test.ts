import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createTestKey } from '../../../test/fakes/test-key.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { createKeyCredential } from '../../core/ids.ts'
import {
  EARLY_READINGS_MAX,
  KeyWaits,
  REFUSED_IDS_MAX,
  REFUSED_MS,
  WAIT_MS_MAX,
  WAITS_MAX,
} from './key-waits.ts'
import { createMeter } from '../meter.ts'

function createScene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  const keys = new Map<string, ApiKey>()
  const meter = createMeter()
  const clock = { now: () => nowMs, monotonic: () => nowMs }
  const waits = new KeyWaits({ find: (id) => keys.get(id), clock, meter })
  const pass = (ms: number): void => {
    nowMs += ms
    t.mock.timers.tick(ms)
  }
  return { waits, keys, meter, pass }
}

test('a wait ends with the reading that began after it, not with one before', async (t) => {
  const { waits } = createScene(t)
  const before = waits.begin()
  const ended: string[] = []
  const wait = waits.add('a')?.then(() => ended.push('a'))
  waits.end(before)
  await Promise.resolve()
  assert.deepEqual(ended, [])
  waits.end(waits.begin())
  await wait
  assert.deepEqual(ended, ['a'])
})

test('a wait ends by itself when no reading does', async (t) => {
  const { waits, pass } = createScene(t)
  const wait = waits.add('a')
  waits.begin()
  pass(WAIT_MS_MAX)
  await wait
})

test('readings begin early a few times at once, then at a steady pace', (t) => {
  const { waits, pass } = createScene(t)
  assert.equal(waits.dueInMs, Infinity)
  for (let count = 0; count < EARLY_READINGS_MAX; count++) {
    void waits.add(`id${count}`)
    assert.equal(waits.dueInMs, 0)
    waits.end(waits.begin())
  }
  void waits.add('one more')
  assert.equal(waits.dueInMs, 1000 / EARLY_READINGS_MAX)
  pass(50)
  assert.equal(waits.dueInMs, 1000 / EARLY_READINGS_MAX - 50)
})

test('an id that was waited for in vain is refused at once, for about a second', (t) => {
  const { waits, pass } = createScene(t)
  void waits.add('a')
  waits.end(waits.begin())
  assert.equal(waits.add('a'), null)
  pass(REFUSED_MS - 1)
  assert.equal(waits.add('a'), null)
  pass(1)
  assert.notEqual(waits.add('a'), null)
})

test('a key that became known or was changed is not refused at once', (t) => {
  const { waits, keys } = createScene(t)
  const key = createTestKey(createKeyCredential())
  for (const changed of [key, { ...key, secretHash: 'other' }]) {
    void waits.add(key.id)
    const served = waits.begin()
    keys.set(key.id, changed)
    waits.end(served)
  }
  assert.notEqual(waits.add(key.id), null)
})

test('the ids that are refused at once are limited in number, the oldest go first', (t) => {
  const { waits } = createScene(t)
  for (let count = 0; count <= REFUSED_IDS_MAX; count++) {
    void waits.add(`id${count}`)
    waits.end(waits.begin())
  }
  assert.equal(waits.add('id1'), null)
  assert.notEqual(waits.add('id0'), null)
})

test('no more calls wait than may, and those beyond are counted', (t) => {
  const { waits, meter } = createScene(t)
  for (let count = 0; count < WAITS_MAX; count++) assert.notEqual(waits.add(`id${count}`), null)
  assert.equal(waits.add('one more'), null)
  const hits = meter.samples().filter(({ labels }) => labels[0] === 'key_waits')
  assert.deepEqual(
    hits.map(({ value }) => value),
    [1],
  )
  waits.end()
})
