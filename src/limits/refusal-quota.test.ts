import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createMeter } from '../app/meter.ts'
import { RefusalQuota } from './refusal-quota.ts'

function openQuota(perMinute: number) {
  const meter = createMeter()
  const warned: object[] = []
  const time = { nowMs: 5000 }
  const quota = new RefusalQuota({
    perMinute,
    clock: { now: () => 0, monotonic: () => time.nowMs },
    meter,
    warn: (fields) => void warned.push(fields),
  })
  const unrecorded = (): number =>
    meter.samples().find(({ metric }) => metric === 'refusalsUnrecorded')?.value ?? 0
  return { quota, time, warned, unrecorded }
}

test('each key has so many records a minute, and the rest are counted', () => {
  const { quota, time, warned, unrecorded } = openQuota(2)
  const taken = ['a', 'a', 'a', 'a', 'b', 'a'].map((key) => quota.take(key))
  assert.deepEqual(taken, [true, true, false, false, true, false])
  assert.equal(unrecorded(), 3)
  time.nowMs += 59_999
  assert.equal(quota.take('a'), false)
  assert.deepEqual(warned, [])
  time.nowMs += 1
  assert.equal(quota.take('a'), true)
  assert.deepEqual(warned, [{ keyId: 'a', recorded: 2, unrecorded: 4 }])
})

test('the log has a line for a key when its minute is over, although it calls no more', () => {
  const { quota, warned } = openQuota(1)
  quota.take('a')
  quota.take('a')
  quota.checkDeadline(64_999)
  assert.deepEqual(warned, [])
  quota.checkDeadline(65_000)
  quota.checkDeadline(125_000)
  assert.deepEqual(warned, [{ keyId: 'a', recorded: 1, unrecorded: 1 }])
})

test('what was not recorded when a worker ends is said then', () => {
  const { quota, warned } = openQuota(0)
  assert.equal(quota.take('a'), false)
  quota.close()
  quota.close()
  assert.deepEqual(warned, [{ keyId: 'a', recorded: 0, unrecorded: 1 }])
})
