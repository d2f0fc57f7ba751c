import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnalysisAnswer, Figures } from '../../data/analysis/analysis.ts'
import { parseSearchText, toSearchText } from '../../data/search-values.ts'
import {
  formatSpeed,
  formatTimeMs,
  toErrorShare,
  toPerformanceAsked,
  toLinePoints,
  toTimeMs,
} from './performance-figures.ts'
import { parsePerformanceSearch } from './performance-search.ts'

const NOW_MS = Date.parse('2026-03-17T13:25:00Z')

/** Only what is read here. */
function figuresOf(change: Partial<Figures>): Figures {
  const none = { first_byte_ms: null, total_ms: null, own_us: null, errors: 0, requests: 0 }
  return { ...none, ...change } as Figures
}

test('all times are in milliseconds, and what no call has is nothing rather than zero', () => {
  const figures = figuresOf({
    total_ms: { p50: 100, p95: 1500, p99: 9000 },
    own_us: { p50: 80, p95: 400, p99: 1200 },
  })
  assert.equal(toTimeMs(figures, 'total', 'p95'), 1500)
  assert.equal(toTimeMs(figures, 'own', 'p95'), 0.4)
  assert.equal(toTimeMs(figures, 'first_byte', 'p95'), null)
  assert.deepEqual(
    [formatTimeMs(1500), formatTimeMs(0.4), formatTimeMs(null)],
    ['1.5 s', '0.4 ms', ''],
  )
  assert.deepEqual([formatSpeed(52.34), formatSpeed(null)], ['52.3 tokens/s', ''])
})

test('errors are a share of the calls, and of no calls there is none', () => {
  assert.equal(toErrorShare(figuresOf({ errors: 3, requests: 12 })), 0.25)
  assert.equal(toErrorShare(figuresOf({})), null)
})

test('a line is a figure of each whole bucket; a bucket without one is a gap', () => {
  const times = { p50: 1, p95: 2, p99: 3 }
  const answer = {
    interval: 'day',
    buckets: [
      { start: '2026-03-16T00:00:00.000Z', is_partial: false },
      { start: '2026-03-17T00:00:00.000Z', is_partial: true },
    ],
    bucket_totals: [{ bucket: 1, ...figuresOf({ total_ms: times }) }],
  } as unknown as AnalysisAnswer
  const points = toLinePoints(answer, (figures) => [
    ['p99', toTimeMs(figures, 'total', 'p99')],
    ['errors', toErrorShare(figures)],
  ])
  assert.deepEqual(
    points.map(({ tick, values, isPartial }) => [tick, values, isPartial]),
    [
      ['16 Mar', {}, false],
      ['17 Mar', { p99: 3 }, true],
    ],
  )
})

test('one question has all that the page shows, over time and with times', () => {
  const { question } = toPerformanceAsked({ range: 'yesterday', interval: 'none' }, NOW_MS)
  assert.deepEqual(question, {
    from: '2026-03-16',
    to: '2026-03-17',
    interval: 'hour',
    group_by: ['provider'],
    filter: [],
    order_by: 'requests',
    limit: 50,
    latency: true,
  })
})

for (const [text, search] of [
  [
    '?range=today&group_by=dim%3Ateam&filter=model%3Da&time=own&rate=speed',
    {
      range: 'today',
      group_by: 'dim:team',
      filter: ['model=a'],
      time: 'own',
      rate: 'speed',
    },
  ],
  ['?group_by=colour&time=never&rate=p42&filter=x', {}],
] as const) {
  test(`the address ${text} is read as ${JSON.stringify(search)}`, () => {
    const read = parsePerformanceSearch(parseSearchText(text))
    assert.deepEqual(read, search)
    assert.deepEqual(parsePerformanceSearch(parseSearchText(toSearchText({ ...read }))), search)
  })
}
