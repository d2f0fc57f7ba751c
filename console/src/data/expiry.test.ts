import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toExpiresAt } from './expiry.ts'
import type { ExpiryChoice } from './expiry.ts'

const NOW_MS = Date.parse('2026-03-15T12:00:05.678Z')

test('a span begins now, a day lasts until it is over', () => {
  const cases: readonly [ExpiryChoice, string, string | null | undefined][] = [
    ['never', '', null],
    ['never', '2026-04-01', null],
    ['7', '', '2026-03-22T12:00:05Z'],
    ['365', '', '2027-03-15T12:00:05Z'],
    ['day', '2026-04-01', '2026-04-01T23:59:59Z'],
    ['day', '', undefined],
    ['day', '2026-13-01', undefined],
    ['day', 'soon', undefined],
  ]
  for (const [choice, day, expected] of cases) {
    assert.equal(toExpiresAt({ choice, day }, NOW_MS), expected, `${choice} ${day}`)
  }
})
