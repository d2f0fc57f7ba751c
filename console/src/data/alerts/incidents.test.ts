import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SNOOZE_CHOICES, toSnoozeEnd } from './incidents.ts'

test('a snooze ends so many hours from now, in UTC', () => {
  const nowMs = Date.parse('2026-02-28T22:30:15.900Z')
  const ends = SNOOZE_CHOICES.map(({ label, hours }) => `${label}: ${toSnoozeEnd(hours, nowMs)}`)
  assert.deepEqual(ends, [
    'For 4 hours: 2026-03-01T02:30:15Z',
    'For a day: 2026-03-01T22:30:15Z',
    'For 3 days: 2026-03-03T22:30:15Z',
    'For a week: 2026-03-07T22:30:15Z',
  ])
})
