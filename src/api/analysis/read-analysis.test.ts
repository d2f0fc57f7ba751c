import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { WeirError } from '../../core/weir-error.ts'
import type {
  AnalysisAnswer,
  AnalysisFigures,
  AnalysisQuestion,
  AnalysisSum,
  AnalysisValue,
} from '../../store/usage/analysis.ts'
import { LATENCY_ERROR, toLatencyBucket } from '../../store/usage/latency-buckets.ts'
import { analysisSchema } from '../contract.ts'
import { ANALYSIS_POINTS_MAX } from './analysis-span.ts'
import type { Analysis, AnalysisFiguresAnswer } from '../contract.ts'
import { addToSum, createFigureSum } from './analysis-figures.ts'
import { readAnalysis } from './read-analysis.ts'
import type { AnalysisQuery } from './to-analysis-query.ts'

const NOW = Date.parse('2026-03-15T12:20:00.000Z')
const DAY_MS = 86_400_000
const at = (time: string): number => Date.parse(time)
const is = (value: string): AnalysisValue => ({ kind: 'value', value })

const QUERY: AnalysisQuery = {
  fromMs: at('2026-03-13'),
  toMs: at('2026-03-15T13:00Z'),
  interval: 'day',
  groupBy: ['model'],
  filters: [],
  orderBy: 'cost',
  limit: 10,
  offset: 0,
  search: '',
  hasLatencies: false,
  hasPrevious: false,
  canNameKeys: true,
}

interface Drawn {
  readonly bucketMs: number | null
  readonly groups: readonly AnalysisValue[]
  readonly figures: Partial<AnalysisFigures>
}

/** As a store would: the total is the sum of the sums. */
function toAnswer(drawn: readonly Drawn[]): AnalysisAnswer {
  const total = createFigureSum()
  const sums = drawn.map((each): AnalysisSum => {
    const figures = { ...createFigureSum(), ...each.figures }
    addToSum(total, figures)
    return { ...each, figures }
  })
  return { sums, total, capped: 0, cappedKeys: [], completeFromMs: null, toMs: 0 }
}

interface Asked {
  readonly answer: Analysis
  readonly questions: readonly AnalysisQuestion[]
}

async function read(
  query: AnalysisQuery,
  ...answers: readonly (readonly Drawn[])[]
): Promise<Asked> {
  const asked: (readonly AnalysisQuestion[])[] = []
  const answer = await readAnalysis(
    query,
    {
      usage: {
        analyze: async (questions) => {
          asked.push(questions)
          return answers.map((drawn, place) => ({
            ...toAnswer(drawn),
            toMs: questions[place]?.toMs ?? 0,
          }))
        },
        readFirstCallAt: async () => at('2026-03-10T12:00Z'),
      },
      names: NAMES,
    },
    NOW,
  )
  assert.equal(asked.length, 1, 'the store was asked more than once')
  return { answer: analysisSchema.parse(answer), questions: asked[0] ?? [] }
}

const TEAM = 'team_0123456789abcdef'
const NAMES = new Map([
  ['svc_k_a', 'build'],
  [TEAM, 'Search'],
])
const USD = 1_000_000_000_000n
const FIRST = {
  bucketMs: at('2026-03-13'),
  groups: [is('a')],
  figures: { cost: 2n * USD, requests: 3 },
}
const LAST = { bucketMs: at('2026-03-15'), groups: [is('a')], figures: { cost: USD, requests: 1 } }

test('names the keys of calls that are not kept apart, to those who may see keys', async () => {
  for (const canNameKeys of [true, false]) {
    const capped = { ...toAnswer([]), capped: 3, cappedKeys: ['svc_k_a'] }
    const sources = {
      usage: { analyze: async () => [capped], readFirstCallAt: async () => null },
      names: new Map(),
    }
    const answer = await readAnalysis({ ...QUERY, canNameKeys }, sources, NOW)
    assert.deepEqual([answer.capped_calls, answer.capped_keys], [3, canNameKeys ? ['svc_k_a'] : []])
  }
})

