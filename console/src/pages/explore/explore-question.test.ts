import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '../../../../src/api/usage/catalogue.ts'
import { GROUPINGS, windowsOf } from './explore-catalogue.ts'
import type { Grouping } from './explore-catalogue.ts'
import { choose, isParted, toQuestion, withFirst } from './explore-question.ts'
import { EXPLORE_METRICS, EXPLORE_WINDOWS } from './explore-search.ts'
import type { ExploreSearch } from './explore-search.ts'
import { compact } from '../../data/search-values.ts'
import {
  describeNothing,
  describeQuestion,
  explainGroupings,
  explainWindows,
} from './explore-words.ts'

const KNOWN = { dimKeys: ['team', 'app'], asOf: '2026-01-16T03:00:00.000Z' }

function isServed({ metric, dimension, window }: ExploreSearch): boolean {
  return CATALOGUE.some(
    (row) =>
      row.metric === metric &&
      row.dimension === (dimension ?? null) &&
      window !== undefined &&
      row.windows.includes(window),
  )
}

test('every click on every question leads to a question that is served and complete', () => {
  const starts = CATALOGUE.flatMap(({ metric, dimension, windows }) =>
    windows.map((window): ExploreSearch => ({ metric, dimension: dimension ?? undefined, window })),
  )
  for (const start of [{}, ...starts].map((search) => choose(withFirst(search), {}, KNOWN))) {
    const choices = [
      ...EXPLORE_METRICS.map((metric) => ({ metric })),
      ...GROUPINGS.map((grouping) => ({ grouping })),
      ...EXPLORE_WINDOWS.map((window) => ({ window })),
    ]
    for (const choice of choices) {
      const next = choose(start, choice, KNOWN)
      const text = JSON.stringify([start, choice, next])
      assert.ok(isServed(next), text)
      assert.equal(toQuestion(next).kind, 'ready', text)
    }
  }
})

test('what can be chosen is what was chosen', () => {
  for (const { metric, dimension, windows } of CATALOGUE) {
    for (const window of windows) {
      const grouping: Grouping = dimension ?? 'total'
      const next = choose({}, { metric, grouping, window }, KNOWN)
      assert.deepEqual(
        [next.metric, next.dimension ?? null, next.window],
        [metric, dimension, window],
      )
    }
  }
})

test('the bare page has its question, whatever else its address says', () => {
  const refused = { metric: undefined, window: undefined, limit: undefined, view: 'table' } as const
  assert.deepEqual(withFirst(refused), {
    metric: 'cost_usd',
    dimension: 'model',
    window: 'month_to_date',
    limit: 20,
    view: 'table',
  })
  assert.equal(withFirst({ limit: 100 }).limit, 100)
})

test('a choice keeps what still belongs and drops what does not', () => {
  const search: ExploreSearch = {
    metric: 'cost_usd',
    dimension: 'dim',
    dim_key: 'app',
    window: 'month',
    month: '2025-03',
    limit: 50,
    api_key: 'svc_k_1',
    view: 'table',
  }
  assert.deepEqual(compact(choose(search, { grouping: 'dim_model' }, KNOWN)), {
    ...search,
    dimension: 'dim_model',
  })
  assert.deepEqual(compact(choose(search, { metric: 'tokens' }, KNOWN)), {
    metric: 'tokens',
    window: 'month_to_date',
    view: 'table',
  })
})

test('a dimension and a month are filled in from what the server knows', () => {
  const next = choose({}, { metric: 'cost_usd', grouping: 'dim', window: 'month' }, KNOWN)
  assert.equal(next.dim_key, 'team')
  assert.equal(next.month, '2025-12')
})

test('an address means what the same parameters mean to the API', () => {
  const address: ExploreSearch = { metric: 'cost_usd', window: 'month_to_date', view: 'table' }
  assert.deepEqual(toQuestion(address), {
    kind: 'ready',
    question: { metric: 'cost_usd', window: 'month_to_date' },
  })
  // What does not belong is left to the API to refuse: nothing is dropped in silence.
  const odd: ExploreSearch = { metric: 'requests', window: 'today', api_key: 'svc_k_1' }
  assert.deepEqual(toQuestion(odd), { kind: 'ready', question: odd })
})

for (const [search, part] of [
  [{ metric: 'cost_usd', dimension: 'dim', window: 'month_to_date' }, 'dim_key'],
  [{ metric: 'cost_usd', window: 'month' }, 'month'],
  [{ metric: 'tokens', dimension: 'model' }, 'window'],
] as const) {
  test(`a question without its ${part} is not asked`, () => {
    assert.deepEqual(toQuestion(search), { kind: 'wanting', part })
  })
}

test('the rows of a breakdown are parts of a whole, those of a trend are not', () => {
  const narrowed = { metric: 'cost_usd', window: 'month', month: '2025-12', api_key: 'k' } as const
  assert.equal(isParted({ ...narrowed, dimension: 'model', limit: 3 }), true)
  for (const question of [
    { metric: 'cost_usd', window: 'last_7_days', dimension: 'day' },
    { metric: 'cost_usd', window: 'monthly_series', dimension: 'provider' },
    { metric: 'tokens', window: 'month_to_date' },
  ] as const) {
    assert.equal(isParted(question), false)
  }
})

for (const [question, text] of [
  [{ metric: 'cost_usd', window: 'today' }, 'Cost, today'],
  [{ metric: 'cost_usd', window: 'today', api_key: 'svc_k_1' }, 'Cost, today, one key'],
  [
    {
      metric: 'cost_usd',
      window: 'month',
      month: '2025-12',
      dimension: 'dim_model',
      dim_key: 'team',
    },
    'Cost by team and model, Dec 2025',
  ],
  [
    { metric: 'cost_usd', window: 'monthly_series', dimension: 'provider', months: 6 },
    'Cost by provider, the last 6 months',
  ],
] as const) {
  test(`a question is called ${text}`, () => assert.equal(describeQuestion(question), text))
}

test('what cannot be chosen says why', () => {
  assert.equal(explainGroupings('cost_usd'), null)
  assert.match(explainGroupings('tokens') ?? '', /^Tokens are only available as a total\./)
  assert.equal(
    explainWindows('cost_usd', 'api_key'),
    'Cost by API key is available for this month so far, today and one month.',
  )
  assert.equal(
    explainWindows('cost_usd', 'day'),
    'Cost by day is available for the last 7 days and the last 30 days.',
  )
  assert.equal(windowsOf('tokens', 'day').length, 0)
  const nothing = { metric: 'cost_usd', window: 'month_to_date', dimension: 'dim' } as const
  assert.match(describeNothing({ ...nothing, dim_key: 'team' }), /X-SVC-Dims: team=/)
})
