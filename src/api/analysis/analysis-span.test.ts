import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfHour, listBuckets, startOfMonth } from './analysis-span.ts'

const at = (time: string): number => Date.parse(time)
const show = (ms: number): string => new Date(ms).toISOString().slice(0, 13)

const BUCKETS = [
  ['hour', '2026-03-01T22:00Z', '2026-03-02', ['2026-03-01T22', '2026-03-01T23', '2026-03-02T00']],
  ['day', '2026-02-27T05:00Z', '2026-03-01', ['2026-02-27T00', '2026-02-28T00', '2026-03-01T00']],
  ['day', '2028-02-28', '2028-03-01', ['2028-02-28T00', '2028-02-29T00', '2028-03-01T00']],
  // The 2nd of March 2026 is a Monday, and so is the 9th.
  ['week', '2026-03-01', '2026-03-03', ['2026-02-23T00', '2026-03-02T00', '2026-03-09T00']],
  ['week', '2026-03-02', '2026-03-09', ['2026-03-02T00', '2026-03-09T00']],
  // The first of January 1970 was a Thursday.
  ['week', '1970-01-01', '1970-01-06', ['1969-12-29T00', '1970-01-05T00', '1970-01-12T00']],
  ['month', '2025-12-31T23:00Z', '2026-02-01', ['2025-12-01T00', '2026-01-01T00', '2026-02-01T00']],
] as const

for (const [interval, from, to, edges] of BUCKETS) {
  test(`${from} to ${to} by ${interval}`, () => {
    const span = { fromMs: at(from), toMs: at(to) }
    assert.deepEqual(listBuckets(span, interval, 10)?.map(show), edges)
  })
}

test('more buckets than there may be are none', () => {
  const span = { fromMs: at('2026-03-01'), toMs: at('2026-03-11') }
  assert.equal(listBuckets(span, 'day', 10)?.length, 11)
  assert.equal(listBuckets(span, 'day', 9), null)
  assert.equal(listBuckets({ fromMs: 0, toMs: at('9999-12-31') }, 'hour', 20_000), null)
})

test('hours and months are those of UTC', () => {
  assert.equal(endOfHour(at('2026-03-15T12:00Z')), at('2026-03-15T13:00Z'))
  assert.equal(endOfHour(at('2026-12-31T23:59:59.999Z')), at('2027-01-01'))
  assert.equal(startOfMonth(at('2028-02-29T23:59:59.999Z')), at('2028-02-01'))
})