test('every group is on one page, and each page adds up to the total', async () => {
  const sums = ['a', 'b', 'c', 'd', 'e'].map((name, place) => ({
    bucketMs: null,
    groups: [is(name)],
    figures: { cost: BigInt(5 - place) * USD },
  }))
  const untagged = { bucketMs: null, groups: [{ kind: 'none' }], figures: { cost: 1n } } as const
  const pages = [0, 2, 4].map(async (offset) => {
    const query = { ...QUERY, interval: 'none', limit: 2, offset } as const
    const { answer } = await read(query, [...sums, untagged])
    assert.equal(answer.groups, 6)
    const cost = answer.rows.reduce((sum, row) => sum + row.cost_usd, 0)
    assert.equal(cost.toFixed(6), answer.total.cost_usd.toFixed(6))
    return answer.rows.map(({ group }) => group[0]?.value ?? `(${group[0]?.kind})`)
  })
  assert.deepEqual(await Promise.all(pages), [
    ['a', 'b', '(none)', '(other)'],
    ['c', 'd', '(other)'],
    ['e', '(other)'],
  ])
})

test('a search finds groups by a value or the name of a key, and adds up', async () => {
  const pairs = [
    ['svc_k_a', 'Large'],
    ['svc_k_b', 'large'],
    ['svc_k_b', 'small'],
  ].map(([key = '', model = '']) => ({
    bucketMs: null,
    groups: [is(key), is(model)],
    figures: { cost: USD },
  }))
  const find = async (search: string) => {
    const query = { ...QUERY, interval: 'none', groupBy: ['api_key', 'model'], search } as const
    const { answer } = await read(query, pairs)
    assert.equal(answer.total.cost_usd, 3)
    const rows = answer.rows.map(({ group, cost_usd: cost }) => [group[1]?.value, cost])
    return [answer.groups, ...rows]
  }
  assert.deepEqual(await find('LARGE'), [2, ['Large', 1], ['large', 1], [null, 1]])
  assert.deepEqual(await find('Build'), [1, ['Large', 1], [null, 2]])
  assert.deepEqual(await find('nothing'), [0, [null, 3]])
})

test('has all buckets, empty ones too, and says which are not whole', async () => {
  const { answer } = await read({ ...QUERY, fromMs: at('2026-03-13T06:00Z') }, [FIRST, LAST])
  assert.deepEqual(answer.buckets, [
    { start: '2026-03-13T00:00:00.000Z', is_partial: true },
    { start: '2026-03-14T00:00:00.000Z', is_partial: false },
    { start: '2026-03-15T00:00:00.000Z', is_partial: true },
  ])
  assert.deepEqual(
    answer.series.map(({ bucket, row, cost_usd: cost }) => [bucket, row, cost]),
    [
      [0, 0, 2],
      [2, 0, 1],
    ],
  )
  assert.deepEqual(
    answer.rows.map(({ group, cost_usd: cost, requests }) => [group, cost, requests]),
    [[[{ field: 'model', kind: 'value', value: 'a', name: null }], 3, 4]],
  )
  assert.deepEqual([answer.total.cost_usd, answer.previous], [3, null])
})

test('has the percentiles of a whole bucket, which those of its rows do not add up to', async () => {
  const took = (ms: number, calls: number): Partial<AnalysisFigures> => ({
    requests: calls,
    latencies: {
      firstByteMs: new Map(),
      totalMs: new Map([[toLatencyBucket(ms), calls]]),
      ownMicros: new Map(),
      unstreamedMs: new Map(),
    },
  })
  const sums = [
    { ...FIRST, figures: took(100, 90) },
    { ...FIRST, groups: [is('b')], figures: took(10_000, 10) },
    { ...LAST, figures: took(500, 1) },
  ]
  const { answer } = await read({ ...QUERY, hasLatencies: true }, sums)
  assert.deepEqual(
    answer.bucket_totals.map(({ bucket, requests }) => [bucket, requests]),
    [
      [0, 100],
      [2, 1],
    ],
  )
  // Of a hundred calls 90 took 100 ms and 10 took 10 s: half within the first, 95 in the second.
  const times = answer.bucket_totals[0]?.total_ms
  assert.ok(Math.abs((times?.p50 ?? 0) / 100 - 1) < LATENCY_ERROR + 0.01, String(times?.p50))
  assert.ok(Math.abs((times?.p95 ?? 0) / 10_000 - 1) < LATENCY_ERROR + 0.01, String(times?.p95))
  const without = await read(QUERY, sums)
  assert.deepEqual(without.answer.bucket_totals, [])
})

