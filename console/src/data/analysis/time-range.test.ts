import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearchText, toSearchText } from '../search-values.ts'
import {
  chooseInterval,
  fitsSpan,
  formatBucket,
  formatTick,
  INTERVALS,
  toBucketEnd,
  toFittingInterval,
} from './interval.ts'
import { describeRange, parseRangeSearch, toSpan } from './time-range.ts'
import type { RangeSearch } from './time-range.ts'

/** In the second hour of a day that is the first of its month nowhere west of Greenwich. */
const NOW_MS = Date.parse('2026-03-17T13:25:00Z')

function spanOf(search: RangeSearch, nowMs = NOW_MS): readonly [string, string] {
  const { fromMs, toMs } = toSpan(search, nowMs)
  return [new Date(fromMs).toISOString().slice(0, 16), new Date(toMs).toISOString().slice(0, 16)]
}

for (const [range, from, to] of [
  ['today', '2026-03-17T00:00', '2026-03-17T14:00'],
  ['yesterday', '2026-03-16T00:00', '2026-03-17T00:00'],
  ['last_24_hours', '2026-03-16T14:00', '2026-03-17T14:00'],
  ['last_7_days', '2026-03-11T00:00', '2026-03-17T14:00'],
  ['last_30_days', '2026-02-16T00:00', '2026-03-17T14:00'],
  ['this_month', '2026-03-01T00:00', '2026-03-17T14:00'],
  ['last_month', '2026-02-01T00:00', '2026-03-01T00:00'],
  ['last_12_months', '2025-04-01T00:00', '2026-03-17T14:00'],
] as const) {
  test(`${range} goes from ${from} to ${to}`, () => {
    assert.deepEqual(spanOf({ range }), [from, to])
  })
}

test('in the last hour of a month it is still that month', () => {
  const nowMs = Date.parse('2026-03-31T23:59:59.999Z')
  assert.deepEqual(spanOf({ range: 'this_month' }, nowMs), ['2026-03-01T00:00', '2026-04-01T00:00'])
  assert.deepEqual(spanOf({ range: 'today' }, nowMs), ['2026-03-31T00:00', '2026-04-01T00:00'])
})

for (const [text, search] of [
  ['?range=yesterday', { range: 'yesterday' }],
  ['?range=forever', {}],
  ['?from=2026-03-01&to=2026-03-02', { from: '2026-03-01', to: '2026-03-02' }],
  // To the hour: what an address says more exactly is the hour that it is in.
  [
    '?from=2026-03-01T05:59:30Z&to=2026-03-02T00:00:00.000Z',
    { from: '2026-03-01T05:00Z', to: '2026-03-02' },
  ],
  ['?from=2026-03-01&range=today', { from: '2026-03-01' }],
  ['?from=2026-03-02&to=2026-03-02', {}],
  ['?from=2026-03-02&to=2026-03-01', {}],
  ['?from=yesterday&to=2026-13-01', {}],
  ['?from=2026-03-01T05:00', {}],
] as const) {
  test(`the address ${text} is read as ${JSON.stringify(search)}`, () => {
    const read = parseRangeSearch(parseSearchText(text))
    assert.deepEqual(read, search)
    assert.deepEqual(parseRangeSearch(parseSearchText(toSearchText({ ...read }))), search)
  })
}

for (const [search, words] of [
  [{}, 'Last 30 days'],
  [{ range: 'this_month' }, 'This month'],
  [{ from: '2026-02-28', to: '2026-03-01' }, '28 Feb 2026'],
  [{ from: '2026-02-01', to: '2026-03-01' }, '1 Feb 2026 to 28 Feb 2026'],
  [{ from: '2026-02-28T05:00Z', to: '2026-02-28T06:00Z' }, '28 Feb 2026, 05:00 to 06:00 UTC'],
  [{ from: '2026-02-28', to: '2026-03-01T06:00Z' }, '28 Feb 2026, 00:00 to 1 Mar 2026, 06:00 UTC'],
  [{ from: '2026-03-17' }, '17 Mar 2026, 00:00 to 14:00 UTC'],
] as const) {
  test(`a span is called ${words}`, () => assert.equal(describeRange(search, NOW_MS), words))
}

for (const [search, fitting, offered] of [
  [{ from: '2026-03-16T05:00Z', to: '2026-03-16T06:00Z' }, 'hour', ['none', 'hour']],
  [{ range: 'yesterday' }, 'hour', ['none', 'hour']],
  [{ from: '2026-03-14', to: '2026-03-16' }, 'hour', ['none', 'hour', 'day']],
  [{ range: 'last_7_days' }, 'day', ['none', 'hour', 'day']],
  [{ range: 'last_30_days' }, 'day', ['none', 'day', 'week', 'month']],
  [{ range: 'last_12_months' }, 'month', ['none', 'week', 'month']],
  [{ from: '2025-11-01', to: '2026-03-01' }, 'week', ['none', 'day', 'week', 'month']],
  [{ from: '2024-03-01', to: '2026-03-01' }, 'month', ['none', 'week', 'month']],
] as const) {
  test(`${JSON.stringify(search)} is cut by ${fitting}`, () => {
    const span = toSpan(search, NOW_MS)
    assert.equal(toFittingInterval(span), fitting)
    assert.deepEqual(
      INTERVALS.filter((each) => fitsSpan(each, span)),
      offered,
    )
    assert.equal(chooseInterval(offered.at(-1), span), offered.at(-1))
  })
}

test('an interval that does not fit is not taken', () => {
  const span = toSpan({ range: 'last_30_days' }, NOW_MS)
  assert.equal(chooseInterval('hour', span), 'day')
  assert.equal(chooseInterval(undefined, span), 'day')
  assert.equal(chooseInterval('none', span), 'none')
})

for (const [interval, start, end, tick, words] of [
  ['hour', '2026-02-28T05:00Z', '2026-02-28T06:00Z', '05:00', '28 Feb, 05:00 UTC'],
  ['hour', '2026-02-28T00:00Z', '2026-02-28T01:00Z', '28 Feb', '28 Feb, 00:00 UTC'],
  ['day', '2026-02-28', '2026-03-01', '28 Feb', 'Sat, 28 Feb 2026'],
  ['week', '2026-02-23', '2026-03-02', '23 Feb', 'Week of Mon, 23 Feb 2026'],
  ['month', '2025-12-01', '2026-01-01', 'Dec 2025', 'Dec 2025'],
] as const) {
  test(`the ${interval} from ${start} ends at ${end} and is called ${words}`, () => {
    const startMs = Date.parse(start)
    assert.equal(toBucketEnd(startMs, interval), Date.parse(end))
    assert.equal(formatTick(startMs, interval), tick)
    assert.equal(formatBucket(startMs, interval), words)
  })
}
