import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { TokenScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { WeirError } from '../../core/weir-error.ts'
import { CATALOGUE, LIMIT_DEFAULT } from '../contract.ts'
import { checkQueryScope, parseUsageQuery } from './parse-usage-query.ts'
import type { UsageQuery } from './parse-usage-query.ts'

const NOW = Date.parse('2026-03-15T12:00:00Z')

const parse = (search: string): UsageQuery => parseUsageQuery(new URLSearchParams(search), NOW)

function refusal(search: string): WeirError {
  try {
    parse(search)
  } catch (error) {
    assert.ok(error instanceof WeirError)
    return error
  }
  return assert.fail(`${search} was accepted`)
}

const TOTAL: UsageQuery = {
  metric: 'cost_usd',
  window: 'today',
  dimension: null,
  dimKey: null,
  month: null,
  months: null,
  limit: LIMIT_DEFAULT,
  keyId: null,
}

describe('accepts', () => {
  const accepted: readonly (readonly [string, Partial<UsageQuery>])[] = [
    ['metric=cost_usd&window=today', {}],
    ['window=yesterday&metric=cost_usd', { window: 'yesterday' }],
    ['metric=cost_usd&window=month&month=2026-03', { window: 'month', month: '2026-03' }],
    ['metric=cost_usd&window=month&month=1999-12', { window: 'month', month: '1999-12' }],
    ['metric=cost_usd&window=today&api_key=svc_k_0123abcd', { keyId: 'svc_k_0123abcd' }],
    [
      'metric=cost_usd&window=month_to_date&dimension=model',
      { window: 'month_to_date', dimension: 'model' },
    ],
    // Written out it changes nothing: a total is one row whatever the limit.
    ['metric=cost_usd&window=today&limit=1', { limit: 1 }],
    [
      'metric=cost_usd&window=month_to_date&dimension=model&limit=1000',
      { window: 'month_to_date', dimension: 'model', limit: 1000 },
    ],
    [
      'metric=cost_usd&window=month&month=2026-02&dimension=model&limit=1&api_key=svc_k_none',
      { window: 'month', month: '2026-02', dimension: 'model', limit: 1, keyId: 'svc_k_none' },
    ],
  ]
  for (const [search, expected] of accepted) {
    test(search, () => assert.deepEqual(parse(search), { ...TOTAL, ...expected }))
  }
})

describe('refuses as invalid_parameter and names the parameter', () => {
  const model = 'metric=cost_usd&window=month_to_date&dimension=model'
  const total = 'metric=cost_usd&window=today'
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['metric is missing', 'window=today', /metric .*cost_usd, requests, tokens/],
    ['window is missing', 'metric=cost_usd', /window .*month_to_date/],
    ['metric is unknown', 'metric=euros&window=today', /metric .*cost_usd/],
    ['metric is empty', 'metric=&window=today', /metric .*cost_usd/],
    ['metric is in capitals', 'metric=COST_USD&window=today', /metric .*cost_usd/],
    ['window is unknown', 'metric=cost_usd&window=week', /window .*last_7_days/],
    ['dimension is unknown', `${total}&dimension=team`, /dimension .*provider/],
    ['dimension is empty', `${total}&dimension=`, /dimension .*provider/],
    ['a parameter is unknown', `${total}&color=red`, /color.*There are: metric, window/],
    ['a parameter is called __proto__', `${total}&__proto__=x`, /Unknown parameter __proto__/],
    ['a parameter is given twice', `${total}&window=today`, /window is given more than once/],
    ['a parameter is given twice, encoded', `${total}&%77indow=today`, /window is given more/],
    ['month is missing', 'metric=cost_usd&window=month', /month is required/],
    ['month goes with another window', `${total}&month=2026-01`, /month is no part/],
    ['month 13', 'metric=cost_usd&window=month&month=2026-13', /YYYY-MM/],
    ['month 00', 'metric=cost_usd&window=month&month=2026-00', /YYYY-MM/],
    ['month without its zero', 'metric=cost_usd&window=month&month=2026-3', /YYYY-MM/],
    ['month with a day', 'metric=cost_usd&window=month&month=2026-03-01', /YYYY-MM/],
    ['month with a line end', 'metric=cost_usd&window=month&month=2026-03%0A', /YYYY-MM/],
    ['month after the current', 'metric=cost_usd&window=month&month=2026-04', /2026-03/],
    ['months goes with another window', `${total}&months=3`, /months is no part/],
    ['months is 0', 'metric=cost_usd&window=monthly_series&months=0', /months .*1 to 24/],
    ['months is 25', 'metric=cost_usd&window=monthly_series&months=25', /months .*1 to 24/],
    ['dim_key is missing for dim', `${total}&dimension=dim`, /dim_key is required/],
    ['dim_key is missing for dim_model', `${total}&dimension=dim_model`, /dim_key is required/],
    ['dim_key is no key', `${total}&dimension=dim&dim_key=1`, /dim_key must be/],
    ['dim_key goes with another dimension', `${model}&dim_key=team`, /dim_key is no part/],
    ['limit is 0', `${model}&limit=0`, /limit .*1 to 1000/],
    ['limit is 1001', `${model}&limit=1001`, /limit .*1 to 1000/],
    ['limit is negative', `${model}&limit=-1`, /limit .*1 to 1000/],
    ['limit has an exponent', `${model}&limit=1e1`, /limit .*1 to 1000/],
    ['limit has a sign', `${model}&limit=%2B5`, /limit .*1 to 1000/],
    ['limit has a blank', `${model}&limit=+5`, /limit .*1 to 1000/],
    ['limit has a fraction', `${model}&limit=5.0`, /limit .*1 to 1000/],
    ['limit has a leading zero', `${model}&limit=05`, /limit .*1 to 1000/],
    ['limit is empty', `${model}&limit=`, /limit .*1 to 1000/],
    ['api_key is no id', `${total}&api_key=first`, /api_key .*svc_k_/],
    ['api_key is empty', `${total}&api_key=`, /api_key .*svc_k_/],
    [
      'api_key with another metric',
      'metric=requests&window=today&api_key=svc_k_0123abcd',
      /api_key is no part/,
    ],
  ]
  for (const [name, search, text] of refused) {
    test(name, () => {
      const error = refusal(search)
      assert.equal(error.code, 'invalid_parameter')
      assert.match(error.message, text)
    })
  }
})

