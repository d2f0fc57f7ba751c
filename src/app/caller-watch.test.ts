import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createCallerWatch, QUIET_MS } from './caller-watch.ts'
import { createMeter } from './meter.ts'

function openScene() {
  let nowMs = 1000
  const meter = createMeter()
  const watch = createCallerWatch({ monotonic: () => nowMs })
  return {
    meter,
    /** Whether anybody calls, so much later. */
    after: (ms: number): boolean => {
      nowMs += ms
      return watch(meter.samples())
    },
  }
}

test('whoever called a moment ago is there, and then nobody is', () => {
  const { meter, after } = openScene()
  assert.equal(after(0), true)
  meter.add('requests', 1, 'openai', 'complete')
  assert.equal(after(QUIET_MS - 1), true)
  assert.equal(after(QUIET_MS - 1), true)
  assert.equal(after(1), false)
  meter.add('requests', 1, 'google', 'aborted')
  assert.equal(after(1), true)
})

test('a call that runs for long is somebody', () => {
  const { meter, after } = openScene()
  meter.set('openCalls', 1)
  assert.equal(after(QUIET_MS * 2), true)
  meter.set('openCalls', 0)
  assert.equal(after(QUIET_MS), false)
})

test('at the start somebody is there', () => {
  assert.equal(openScene().after(QUIET_MS - 1), true)
  assert.equal(openScene().after(QUIET_MS), false)
})
