import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member } from '../../data/analysis/analysis.ts'
import { toSpan } from '../../data/analysis/time-range.ts'
import type { ExploreSearch } from './explore-search.ts'
import { toBarHref, toRowLinks } from './narrow.ts'
import type { Place } from './narrow.ts'

const NOW_MS = Date.parse('2026-03-17T13:25:00Z')

function placeOf(search: ExploreSearch): Place {
  return { search, span: toSpan(search, NOW_MS), nowMs: NOW_MS }
}

function member(field: string, value: string | null, kind: Member['kind'] = 'value'): Member {
  return { field, kind, value, name: null }
}

test('from a peak to its calls: the bar narrows, and a row of its day leads to its calls', () => {
  const month = placeOf({ range: 'last_30_days', group_by: ['api_key'] })
  const day = '/explore?group_by=api_key&from=2026-02-28&to=2026-03-01'
  assert.equal(toBarHref(month, Date.parse('2026-02-28'), 'day'), day)
  const narrowed = placeOf({ from: '2026-02-28', to: '2026-03-01', group_by: ['api_key'] })
  const links = toRowLinks(narrowed, [member('api_key', 'svc_k_1')])
  assert.equal(links.first, 'calls')
  assert.equal(links.calls, '/requests?from=2026-02-28&to=2026-03-01&api_key=svc_k_1&sort=cost')
})

test('a row of a longer span narrows to its group, and then leads to its calls', () => {
  const search: ExploreSearch = {
    range: 'last_month',
    group_by: ['model'],
    filter: ['provider=openai', 'model!=b'],
  }
  const first = toRowLinks(placeOf(search), [member('model', 'a')])
  assert.equal(first.first, 'narrow')
  assert.equal(
    first.narrow,
    '/explore?range=last_month&group_by=model&filter=provider%3Dopenai&filter=model%3Da',
  )
  const second = toRowLinks(placeOf({ ...search, filter: ['provider=openai', 'model=a'] }), [
    member('model', 'a'),
  ])
  assert.deepEqual(second, {
    first: 'calls',
    narrow: undefined,
    calls: '/requests?from=2026-02-01&to=2026-03-01&provider=openai&model=a&sort=cost',
  })
})

test('what runs goes on: its bar to its end, its calls to the newest', () => {
  const place = placeOf({ range: 'last_7_days', group_by: ['dim:team'] })
  assert.equal(
    toBarHref(place, Date.parse('2026-03-17'), 'day'),
    '/explore?group_by=dim%3Ateam&from=2026-03-17&to=2026-03-18',
  )
  const { calls } = toRowLinks(place, [member('dim:team', 'search')])
  assert.equal(calls, '/requests?from=2026-03-11&dim_key=team&dim_value=search&sort=cost')
})

test('a bar that free dates cut stays cut', () => {
  const place = placeOf({ from: '2026-02-03T05:00Z', to: '2026-03-01' })
  assert.equal(
    toBarHref(place, Date.parse('2026-02-02'), 'week'),
    '/explore?from=2026-02-03T05%3A00Z&to=2026-02-09',
  )
})

test('there is nothing shorter than an hour: its bar leads to its calls', () => {
  const place = placeOf({ from: '2026-02-28T05:00Z', to: '2026-02-28T06:00Z', filter: ['model=a'] })
  assert.equal(
    toBarHref(place, Date.parse('2026-02-28T05:00Z'), 'hour'),
    '/requests?from=2026-02-28T05%3A00Z&to=2026-02-28T06%3A00Z&model=a&sort=cost',
  )
})

const DAY: ExploreSearch = { from: '2026-02-28', to: '2026-03-01' }

for (const [name, filter, group] of [
  ['of calls without a model', [], [member('model', null, 'none')]],
  ['of what a filter leaves', ['provider!=google'], [member('model', 'a')]],
  ['of two dimensions', ['dim:app=x'], [member('dim:team', 'search')]],
  ['of a creator', [], [member('creator', 'anthropic')]],
  ['of a model that the log would take for a pattern', [], [member('model', 'a*')]],
] as const) {
  test(`the log cannot show just the calls ${name}, so the row narrows`, () => {
    const links = toRowLinks(placeOf({ ...DAY, filter }), group)
    assert.deepEqual([links.calls, links.first], [undefined, 'narrow'])
    assert.ok(links.narrow?.startsWith('/explore?'))
  })
}

test('untagged calls lead to just these calls', () => {
  const place = placeOf({ ...DAY, filter: ['dim:app=x'] })
  const { calls, first } = toRowLinks(place, [member('dim:team', null, 'none')])
  assert.equal(first, 'calls')
  assert.equal(
    calls,
    '/requests?from=2026-02-28&to=2026-03-01&dim_key=app&dim_value=x&without_dim=team&sort=cost',
  )
})

test('the rest narrows to what has no row of its own, as far as filters can say so', () => {
  const other = member('model', null, 'other')
  const rows = [member('model', 'a'), member('model', null, 'none'), other]
  const { narrow } = toRowLinks(placeOf({ ...DAY, group_by: ['model'] }), [other], rows)
  assert.equal(
    narrow,
    '/explore?from=2026-02-28&to=2026-03-01&group_by=model&filter=model%21%3Da&filter=model%21%3D',
  )
  const many = Array.from({ length: 51 }, (_, place) => member('model', `m${place}`))
  assert.equal(toRowLinks(placeOf(DAY), [other], many).narrow, undefined)
})