test('a bucket that is yet to come is not whole, nor is one that the end cuts', async () => {
  const { answer } = await read({ ...QUERY, interval: 'week', toMs: at('2026-03-25') }, [])
  assert.deepEqual(answer.buckets, [
    { start: '2026-03-09T00:00:00.000Z', is_partial: true },
    { start: '2026-03-16T00:00:00.000Z', is_partial: true },
    { start: '2026-03-23T00:00:00.000Z', is_partial: true },
  ])
  const whole = { ...QUERY, interval: 'hour', toMs: at('2026-03-13T02:00Z') } as const
  const hours = (await read(whole, [])).answer.buckets
  assert.deepEqual(
    hours.map(({ is_partial: isPartial }) => isPartial),
    [false, false],
  )
})

test('without an interval there are rows alone', async () => {
  const { answer } = await read({ ...QUERY, interval: 'none' }, [{ ...FIRST, bucketMs: null }])
  assert.deepEqual([answer.buckets, answer.series, answer.rows.length], [[], [], 1])
})

test('names keys beside their ids', async () => {
  const groups = (id: string) => [is('m'), is(id)]
  const drawn = [
    { ...FIRST, groups: groups('svc_k_a') },
    { ...LAST, groups: groups('svc_k_gone') },
  ]
  const { answer } = await read({ ...QUERY, groupBy: ['model', 'api_key'] }, drawn)
  assert.deepEqual(
    answer.rows.map(({ group }) => group.map(({ value, name }) => [value, name])),
    [
      [
        ['m', null],
        ['svc_k_a', 'build'],
      ],
      [
        ['m', null],
        ['svc_k_gone', null],
      ],
    ],
  )
})

test('compares with the span before by the same rows, asked in the same moment', async () => {
  const before = [
    { bucketMs: at('2026-03-10'), groups: [is('a')], figures: { cost: 5n * USD } },
    { bucketMs: at('2026-03-12'), groups: [is('gone')], figures: { cost: USD } },
  ]
  const { answer, questions } = await read({ ...QUERY, hasPrevious: true }, [FIRST], before)
  assert.deepEqual(
    questions.map(({ fromMs, toMs, interval }) => [fromMs, toMs, interval]),
    [
      [QUERY.fromMs, QUERY.toMs, 'day'],
      [QUERY.fromMs - 2 * DAY_MS - 13 * 3_600_000, QUERY.fromMs, 'day'],
    ],
  )
  assert.deepEqual(
    [answer.previous?.from, answer.previous?.to, answer.previous?.total.cost_usd],
    ['2026-03-10T11:00:00.000Z', '2026-03-13T00:00:00.000Z', 6],
  )
  assert.deepEqual(
    answer.rows.map(({ group, cost_usd: cost }) => [group[0]?.value, cost]),
    [
      ['a', 2],
      ['gone', 0],
    ],
  )
  assert.deepEqual(
    answer.previous?.rows.map(({ row, cost_usd: cost }) => [row, cost]),
    [
      [0, 5],
      [1, 1],
    ],
  )
  assert.deepEqual(
    answer.previous?.series.map(({ bucket, row, cost_usd: cost }) => [bucket, row, cost]),
    [
      [0, 0, 5],
      [2, 1, 1],
    ],
  )
  assert.deepEqual(
    answer.previous?.buckets.map(({ start, is_partial: isPartial }) => [
      start.slice(0, 10),
      isPartial,
    ]),
    [
      ['2026-03-10', true],
      ['2026-03-11', false],
      ['2026-03-12', false],
    ],
  )
  assert.equal(answer.previous?.recorded_from, '2026-03-10T12:00:00.000Z')
})

