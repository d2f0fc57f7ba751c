import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMoment } from './moment.ts'

const MOMENTS: readonly (readonly [string, string | null])[] = [
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2026-11-01T12:30', '2026-11-01T12:30:00.000Z'],
  ['2026-11-01 12:30:15.5Z', '2026-11-01T12:30:15.500Z'],
  ['2026-11-01T00:30+02:00', '2026-10-31T22:30:00.000Z'],
  ['2027-02-29', null],
  ['2026-11-01T24:00', null],
  ['2026-11-01T12:00+25:00', null],
  ['2026-11', null],
  ['30d', null],
  ['', null],
]

describe('a moment', () => {
  for (const [text, expected] of MOMENTS) {
    test(`"${text}" is ${expected ?? 'none'}`, () => {
      const ms = parseMoment(text)
      assert.equal(ms === null ? null : new Date(ms).toISOString(), expected)
    })
  }
})
