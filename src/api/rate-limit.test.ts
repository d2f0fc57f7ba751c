import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRateLimit } from './rate-limit.ts'
import type { RateState } from './rate-limit.ts'
import { createMemoryCounters } from '../store/settings/memory-counters.ts'

function createScene(limit: number) {
  const clock = { nowMs: 5000, monotonic: () => clock.nowMs }
  const rateLimit = createRateLimit('token', limit, createMemoryCounters(clock))
  const at = (sinceMs: number, callerId = 'one'): Promise<RateState> => {
    clock.nowMs = 5000 + sinceMs
    return rateLimit.take(callerId)
  }
  return { at }
}

test('counts down, refuses the one too many, and says how long to wait', async () => {
  const { at } = createScene(2)
  const limit = 2
  assert.deepEqual(await at(0), { isAllowed: true, limit, remaining: 1, resetSeconds: 60 })
  assert.deepEqual(await at(1), { isAllowed: true, limit, remaining: 0, resetSeconds: 60 })
  assert.deepEqual(await at(1000), { isAllowed: false, limit, remaining: 0, resetSeconds: 59 })
  assert.deepEqual(await at(1001), { isAllowed: false, limit, remaining: 0, resetSeconds: 59 })
  assert.deepEqual(await at(59_999), { isAllowed: false, limit, remaining: 0, resetSeconds: 1 })
  // One is over; the other counts for another millisecond.
  assert.deepEqual(await at(60_000), { isAllowed: true, limit, remaining: 0, resetSeconds: 1 })
  assert.deepEqual(await at(60_001), { isAllowed: true, limit, remaining: 0, resetSeconds: 60 })
})

test('a clock that reads fractions of a millisecond makes no minute longer', async () => {
  const { at } = createScene(1)
  for (let minute = 0; minute < 1000; minute += 1) {
    const sinceMs = minute * 60_001.3 + 0.123456789
    assert.deepEqual(
      [(await at(sinceMs)).isAllowed, (await at(sinceMs)).resetSeconds],
      [true, 60],
      `${sinceMs}`,
    )
  }
})

test('the window slides: the turn of a minute sets no caller free', async () => {
  const { at } = createScene(3)
  for (const sinceMs of [59_000, 59_500, 59_999]) assert.ok((await at(sinceMs)).isAllowed)
  for (const sinceMs of [60_000, 90_000, 118_999]) assert.ok(!(await at(sinceMs)).isAllowed)
  assert.ok((await at(119_000)).isAllowed)
  assert.ok(!(await at(119_001)).isAllowed)
})

test('what was refused does not count', async () => {
  const { at } = createScene(1)
  assert.ok((await at(0)).isAllowed)
  for (let sinceMs = 1; sinceMs < 60_000; sinceMs += 1000) assert.ok(!(await at(sinceMs)).isAllowed)
  assert.ok((await at(60_000)).isAllowed)
})

test('callers do not share, and are not forgotten while they count', async () => {
  const { at } = createScene(1)
  assert.ok((await at(30_000, 'one')).isAllowed)
  assert.ok((await at(30_000, 'two')).isAllowed)
  // A minute after the start the limit forgets those who no longer ask.
  assert.ok((await at(60_000, 'three')).isAllowed)
  assert.ok(!(await at(89_999, 'one')).isAllowed)
  assert.ok((await at(90_000, 'one')).isAllowed)
  assert.ok((await at(90_000, 'two')).isAllowed)
})

test('no stretch of a minute ever has more, and who waits as told is let pass', async () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 1, max: 5 }), async (gapsMs, limit) => {
      const { at } = createScene(limit)
      const passed: number[] = []
      let sinceMs = 0
      for (const gapMs of gapsMs) {
        sinceMs += gapMs
        const { isAllowed, resetSeconds } = await at(sinceMs)
        if (!isAllowed) {
          assert.ok(resetSeconds >= 1 && resetSeconds <= 60)
          sinceMs += resetSeconds * 1000
          assert.ok((await at(sinceMs)).isAllowed, 'waited as long as asked')
        }
        passed.push(sinceMs)
      }
      for (const start of passed) {
        const within = passed.filter((moment) => moment >= start && moment < start + 60_000)
        assert.ok(within.length <= limit)
      }
    }),
  )
})
