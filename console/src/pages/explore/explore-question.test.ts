import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '../../../../src/api/usage/catalogue.ts'
import { parseSearchText, toSearchText } from '../../data/search-values.ts'
import type { UsageQuestion } from '../../data/usage.ts'
import { toCatalogueQuestion } from './catalogue-question.ts'
import { toAnalysisLines, toUsageLines } from './explore-lines.ts'
import { toAsked, withFirst } from './explore-question.ts'
import { parseExploreSearch } from './explore-search.ts'
import type { ExploreSearch } from './explore-search.ts'
import { describeQuestion, describeCapped, describeUnpriced, listNotes } from './explore-words.ts'
import { fromOldAddress } from './old-address.ts'

const NOW_MS = Date.parse('2026-03-17T13:25:00Z')
const ORIGIN = 'http://127.0.0.1:7071'

function listCatalogue(): readonly UsageQuestion[] {
  return CATALOGUE.flatMap(({ metric, dimension, windows }) =>
    windows.map((window) => ({
      metric,
      ...(dimension === null ? {} : { dimension }),
      ...(dimension === 'dim' || dimension === 'dim_model' ? { dim_key: 'team' } : {}),
      window,
      ...(window === 'month' ? { month: '2025-12' } : {}),
      ...(window === 'monthly_series' ? { months: 12 } : {}),
      ...(dimension === null || dimension === 'day' ? {} : { limit: 7 }),
    })),
  )
}

test('the old address of every question of /v1/usage leads to it, and its lines ask it', () => {
  for (const question of listCatalogue()) {
    const text = toSearchText({ ...question, view: 'table' })
    const search = fromOldAddress(parseSearchText(text), NOW_MS)
    assert.ok(search !== null, text)
    // As the address is read again.
    const read = parseExploreSearch(parseSearchText(toSearchText({ ...search })))
    assert.deepEqual(read, search, text)
    const asked = toAsked(search, NOW_MS)
    assert.deepEqual(toCatalogueQuestion(search, asked.question), question, text)
  }
})

test('an old address with a key has it as a filter, and its line too', () => {
  const text = '?metric=cost_usd&dimension=model&window=month_to_date&limit=5&api_key=svc_k_1'
  const search = fromOldAddress(parseSearchText(text), NOW_MS) ?? {}
  assert.deepEqual(search.filter, ['api_key=svc_k_1'])
  const question = toCatalogueQuestion(search, toAsked(search, NOW_MS).question)
  assert.equal(question?.api_key, 'svc_k_1')
})

test('an old series of other months begins with the first of them', () => {
  const text = '?metric=cost_usd&dimension=provider&window=monthly_series&months=3'
  const search = fromOldAddress(parseSearchText(text), NOW_MS)
  assert.deepEqual(search, {
    from: '2026-01-01',
    interval: 'month',
    group_by: ['provider'],
    order_by: 'cost',
  })
})

test('an address of today is not an old one', () => {
  assert.equal(fromOldAddress(parseSearchText('?range=today&group_by=model'), NOW_MS), null)
  assert.equal(fromOldAddress({}, NOW_MS), null)
})

test('only what /v1/usage answers just so is asked of it', () => {
  const base: ExploreSearch = { range: 'this_month', interval: 'none', group_by: ['model'] }
  const isKnown = (search: ExploreSearch): boolean =>
    toCatalogueQuestion(search, toAsked(search, NOW_MS).question) !== null
  assert.equal(isKnown(base), true)
  for (const change of [
    { range: 'last_24_hours' },
    { range: 'today' },
    { interval: 'day' },
    { group_by: ['creator'] },
    { group_by: ['model', 'dim:team'] },
    { group_by: ['provider', 'model'] },
    { order_by: 'errors' },
    { order_by: 'tokens' },
    { filter: ['model=a'] },
    { filter: ['api_key=svc_k_1', 'api_key=svc_k_2'] },
    { filter: ['api_key!=svc_k_1'] },
    { filter: ['api_key='] },
    { compare: 'previous' },
    { range: undefined, from: '2026-02-01', to: '2026-02-28' },
    { range: undefined, from: '2026-02-01' },
  ] as const satisfies readonly ExploreSearch[]) {
    assert.equal(isKnown({ ...base, ...change }), false, JSON.stringify(change))
  }
  assert.equal(isKnown({ ...base, range: undefined, from: '2026-02-01', to: '2026-03-01' }), true)
})

