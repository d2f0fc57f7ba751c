import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTimeline } from './call-timeline.ts'

const CALL = {
  started_at: '2026-03-01T12:00:00.000Z',
  first_byte_at: '2026-03-01T12:00:00.250Z',
  duration_ms: 1000,
  own_ms: 2.5,
  status: 'delivered',
} as const

const toShort = (call: Parameters<typeof toTimeline>[0]) =>
  toTimeline(call).phases.map(({ id, startMs, durationMs }) => [id, startMs, durationMs])

test("Weir's own share stands apart, and the phases add up to the whole", () => {
  const { totalMs, phases } = toTimeline(CALL)
  assert.equal(totalMs, 1000)
  assert.deepEqual(toShort(CALL), [
    ['own', 0, 2.5],
    ['waiting', 2.5, 247.5],
    ['receiving', 250, 750],
  ])
  assert.equal(
    phases.reduce((sum, { share }) => sum + share, 0),
    1,
  )
})

test('a call that no byte came of was waited for until its end', () => {
  assert.deepEqual(toShort({ ...CALL, first_byte_at: null, status: 'cut' }), [
    ['own', 0, 2.5],
    ['waiting', 2.5, 997.5],
  ])
})

test('all of a denied call is of Weir', () => {
  const call = { ...CALL, first_byte_at: null, own_ms: null, duration_ms: 8, status: 'denied' }
  assert.deepEqual(toShort({ ...call, status: 'denied' }), [['own', 0, 8]])
})

test('an own share that is not known is not invented', () => {
  assert.deepEqual(toShort({ ...CALL, own_ms: null }), [
    ['waiting', 0, 250],
    ['receiving', 250, 750],
  ])
})

test('a clock that was set meanwhile makes no phase negative', () => {
  const early = toTimeline({ ...CALL, first_byte_at: '2026-03-01T11:59:00.000Z' })
  const late = toTimeline({ ...CALL, first_byte_at: '2026-03-01T12:01:00.000Z' })
  for (const { phases, totalMs } of [early, late]) {
    assert.equal(
      phases.reduce((sum, { durationMs }) => sum + durationMs, 0),
      totalMs,
    )
    assert.ok(phases.every(({ durationMs }) => durationMs > 0))
  }
})

test('a call that took no time that can be measured has no phases', () => {
  assert.deepEqual(toTimeline({ ...CALL, duration_ms: 0, own_ms: null }).phases, [])
})
