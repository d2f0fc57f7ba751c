import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseExpiry } from './expiry.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)

const GOOD: readonly (readonly [string, string])[] = [
  ['30d', '2026-03-02T12:00:00.000Z'],
  ['12h', '2026-02-01T00:00:00.000Z'],
  ['90m', '2026-01-31T13:30:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2026-01-31T12:01', '2026-01-31T12:01:00.000Z'],
  ['2027-01-31 12:30', '2027-01-31T12:30:00.000Z'],
  ['2027-01-31T12:30:15Z', '2027-01-31T12:30:15.000Z'],
  ['2027-01-31T12:30:15.5Z', '2027-01-31T12:30:15.500Z'],
  ['2027-01-31T12:30:15.123456789Z', '2027-01-31T12:30:15.123Z'],
  ['2027-01-31T00:30+02:00', '2027-01-30T22:30:00.000Z'],
  ['2027-01-31T22:30-05:30', '2027-02-01T04:00:00.000Z'],
]

describe('an expiry of', () => {
  for (const [text, moment] of GOOD) {
    test(`${text} is ${moment}`, () => {
      assert.equal(new Date(parseExpiry(text, NOW_MS)).toISOString(), moment)
    })
  }
})

const BAD: readonly (readonly [string, RegExp])[] = [
  ['', /not a date or time/],
  ['soon', /not a date or time/],
  ['30', /not a date or time/],
  ['30s', /not a date or time/],
  ['-30d', /not a date or time/],
  ['1.5d', /not a date or time/],
  ['2027-13-01', /not a date or time/],
  ['2027-02-29', /not a date or time/],
  ['2027-1-31', /not a date or time/],
  ['2027-01-31T24:00', /not a date or time/],
  ['2027-01-31T12:60', /not a date or time/],
  ['2027-01-31T12:00+25:00', /not a date or time/],
  ['01/31/2027', /not a date or time/],
  ['0d', /not in the future/],
  ['2026-01-31', /not in the future/],
  ['2026-01-31T12:00Z', /not in the future/],
  ['2020-01-01', /not in the future/],
  ['0099-01-01', /not in the future/],
  ['9999999d', /too far away/],
]

describe('no expiry is', () => {
  for (const [text, message] of BAD) {
    test(`"${text}"`, () => {
      assert.throws(() => parseExpiry(text, NOW_MS), { code: 'invalid_argument', message })
    })
  }
})
