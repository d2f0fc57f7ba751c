import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRateLimit } from './rate-limit.ts'
import type { RateState } from './rate-limit.ts'

function createScene(limit: number) {
  const clock = { nowMs: 5000, monotonic: () => clock.nowMs }
  const rateLimit = createRateLimit(limit, clock)
  const at = (sinceMs: number, callerId = 'one'): RateState => {
    clock.nowMs = 5000 + sinceMs
    return rateLimit.take(callerId)
  }
  return { at }
}

test('counts down, refuses the one too many, and says how long to wait', () => {
  const { at } = createScene(2)
  const limit = 2
  assert.deepEqual(at(0), { isAllowed: true, limit, remaining: 1, resetSeconds: 60 })
  assert.deepEqual(at(1), { isAllowed: true, limit, remaining: 0, resetSeconds: 60 })
  assert.deepEqual(at(1000), { isAllowed: false, limit, remaining: 0, resetSeconds: 59 })
  assert.deepEqual(at(1001), { isAllowed: false, limit, remaining: 0, resetSeconds: 59 })
  assert.deepEqual(at(59_999), { isAllowed: false, limit, remaining: 0, resetSeconds: 1 })
  // One is over; the other counts for another millisecond.
  assert.deepEqual(at(60_000), { isAllowed: true, limit, remaining: 0, resetSeconds: 1 })
  assert.deepEqual(at(60_001), { isAllowed: true, limit, remaining: 0, resetSeconds: 60 })
})

test('a clock that reads fractions of a millisecond makes no minute longer', () => {
  const { at } = createScene(1)
  for (let minute = 0; minute < 1000; minute += 1) {
    const sinceMs = minute * 60_001.3 + 0.123456789
    assert.deepEqual([at(sinceMs).isAllowed, at(sinceMs).resetSeconds], [true, 60], `${sinceMs}`)
  }
})

test('the window slides: the turn of a minute sets no caller free', () => {
  const { at } = createScene(3)
  for (const sinceMs of [59_000, 59_500, 59_999]) assert.ok(at(sinceMs).isAllowed)
  for (const sinceMs of [60_000, 90_000, 118_999]) assert.ok(!at(sinceMs).isAllowed)
  assert.ok(at(119_000).isAllowed)
  assert.ok(!at(119_001).isAllowed)
})

test('what was refused does not count', () => {
  const { at } = createScene(1)
  assert.ok(at(0).isAllowed)
  for (let sinceMs = 1; sinceMs < 60_000; sinceMs += 1000) assert.ok(!at(sinceMs).isAllowed)
  assert.ok(at(60_000).isAllowed)
})

test('callers do not share, and are not forgotten while they count', () => {
  const { at } = createScene(1)
  assert.ok(at(30_000, 'one').isAllowed)
  assert.ok(at(30_000, 'two').isAllowed)
  // A minute after the start the limit forgets those who no longer ask.
  assert.ok(at(60_000, 'three').isAllowed)
  assert.ok(!at(89_999, 'one').isAllowed)
  assert.ok(at(90_000, 'one').isAllowed)
  assert.ok(at(90_000, 'two').isAllowed)
})

test('no stretch of a minute ever has more, and who waits as told is let pass', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 60 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 5 }), (gapsMs, limit) => {
      const { at } = createScene(limit)
      const passed: number[] = []
      let sinceMs = 0
      for (const gapMs of gapsMs) {
        sinceMs += gapMs
        const { isAllowed, resetSeconds } = at(sinceMs)
        if (!isAllowed) {
          assert.ok(resetSeconds >= 1 && resetSeconds <= 60)
          sinceMs += resetSeconds * 1000
          assert.ok(at(sinceMs).isAllowed, 'waited as long as asked')
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