test('by change, rises and falls alike come first, what is new and what is gone among them', async () => {
  const drawn = (costs: Readonly<Record<string, bigint>>): Drawn[] =>
    Object.entries(costs).map(([name, cost]) => ({
      ...FIRST,
      groups: [is(name)],
      figures: { cost },
    }))
  const now = { up: 9n * USD, same: 50n * USD, down: USD, fresh: 3n * USD }
  const before = { up: 4n * USD, same: 50n * USD, down: 5n * USD, gone: 6n * USD }
  const query = { ...QUERY, orderBy: 'change', limit: 4, hasPrevious: true } as const
  const { answer } = await read(query, drawn(now), drawn(before))
  assert.deepEqual(
    answer.rows.map(({ group, cost_usd: cost }, row) => {
      const then = answer.previous?.rows.find((each) => each.row === row)
      return [group[0]?.value, cost, then?.cost_usd]
    }),
    [
      ['gone', 0, 6],
      ['up', 9, 4],
      ['down', 1, 5],
      ['fresh', 3, undefined],
      [null, 50, 50],
    ],
  )
  assert.equal(answer.other_groups, 1)
})

test('where the hours of the span before are gone, its months are compared', async () => {
  const asked: string[] = []
  const sources = {
    usage: {
      analyze: async (questions: readonly AnalysisQuestion[]) => {
        asked.push(questions.map(({ interval }) => interval).join(' '))
        if (asked.length === 1) throw new WeirError('invalid_parameter', 'gone')
        return [toAnswer([FIRST]), toAnswer([{ ...FIRST, bucketMs: null }])]
      },
      readFirstCallAt: async () => 0,
    },
    names: new Map(),
  }
  const { previous } = await readAnalysis({ ...QUERY, hasPrevious: true }, sources, NOW)
  assert.deepEqual(asked, ['day day', 'day none'])
  assert.deepEqual(
    [previous?.total.cost_usd, previous?.series, previous?.recorded_from],
    [2, [], null],
  )
})

test('shares and percentiles are those of the calls together', async () => {
  const latencies = (...times: readonly number[]) => {
    const counts = new Map<number, number>()
    for (const time of times) {
      const bucket = toLatencyBucket(time)
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
    }
    return {
      firstByteMs: new Map(),
      totalMs: counts,
      ownMicros: new Map(),
      unstreamedMs: new Map(),
    }
  }
  const tokens = { inputTokens: 300, outputTokens: 50, cacheReadTokens: 75 }
  const fast = Array.from({ length: 98 }, () => 100)
  const { answer } = await read(QUERY, [
    { ...FIRST, figures: { ...tokens, latencies: latencies(...fast) } },
    { ...LAST, figures: { inputTokens: 100, latencies: latencies(9000, 9000) } },
  ])
  const [row] = answer.rows
  // 75 of 400.
  assert.deepEqual([row?.cache_hit_share, row?.tokens, row?.first_byte_ms], [0.1875, 450, null])
  const near = (time: number | undefined, exact: number): void =>
    assert.ok(Math.abs((time ?? 0) / exact - 1) <= LATENCY_ERROR + 0.005, `${time}, not ${exact}`)
  near(row?.total_ms?.p50, 100)
  near(row?.total_ms?.p95, 100)
  near(row?.total_ms?.p99, 9000)
  assert.equal(answer.series[1]?.cache_hit_share, 0)
  const nothing = await read(QUERY, [{ ...FIRST, figures: { requests: 1 } }])
  assert.equal(nothing.answer.total.cache_hit_share, null)
})

