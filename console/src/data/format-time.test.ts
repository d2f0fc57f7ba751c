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
} from './format-time.ts'

const LATE = '2026-03-15T23:00:05.123Z'

for (const [format, text] of [
  [formatTime, '15 Mar 2026, 23:00:05 UTC'],
  [formatShortTime, '15 Mar, 23:00'],
  [formatClock, '23:00:05'],
  [formatDate, '15 Mar 2026'],
  [formatDay, '15 Mar'],
  [formatMonth, 'March 2026'],
] as const) {
  test(`${format.name} shows a time in UTC as ${text}`, () => assert.equal(format(LATE), text))
}

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
