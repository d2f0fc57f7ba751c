import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toLastMonthWords, toPaceWords, toSpanWords } from './span-words.ts'

const AS_OF = '2026-11-17T11:03:20.000Z'
const NOTHING = { cost_usd: 1, before_cost_usd: 1, recorded_from: null }

test('a comparison names both spans, to the minute', () => {
  const words = toSpanWords({
    from: '2026-11-01T00:00:00.000Z',
    to: AS_OF,
    before_from: '2026-10-01T00:00:00.000Z',
    before_to: '2026-10-17T11:03:20.000Z',
    ...NOTHING,
  })
  assert.equal(words, '1–17 Nov, 11:03 against 1–17 Oct, 11:03 UTC')
})

test('a span within one day is that day', () => {
  const words = toSpanWords({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-01T11:03:20.000Z',
    before_from: '2026-10-01T00:00:00.000Z',
    before_to: '2026-10-01T11:03:20.000Z',
    ...NOTHING,
  })
  assert.equal(words, '1 Nov until 11:03 against 1 Oct until 11:03 UTC')
})

test('a span that ends at midnight ends with the day before', () => {
  const words = toSpanWords({
    from: '2026-11-10T14:23:00.000Z',
    to: '2026-11-17T00:00:00.000Z',
    before_from: '2026-10-10T14:23:00.000Z',
    before_to: '2026-10-17T00:00:00.000Z',
    ...NOTHING,
  })
  assert.equal(words, '10 Nov, 14:23 – 16 Nov against 10 Oct, 14:23 – 16 Oct UTC')
})

for (const [first, pace, lastMonth] of [
  [null, null, null],
  ['2026-11-10T14:23:00.000Z', 'At the pace since 10 Nov, 14:23 UTC', null],
  ['2026-10-10T00:00:00.000Z', null, 'Last month from 10 Oct UTC'],
  ['2026-09-30T23:59:59.999Z', null, 'All of last month'],
] as const) {
  test(`a first call at ${first ?? 'no time'} is said beside the forecast`, () => {
    const facts = { asOf: AS_OF, first_call_at: first }
    assert.deepEqual([toPaceWords(facts), toLastMonthWords(facts)], [pace, lastMonth])
  })
}
