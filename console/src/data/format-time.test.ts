import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatClock,
  formatDate,
  formatDay,
  formatMonth,
  formatRelative,
  formatShortTime,
  formatTime,
  formatUtcTime,
  readLocalZone,
  readZone,
} from './format-time.ts'

import { setPreference } from './preferences.ts'

const LATE = '2026-03-15T23:00:05.123Z'

for (const [format, text] of [
  [formatUtcTime, '15 Mar, 23:00'],
  [formatTime, '15 Mar 2026, 23:00:05 UTC'],
  [formatShortTime, '15 Mar, 23:00 UTC'],
  [formatClock, '23:00:05'],
  [formatDate, '15 Mar 2026'],
  [formatDay, '15 Mar'],
  [formatMonth, 'Mar 2026'],
] as const) {
  test(`${format.name} shows a time in UTC as ${text}`, () => assert.equal(format(LATE), text))
}

test('a moment follows the choice of local times, and a day that was summed stays', (t) => {
  setPreference('times', 'local')
  t.after(() => setPreference('times', 'utc'))
  assert.equal(readZone(), readLocalZone())
  const there = { timeZone: readLocalZone() }
  const zoned = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', ...there })
  assert.equal(formatClock(LATE), zoned.format(new Date(LATE)))
  assert.equal(formatDay('2026-03-15'), '15 Mar')
  assert.equal(formatDate('2026-03-15'), '15 Mar 2026')
  assert.equal(formatUtcTime(LATE), '15 Mar, 23:00')
  assert.equal(formatMonth('2026-03-31T23:59:59.999Z'), 'Mar 2026')
})

for (const [seconds, text] of [
  [0.4, 'just now'],
  [-5, '5 seconds ago'],
  [-150, '2 minutes ago'],
  [3 * 3600, 'in 3 hours'],
  [-86_400, 'yesterday'],
  [-40 * 86_400, '15 Mar 2026'],
] as const) {
  test(`what is ${seconds} seconds away is ${text}`, () => {
    const nowMs = Date.parse(LATE) - seconds * 1000
    assert.equal(formatRelative(LATE, nowMs), text)
  })
}
