import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTime } from './format-time.ts'

test('a time is shown in UTC and says so', () => {
  assert.equal(formatTime('2026-03-15T23:00:05.123Z'), '15 Mar 2026, 23:00:05 UTC')
})
