import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ATTEMPTS_MAX, retryPauseMs } from './retry-pause.ts'

function pauses(random: () => number): number[] {
  const all: number[] = []
  for (let attempts = 1; ; attempts += 1) {
    const pause = retryPauseMs(attempts, random)
    if (pause === null) return all
    all.push(pause)
  }
}

test('pauses double from a second to an hour', () => {
  const all = pauses(() => 0)
  assert.deepEqual(all.slice(0, 4), [1000, 2000, 4000, 8000])
  assert.deepEqual(all.slice(11, 14), [2_048_000, 3_600_000, 3_600_000])
  assert.equal(all.length, ATTEMPTS_MAX - 1)
})

test('trying goes on for a day, and not for much longer', () => {
  const hours = (all: readonly number[]): number => all.reduce((sum, ms) => sum + ms) / 3_600_000
  assert.ok(hours(pauses(() => 0)) >= 24)
  assert.ok(hours(pauses(() => 0)) < 25)
  assert.ok(hours(pauses(() => 0.999_999)) < 30)
})

test('a fifth of a pause is left to chance', () => {
  assert.equal(
    retryPauseMs(1, () => 0.5),
    1100,
  )
  assert.ok((retryPauseMs(30, () => 0.999_999) ?? 0) <= 4_320_000)
})
