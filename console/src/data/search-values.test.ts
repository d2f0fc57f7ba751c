import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExploreSearch } from '../pages/explore/explore-search.ts'
import {
  parseBudgetsSearch,
  parseCodeSearch,
  parseKeysSearch,
  parseOverviewSearch,
  parsePricesSearch,
  parseSettingsSearch,
  parseSignInSearch,
} from './page-search.ts'
import { parseRequestsSearch } from '../pages/requests/requests-search.ts'
import {
  parseSearchText,
  parseText,
  parseTexts,
  readStrictly,
  toHref,
  toSearchText,
} from './search-values.ts'

for (const to of [
  'https://elsewhere.example',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/a\\..\\b',
  'javascript:alert(1)',
  '/\t/elsewhere.example',
  'keys',
  '',
]) {
  test(`after signing in no one is sent to ${JSON.stringify(to)}`, () => {
    assert.deepEqual(parseSignInSearch({ to }), {})
  })
}

test('after signing in one comes back to a page of the console, with its search', () => {
  const to = '/requests?model=a%20b&live=true'
  assert.deepEqual(parseSignInSearch({ to, error: 'ended' }), { to, error: 'ended' })
})

for (const [name, parse, text, search] of [
  [
    'explore',
    parseExploreSearch,
    '?range=last_month&group_by=model&order_by=tokens&limit=20',
    { range: 'last_month', group_by: ['model'], order_by: 'tokens', limit: 20 },
  ],
  [
    'explore',
    parseExploreSearch,
    '?order_by=euro&from=2026-13-01&group_by=colour&limit=0&interval=year',
    {},
  ],
  [
    'requests',
    parseRequestsSearch,
    '?from=2026-03-01&status=denied&live=true',
    { from: '2026-03-01', status: ['denied'], live: true },
  ],
  ['requests', parseRequestsSearch, '?from=yesterday&status=lost&live=no', {}],
  [
    'requests',
    parseRequestsSearch,
    '?model=b&model=a*&model=b&status=denied&status=lost&status=cut&api_key=svc_k_1',
    { model: ['b', 'a*'], status: ['cut', 'denied'], api_key: ['svc_k_1'] },
  ],
  ['requests', parseRequestsSearch, '?dim_value=a', {}],
  [
    'requests',
    parseRequestsSearch,
    '?dim_key=team&dim_value=12',
    { dim_key: 'team', dim_value: ['12'] },
  ],
  [
    'keys',
    parseKeysSearch,
    '?search=+12+&status=active&order=name',
    { search: '12', status: 'active', order: 'name' },
  ],
  ['keys', parseKeysSearch, `?search=${'x'.repeat(513)}&status=gone`, {}],
  ['overview', parseOverviewSearch, '?group_by=dim%3Ateam', { group_by: 'dim:team' }],
  ['overview of before', parseOverviewSearch, '?dim=team', { dim: 'team' }],
  ['budgets', parseBudgetsSearch, '?tab=alerts', { tab: 'alerts' }],
  [
    'prices',
    parsePricesSearch,
    '?tab=missing&provider=x&model=true',
    { tab: 'missing', provider: 'x', model: 'true' },
  ],
  ['settings', parseSettingsSearch, '?tab=nowhere', {}],
  ['code', parseCodeSearch, '?code=123', { code: '123' }],
] as const) {
  test(`${name} reads ${text.slice(0, 60)}`, () => {
    const read = parse(parseSearchText(text))
    assert.deepEqual(read, search)
    // What was read is what the address says when it is written again.
    assert.deepEqual(parse(parseSearchText(toSearchText({ ...read }))), search)
  })
}

test('what a parser refuses or does not know does not show through the raw search', () => {
  const raw = parseSearchText('?to=//elsewhere.example&error=ended&window=x')
  // As the router does it.
  const shown = { ...raw, ...readStrictly(parseSignInSearch)(raw) }
  assert.deepEqual(shown, { to: undefined, error: 'ended', window: undefined })
})

test('an address leaves out what has no value and writes the rest safely', () => {
  const href = toHref('/requests', { model: 'a&b=#c', status: undefined, live: false, from: '' })
  assert.equal(href, '/requests?model=a%26b%3D%23c')
  assert.equal(toHref('/keys'), '/keys')
})

test('a name that is there several times has all its values, each once', () => {
  const text = '?model=a&model=b%26c&model=a&dim=x'
  const raw = parseSearchText(text)
  assert.deepEqual(raw, { model: ['a', 'b&c', 'a'], dim: 'x' })
  assert.deepEqual(parseTexts(raw['model']), ['a', 'b&c'])
  assert.deepEqual(parseTexts(raw['dim']), ['x'])
  assert.equal(parseTexts(undefined), undefined)
  assert.equal(toSearchText({ model: ['a', 'b&c'], dim: 'x' }), '?model=a&model=b%26c&dim=x')
  // A page that takes one takes the last, as it always did.
  assert.equal(parseText(raw['model']), 'a')
})

test('an address has no more values of a name than the API takes', () => {
  const many = Array.from({ length: 60 }, (_, place) => `m${place}`)
  assert.equal(parseTexts(many)?.length, 50)
})
