import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createBreathe, WORK_MS_MAX } from './breathe.ts'
import { systemClock } from './clock.ts'

test('rests when it has worked for a while, and not before', () => {
  let nowMs = 0
  let rests = 0
  const breathe = createBreathe({ monotonic: () => nowMs }, () => {
    rests += 1
    nowMs += 5
  })
  breathe()
  nowMs = WORK_MS_MAX * 0.9
  breathe()
  assert.equal(rests, 0)
  nowMs = WORK_MS_MAX
  breathe()
  assert.equal(rests, 1)
  // A rest is no work.
  nowMs += WORK_MS_MAX * 0.9
  breathe()
  assert.equal(rests, 1)
  nowMs += WORK_MS_MAX * 0.2
  breathe()
  assert.equal(rests, 2)
})

test('a rest gives the core away, for a moment', () => {
  const breathe = createBreathe(systemClock)
  const before = process.resourceUsage().voluntaryContextSwitches
  const startedAt = performance.now()
  while (process.resourceUsage().voluntaryContextSwitches < before + 10) {
    breathe()
    assert.ok(performance.now() - startedAt < 10_000, 'It never rested.')
  }
})
