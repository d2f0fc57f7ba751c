import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toComparedSpan } from './compared-span.ts'

const show = (ms: number): string => new Date(ms).toISOString().replace(/(T00:00)?:00\.000Z$/, '')
const NOW = '2026-11-18T12:20:05Z'

for (const [what, now, from, to, expected] of [
  [
    'the running month',
    NOW,
    '2026-11-01',
    '2026-11-18T13:00Z',
    '2026-10-01 2026-10-18T12:20:05.000Z',
  ],
  [
    'all of the running month',
    NOW,
    '2026-11-01',
    '2026-12-01',
    '2026-10-01 2026-10-18T12:20:05.000Z',
  ],
  [
    'its first moment',
    '2026-11-01T00:00:00Z',
    '2026-11-01',
    '2026-11-01T01:00Z',
    '2026-10-01 2026-10-01',
  ],
  [
    'a longer month than the last',
    '2026-03-31T12:00:00Z',
    '2026-03-01',
    '2026-04-01',
    '2026-02-01 2026-03-01',
  ],
  ['January', '2026-01-10T23:30:00Z', '2026-01-01', '2026-01-11', '2025-12-01 2025-12-10T23:30'],
  ['last month', NOW, '2026-10-01', '2026-11-01', '2026-09-01 2026-10-01'],
  ['a February', NOW, '2026-03-01', '2026-04-01', '2026-02-01 2026-03-01'],
  ['three whole months', NOW, '2026-08-01', '2026-11-01', '2026-05-01 2026-08-01'],
  ['a year', NOW, '2025-11-01', '2026-11-01', '2024-11-01 2025-11-01'],
  [
    'a month that has just ended',
    '2026-11-01T00:00:00Z',
    '2026-10-01',
    '2026-11-01',
    '2026-09-01 2026-10-01',
  ],
  [
    'months with the running one',
    NOW,
    '2026-10-01',
    '2026-11-18T13:00Z',
    '2026-08-13T11:00 2026-10-01',
  ],
  ['the first week', NOW, '2026-11-01', '2026-11-08', '2026-10-25 2026-11-01'],
  ['a week', NOW, '2026-11-08', '2026-11-15', '2026-11-01 2026-11-08'],
  ['a month of days', NOW, '2026-10-15', '2026-11-15', '2026-09-14 2026-10-15'],
  ['the running day', NOW, '2026-11-18', '2026-11-19', '2026-11-17T11:00 2026-11-18'],
  ['the running hour', NOW, '2026-11-18T12:00Z', '2026-11-19', '2026-11-18T11:00 2026-11-18T12:00'],
] as const) {
  test(`${what}, ${from} to ${to}, is compared with ${expected}`, () => {
    const span = { fromMs: Date.parse(from), toMs: Date.parse(to) }
    const compared = toComparedSpan(span, Date.parse(now))
    assert.equal(`${show(compared.fromMs)} ${show(compared.toMs)}`, expected)
  })
}
