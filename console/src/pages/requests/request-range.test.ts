import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fromInputMoment,
  RANGE_CHOICES,
  toExportMonths,
  toInputMoment,
  toMoments,
  toRangeChoice,
  toRangeSearch,
} from './request-range.ts'
import { parseRequestsSearch } from './requests-search.ts'
import { compact, parseSearchText, toSearchText } from '../../data/search-values.ts'

const NOW_MS = Date.parse('2026-03-15T12:30:45.678Z')

test('every choice of time is in the address and read back from it', () => {
  for (const { value } of RANGE_CHOICES) {
    const written = toSearchText(compact(toRangeSearch(value, NOW_MS)))
    assert.equal(toRangeChoice(parseRequestsSearch(parseSearchText(written))), value)
  }
})

test('moments win over a span', () => {
  const search = parseRequestsSearch({ range: 'hour', from: '2026-03-01' })
  assert.deepEqual(search, { from: '2026-03-01' })
})

for (const [search, from, to] of [
  [{}, null, null],
  [{ range: 'hour' }, '2026-03-15T11:30:45Z', null],
  [{ range: 'today' }, '2026-03-15T00:00:00Z', null],
  [{ range: 'yesterday' }, '2026-03-14T00:00:00Z', '2026-03-15T00:00:00Z'],
  [{ range: 'last_7_days' }, '2026-03-09T00:00:00Z', null],
  [{ range: 'last_month' }, '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
  [{ from: '2026-03-01' }, '2026-03-01', null],
] as const) {
  test(`${JSON.stringify(search)} asks for the hours that every page of figures means`, () => {
    assert.deepEqual(toMoments(search, NOW_MS), { from, to })
  })
}

test('an address from before means the same', () => {
  assert.deepEqual(parseRequestsSearch({ range: 'week' }), { range: 'last_7_days' })
})

test('an input of date and time speaks UTC', () => {
  assert.equal(toInputMoment('2026-03-01'), '2026-03-01T00:00')
  assert.equal(toInputMoment('2026-03-01T10:20:30Z'), '2026-03-01T10:20')
  assert.equal(toInputMoment(undefined), '')
  assert.equal(fromInputMoment('2026-03-01T10:20'), '2026-03-01T10:20:00Z')
  assert.equal(fromInputMoment(''), undefined)
})

test('months are offered as far back as calls are kept', () => {
  assert.deepEqual(toExportMonths(NOW_MS, 60), ['2026-03', '2026-02', '2026-01'])
  assert.deepEqual(toExportMonths(NOW_MS, 1), ['2026-03'])
  assert.equal(toExportMonths(NOW_MS, 400)[11], '2025-04')
})
