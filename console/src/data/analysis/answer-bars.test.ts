import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnalysisAnswer, Figures, Member } from './analysis.ts'
import { toAnswerBars } from './answer-bars.ts'

const NO_FIGURES: Figures = {
  cost_usd: 0,
  market_cost_usd: 0,
  requests: 0,
  errors: 0,
  denials: 0,
  unpriced: 0,
  estimated: 0,
  cached: 0,
  cache_hit_share: null,
  output_tokens_per_second: null,
  tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  input_audio_tokens: 0,
  input_image_tokens: 0,
  reasoning_tokens: 0,
  output_audio_tokens: 0,
  output_image_tokens: 0,
  first_byte_ms: null,
  total_ms: null,
  own_us: null,
  unstreamed_ms: null,
}

function member(value: string | null, field = 'model', name: string | null = null): Member {
  return { field, kind: value === null ? 'none' : 'value', value, name }
}

const OTHER: Member = { field: 'model', kind: 'other', value: null, name: null }

function answerOf(
  groups: readonly (readonly Member[])[],
  points: readonly (readonly [bucket: number, row: number, cost: number])[],
): AnalysisAnswer {
  const costOf = (row: number): number =>
    points.filter(([, each]) => each === row).reduce((sum, [, , cost]) => sum + cost, 0)
  const buckets = [
    { start: '2026-03-01T00:00:00.000Z', is_partial: false },
    { start: '2026-03-02T00:00:00.000Z', is_partial: true },
  ]
  return {
    asOf: '2026-03-02T05:00:00.000Z',
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-02T06:00:00.000Z',
    interval: 'day',
    group_by: [],
    buckets,
    rows: groups.map((group, row) => ({ group: [...group], ...NO_FIGURES, cost_usd: costOf(row) })),
    series: points.map(([bucket, row, cost]) => ({ bucket, row, ...NO_FIGURES, cost_usd: cost })),
    bucket_totals: [],
    total: { ...NO_FIGURES, cost_usd: points.reduce((sum, [, , cost]) => sum + cost, 0) },
    groups: 0,
    other_groups: 0,
    capped_calls: 0,
    capped_keys: [],
    complete_from: null,
    previous: null,
  }
}

const draw = (answer: AnalysisAnswer) => toAnswerBars(answer, ({ cost_usd }) => cost_usd, 'Cost')

test('without a grouping there is one series, and a bar for each day, empty ones too', () => {
  const { series, bars } = draw(answerOf([[]], [[1, 0, 5]]))
  assert.deepEqual(series, [{ id: 'whole', label: 'Cost', kind: 'value' }])
  assert.deepEqual(
    bars.map(({ label, tick, values, isPartial }) => [label, tick, values, isPartial]),
    [
      ['Sun, 1 Mar 2026', '1 Mar', {}, false],
      ['Mon, 2 Mar 2026', '2 Mar', { whole: 5 }, true],
    ],
  )
})

test('ten groups have a colour; the rest is one part, and untagged calls another', () => {
  const names = 'a b c d e f g h i j k l'.split(' ')
  const groups = [...names.map((name) => [member(name)]), [member(null)], [OTHER]]
  const points = groups.map((_, row) => [0, row, 20 - row] as const)
  const { series, bars } = draw(answerOf(groups, points))
  assert.deepEqual(
    series.map(({ label, kind }) => `${kind} ${label}`),
    [...names.slice(0, 10).map((name) => `value ${name}`), 'none Without a model', 'other Other'],
  )
  // k and l, 10 and 9, and what the API itself folded, 7.
  assert.equal(bars[0]?.values['other'], 26)
  assert.deepEqual([series[0]?.total, series.at(-1)?.total], [20, 26])
  const whole = Object.values(bars[0]?.values ?? {}).reduce((sum, value) => sum + value, 0)
  assert.equal(
    whole,
    points.reduce((sum, [, , cost]) => sum + cost, 0),
  )
})

test('of two groupings the second is stacked', () => {
  const groups = [
    [member('svc_k_1', 'api_key', 'Search'), member('a')],
    [member('svc_k_2', 'api_key', 'Ads'), member('a')],
    [member('svc_k_1', 'api_key', 'Search'), member('b')],
  ]
  const answer = answerOf(groups, [
    [0, 0, 1],
    [0, 1, 2],
    [1, 2, 4],
  ])
  const overTime = draw(answer)
  assert.deepEqual(
    overTime.series.map(({ label }) => label),
    ['b', 'a'],
  )
  assert.deepEqual(
    overTime.bars.map(({ values }) => values),
    [{ 'value a': 3 }, { 'value b': 4 }],
  )
  const byGroup = draw({ ...answer, interval: 'none', buckets: [], series: [] })
  assert.deepEqual(
    byGroup.bars.map(({ label, values, group }) => [label, values, group[0]?.value]),
    [
      ['Search', { 'value a': 1, 'value b': 4 }, 'svc_k_1'],
      ['Ads', { 'value a': 2 }, 'svc_k_2'],
    ],
  )
})

test('names of callers do not collide with ours', () => {
  const groups = [[member('other')], [member('__proto__')], [OTHER]]
  const { bars } = draw(
    answerOf(groups, [
      [0, 0, 1],
      [0, 1, 2],
      [0, 2, 4],
    ]),
  )
  assert.deepEqual(bars[0]?.values, { 'value other': 1, 'value __proto__': 2, other: 4 })
})

test('what it is compared with has a value for each bar, over time and by group', () => {
  const gone = member('gone')
  const now = answerOf([[member('a')], [gone]], [[0, 0, 5]])
  const before = (bucket: number, row: number, cost: number) => ({
    bucket,
    row,
    ...NO_FIGURES,
    cost_usd: cost,
  })
  const previous = {
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-02-04T00:00:00.000Z',
    total: NO_FIGURES,
    rows: [{ row: 1, ...NO_FIGURES, cost_usd: 7 }],
    buckets: ['2026-02-01', '2026-02-02', '2026-02-03'].map((start) => ({
      start: `${start}T00:00:00.000Z`,
      is_partial: false,
    })),
    series: [before(0, 0, 2), before(0, 1, 3), before(2, 1, 4)],
    recorded_from: null,
  }
  const toCost = ({ cost_usd: cost }: Figures): number => cost
  const overTime = toAnswerBars({ ...now, previous }, toCost, 'Cost')
  assert.equal(overTime.earlier?.label, '1–3 Feb')
  assert.deepEqual(
    overTime.earlier?.points.map(({ label, values }) => [label, values]),
    [
      ['Sun, 1 Feb 2026', { 'value a': 2, 'value gone': 3 }],
      ['Mon, 2 Feb 2026', {}],
      ['Tue, 3 Feb 2026', { 'value gone': 4 }],
    ],
  )
  const byGroup = toAnswerBars({ ...now, interval: 'none', previous }, toCost, 'Cost')
  assert.deepEqual(
    byGroup.earlier?.points.map(({ values }) => values),
    [{}, { whole: 7 }],
  )
  assert.equal(toAnswerBars(now, toCost, 'Cost').earlier, undefined)
})