test('the bare page has its question, any other only what its address says', () => {
  assert.deepEqual(withFirst({ range: undefined, filter: undefined }), {
    filter: undefined,
    range: 'last_30_days',
    group_by: ['model'],
    order_by: 'cost',
  })
  const search = { range: 'today' } as const
  assert.equal(withFirst(search), search)
  assert.deepEqual(toAsked(search, NOW_MS).question, {
    from: '2026-03-17',
    to: '2026-03-17T14:00Z',
    interval: 'hour',
    group_by: [],
    filter: [],
    order_by: 'cost',
    limit: 20,
    compare: undefined,
  })
})

test('an address is read to what the API takes, and the rest is left out', () => {
  const text =
    '?range=today&interval=day&group_by=model&group_by=dim:team&group_by=status&filter=model=a' +
    '&filter=model!=b&filter=nothing&order_by=errors&limit=0&compare=never'
  assert.deepEqual(parseExploreSearch(parseSearchText(text)), {
    range: 'today',
    interval: 'day',
    group_by: ['model', 'dim:team'],
    filter: ['model=a', 'model!=b'],
    order_by: 'errors',
  })
})

test('the lines for a shell ask the same, and a value cannot become a command', () => {
  const search: ExploreSearch = {
    from: '2026-03-01',
    to: '2026-03-02T05:00Z',
    interval: 'hour',
    group_by: ['model', 'dim:team'],
    filter: ["dim:team!=$(rm -rf 'x')", 'model=gpt-4o'],
    compare: 'previous',
    limit: 5,
  }
  const lines = toAnalysisLines(ORIGIN, toAsked(search, NOW_MS).question)
  assert.equal(
    lines.curl,
    `curl -H "Authorization: Bearer $WEIR_TOKEN" "${ORIGIN}/v1/analysis?from=2026-03-01&to=2026-03-02T05%3A00Z&interval=hour` +
      '&group_by=model&group_by=dim%3Ateam&filter=dim%3Ateam%21%3D%24%28rm+-rf+%27x%27%29&filter=model%3Dgpt-4o' +
      '&order_by=cost&limit=5&compare=previous"',
  )
  assert.equal(
    lines.cli,
    'weir analyze --from 2026-03-01 --to 2026-03-02T05:00Z --interval hour --group-by model ' +
      String.raw`--group-by dim:team --filter 'dim:team!=$(rm -rf '\''x'\'')' --filter model=gpt-4o ` +
      '--order-by cost --limit 5 --compare previous',
  )
  const usage = toUsageLines(ORIGIN, {
    metric: 'cost_usd',
    dimension: 'dim',
    dim_key: '-team',
    window: 'month_to_date',
  })
  assert.equal(
    usage.cli,
    "weir usage --metric cost_usd --dimension dim --dim-key='-team' --window month_to_date",
  )
})

for (const [search, words] of [
  [{ range: 'last_30_days', group_by: ['model'] }, 'Cost per day by model, last 30 days'],
  [
    { from: '2026-03-01', to: '2026-03-02', group_by: ['api_key', 'dim:Team'], order_by: 'tokens' },
    'Tokens per hour by API key and Team, 1 Mar 2026',
  ],
  [
    { range: 'today', interval: 'none', filter: ['model=a'], order_by: 'denials' },
    'Denied calls, today, filtered',
  ],
] as const) {
  test(`a question is called ${words}`, () => {
    assert.equal(describeQuestion(search, toAsked(search, NOW_MS).question, NOW_MS), words)
  })
}

test('an answer says what it leaves out, and nothing where it leaves out nothing', () => {
  const none = { other_groups: 0, complete_from: null }
  assert.deepEqual(listNotes(none), [])
  const notes = listNotes({
    other_groups: 1234,
    complete_from: '2026-03-01T10:00:00.000Z',
  })
  assert.deepEqual(notes, [
    'Calls that ended before 1 Mar 2026, 10:00:00 UTC may be missing: they were removed by age before they were summed.',
    'Other has 1,234 smaller groups without a row; show more rows to see them.',
  ])
  assert.equal(
    describeCapped(1),
    '1 call has a dimension, or a value of one, beyond what a month keeps apart; it is in Other.',
  )
  assert.equal(describeUnpriced(2), '2 calls have no known price: the cost is too low by theirs.')
})
