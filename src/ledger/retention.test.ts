import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createMeter } from '../app/meter.ts'
import { createCautiousClock, findCut, removeOldRecords } from './retention.ts'

const CUTS: readonly (readonly [now: string, days: number, cut: string])[] = [
  ['2026-11-15T00:00:00.000Z', 1, '2026-11-14'],
  ['2026-11-15T23:59:59.999Z', 1, '2026-11-14'],
  ['2026-03-01T12:00:00.000Z', 1, '2026-02-28'],
  ['2026-11-15T12:00:00.000Z', 400, '2025-10-11'],
]

for (const [now, days, cut] of CUTS) {
  test(`at ${now}, with ${days} days kept, the first that stays is ${cut}`, () => {
    assert.equal(new Date(findCut(Date.parse(now), days)).toISOString(), `${cut}T00:00:00.000Z`)
  })
}

/** A store with so many old records; every step is noted. */
function createScene(records: number) {
  const steps: (readonly [beforeMs: number, count: number])[] = []
  const stop = new AbortController()
  let left = records
  const upkeep = {
    removeRecords: async (beforeMs: number, rowsMax: number) => {
      const count = Math.min(left, rowsMax)
      left -= count
      steps.push([beforeMs, count])
      return count
    },
  }
  const meter = createMeter()
  const nowMs = Date.UTC(2026, 10, 15, 12)
  const clock = { now: () => nowMs, monotonic: () => 0 }
  const options = { upkeep, days: 30, clock, meter, signal: stop.signal, breathMs: 0 }
  return { options, steps, stop, meter }
}

test('removes what is too old step by step, and counts it', async () => {
  const { options, steps, meter } = createScene(12_000)
  assert.equal(await removeOldRecords(options), 12_000)
  const cut = Date.UTC(2026, 9, 16)
  assert.deepEqual(steps, [
    [cut, 5000],
    [cut, 5000],
    [cut, 2000],
  ])
  const sample = meter.samples().find(({ metric }) => metric === 'recordsRemoved')
  assert.equal(sample?.value, 12_000)
})

test('ends between two steps when it is asked to', async () => {
  const { options, steps, stop } = createScene(12_000)
  const removing = removeOldRecords(options)
  stop.abort()
  assert.equal(await removing, 5000)
  assert.equal(steps.length, 1)
})

test('gives whole milliseconds, as the columns of a database have them', () => {
  const time = { monotonic: 10.25 }
  const clock = createCautiousClock({ now: () => 5000, monotonic: () => time.monotonic })
  time.monotonic -= 0.5
  assert.equal(clock.now(), 4999)
})

test('goes by the time that has passed when the clock is set ahead, and by the clock when it is set back', () => {
  const time = { now: 5000, monotonic: 10 }
  const clock = createCautiousClock({ now: () => time.now, monotonic: () => time.monotonic })
  time.monotonic += 100
  time.now += 900_000
  assert.equal(clock.now(), 5100)
  time.now = 2000
  assert.equal(clock.now(), 2000)
})