test('more points than there may be are refused with the way to narrow them', async () => {
  const hours = { ...QUERY, interval: 'hour', limit: 1000 } as const
  // 61 hours: 327 rows are 19,947 points, 328 are 20,008.
  const groups = (count: number) =>
    Array.from({ length: count }, (_, place) => ({ ...FIRST, groups: [is(`m${place}`)] }))
  assert.equal((await read(hours, groups(327))).answer.rows.length, 327)
  await assert.rejects(read(hours, groups(328)), (error) => {
    assert.ok(error instanceof WeirError)
    assert.equal(error.code, 'invalid_parameter')
    assert.match(error.message, /61 buckets of 328 rows, more than 20000.*limit=325 or less/)
    return true
  })
  assert.equal((await read({ ...hours, limit: 325 }, groups(900))).answer.rows.length, 326)
  assert.ok(326 * 61 <= ANALYSIS_POINTS_MAX)
})

const FIGURES = ['cost_usd', 'market_cost_usd', 'requests', 'errors', 'denials', 'tokens'] as const

/** Money as whole billionths, which is what answers are rounded to. */
function exact(figures: AnalysisFiguresAnswer): number[] {
  return FIGURES.map((name) => {
    const value = figures[name]
    return name.endsWith('_usd') ? Math.round(value * 1e9) : value
  })
}

function addUp(list: readonly AnalysisFiguresAnswer[]): number[] {
  return list.map(exact).reduce(
    (sum, each) => sum.map((value, place) => value + (each[place] ?? 0)),
    FIGURES.map(() => 0),
  )
}

const drawnValue = fc.oneof(
  fc.constantFrom<AnalysisValue>({ kind: 'none' }, { kind: 'other' }),
  fc.nat({ max: 12 }).map((number) => is(`v${number}`)),
)
const count = fc.nat({ max: 1000 })
/** In billionths of a dollar, so that rounding takes nothing away. */
const money = fc.nat({ max: 10 ** 9 }).map((nanos) => BigInt(nanos) * 1000n)
const drawnSum = fc.record({
  bucketMs: fc.nat({ max: 2 }).map((day) => at('2026-03-13') + day * DAY_MS),
  groups: fc.tuple(drawnValue, drawnValue),
  figures: fc.record({
    cost: money,
    marketCost: money,
    requests: count,
    errors: count,
    denials: count,
    inputTokens: count,
    outputTokens: count,
  }),
})

test('points add up to rows, rows to the total, whatever is asked', async () => {
  const drawn = fc.record({
    sums: fc.array(drawnSum, { maxLength: 60 }),
    before: fc.array(drawnSum, { maxLength: 60 }),
    fields: fc.nat({ max: 2 }),
    limit: fc.integer({ min: 1, max: 20 }),
    orderBy: fc.constantFrom('cost', 'requests', 'tokens', 'denials', 'change'),
  })
  const property = fc.asyncProperty(drawn, async ({ sums, before, fields, limit, orderBy }) => {
    const cut = (list: readonly Drawn[]): Drawn[] =>
      list.map((each) => ({ ...each, groups: each.groups.slice(0, fields) }))
    const groupBy = (['model', 'dim:team'] as const).slice(0, fields)
    const query = { ...QUERY, groupBy, limit, orderBy, hasPrevious: true } as const
    const { answer } = await read(query, cut(sums), cut(before))
    const { rows, series, total, previous } = answer
    assert.deepEqual(addUp(rows), exact(total))
    for (const [row, figures] of rows.entries()) {
      assert.deepEqual(addUp(series.filter((point) => point.row === row)), exact(figures))
    }
    assert.deepEqual(addUp(previous?.rows ?? []), exact(previous?.total ?? total))
    const within = previous?.series ?? []
    assert.ok(within.every(({ bucket }) => bucket < (previous?.buckets.length ?? 0)))
    assert.ok(rows.length <= limit + 2)
    const isOther = rows.map(
      ({ group }) => fields > 0 && group.every(({ kind }) => kind === 'other'),
    )
    assert.ok(!isOther.slice(0, -1).includes(true), 'other is not the last row')
    const texts = rows.map(({ group }) => JSON.stringify(group))
    assert.equal(new Set(texts).size, texts.length, 'a group has two rows')
  })
  await fc.assert(property, { numRuns: 300 })
})