test('never repeats a credential that was put into the address by mistake', () => {
  const secret = 'A'.repeat(43)
  const total = 'metric=cost_usd&window=today'
  for (const search of [
    `${total}&api_key=svc_k_0123456789abcdef.${secret}`,
    `${total}&svc_agt_0123456789abcdef.${secret}`,
    `metric=${secret}&window=today`,
  ]) {
    assert.ok(!refusal(search).message.includes(secret))
  }
})

describe('serves the catalogue and nothing else', () => {
  for (const row of CATALOGUE) {
    for (const window of row.windows) {
      const search = new URLSearchParams({ metric: row.metric, window })
      if (row.dimension !== null) search.set('dimension', row.dimension)
      if (row.dimension?.startsWith('dim')) search.set('dim_key', 'team')
      if (window === 'month') search.set('month', '2026-01')
      test(`${search.toString()} is answered`, () => {
        assert.equal(parse(search.toString()).window, window)
      })
    }
  }

  test('the refusal of a combination says which ones there are', () => {
    const error = refusal('metric=cost_usd&window=today&dimension=model')
    assert.equal(error.code, 'unknown_catalog_tuple')
    assert.match(error.message, /cost_usd by model over month_to_date, month/)
    assert.match(error.message, /cost_usd without dimension over month_to_date, last_month, today/)
  })

  test('parameters are checked before the catalogue', () => {
    assert.equal(refusal('metric=tokens&window=today&limit=x').code, 'invalid_parameter')
  })
})

test('any query string is answered or refused with one of two codes', () => {
  const word = fc.oneof(
    fc.constantFrom('metric', 'window', 'dimension', 'month', 'limit', 'api_key', 'cost_usd'),
    fc.constantFrom('today', 'month_to_date', 'model', '2026-01', '5', 'svc_k_0123abcd', ''),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { maxLength: 6 }), (pairs) => {
      const search = new URLSearchParams(pairs.map(([name, value]) => [name, value]))
      try {
        parseUsageQuery(search, NOW)
      } catch (error) {
        assert.ok(error instanceof WeirError)
        assert.ok(['invalid_parameter', 'unknown_catalog_tuple'].includes(error.code))
      }
    }),
  )
})

describe('the breakdown by key needs a scope of its own', () => {
  const query: UsageQuery = { ...TOTAL, dimension: 'api_key' }
  const callerWith = (...scopes: TokenScope[]): Caller => ({
    kind: 'token',
    id: 'svc_agt_0123abcd',
    name: 'test',
    userId: null,
    sight: null,
    scopes,
  })

  test('read:usage alone is refused', () => {
    assert.throws(() => checkQueryScope(query, callerWith('read:usage')), { code: 'scope_denied' })
  })
  test('read:keys and admin are let through', () => {
    checkQueryScope(query, callerWith('read:usage', 'read:keys'))
    checkQueryScope(query, callerWith('admin'))
  })
  test('other breakdowns do not ask for it', () => {
    checkQueryScope(TOTAL, callerWith('read:usage'))
  })
})
