import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TokenScope } from '../../core/api-key.ts'
import { WeirError } from '../../core/weir-error.ts'
import {
  ANALYSIS_LIMIT_DEFAULT,
  ANALYSIS_MEASURES,
  FILTERS_MAX,
  analysisParametersSchema,
} from '../contract.ts'
import { FILTER_VALUES_MAX } from '../parameter-schemas.ts'
import { parseParameters } from '../parse-parameters.ts'
import { checkAnalysisScope, toAnalysisQuery } from './to-analysis-query.ts'
import type { AnalysisQuery } from './to-analysis-query.ts'

const NOW = Date.parse('2026-03-15T12:20:00.000Z')
const at = (time: string): number => Date.parse(time)

function parse(search: string): AnalysisQuery {
  const given = parseParameters(new URLSearchParams(search), analysisParametersSchema)
  return toAnalysisQuery(given, NOW)
}

function refusal(search: string): string {
  try {
    parse(search)
  } catch (error) {
    assert.ok(error instanceof WeirError)
    assert.equal(error.code, 'invalid_parameter')
    return error.message
  }
  return assert.fail(`${search} was accepted`)
}

const filter = (text: string): string => `filter=${encodeURIComponent(text)}`
const repeat = (count: number, toText: (place: number) => string): string =>
  Array.from({ length: count }, (_, place) => toText(place)).join('&')

const DEFAULTS: AnalysisQuery = {
  fromMs: at('2026-03-01'),
  toMs: at('2026-03-15T13:00Z'),
  interval: 'none',
  groupBy: [],
  filters: [],
  orderBy: 'cost',
  limit: ANALYSIS_LIMIT_DEFAULT,
  offset: 0,
  search: '',
  hasLatencies: false,
  hasPrevious: false,
  canNameKeys: true,
}

describe('accepts', () => {
  const accepted: readonly (readonly [string, Partial<AnalysisQuery>])[] = [
    ['', {}],
    ['from=2026-03-14', { fromMs: at('2026-03-14') }],
    ['from=2026-03-15T12:00Z', { fromMs: at('2026-03-15T12:00Z') }],
    ['from=2026-03-14T07:00:00.000Z', { fromMs: at('2026-03-14T07:00Z') }],
    // The end is exclusive, so the last hour is in February.
    ['to=2026-03-01', { fromMs: at('2026-02-01'), toMs: at('2026-03-01') }],
    ['to=2026-03-01T01:00Z', { fromMs: at('2026-03-01'), toMs: at('2026-03-01T01:00Z') }],
    ['to=2026-04-01&from=2026-03-01', { toMs: at('2026-04-01') }],
    ...(['none', 'hour', 'day', 'week', 'month'] as const).map(
      (interval) => [`interval=${interval}`, { interval }] as const,
    ),
    ['group_by=model', { groupBy: ['model'] }],
    ['group_by=dim:team&group_by=creator', { groupBy: ['dim:team', 'creator'] }],
    ...ANALYSIS_MEASURES.map((orderBy) => [`order_by=${orderBy}`, { orderBy }] as const),
    ...(['change', 'change_percent'] as const).map(
      (orderBy) =>
        [`order_by=${orderBy}&compare=previous`, { orderBy, hasPrevious: true }] as const,
    ),
    ['limit=1', { limit: 1 }],
    ['limit=1000', { limit: 1000 }],
    ['latency=true', { hasLatencies: true }],
    ['latency=false', {}],
    ['compare=previous', { hasPrevious: true }],
  ]
  for (const [search, expected] of accepted) {
    test(search || 'nothing', () => assert.deepEqual(parse(search), { ...DEFAULTS, ...expected }))
  }
})

describe('reads filters', () => {
  const read: readonly (readonly [readonly string[], AnalysisQuery['filters']])[] = [
    [['provider=openai'], [{ field: 'provider', isExcluding: false, values: ['openai'] }]],
    [['model!=m-1'], [{ field: 'model', isExcluding: true, values: ['m-1'] }]],
    [
      ['model=a', 'provider=p', 'model=b', 'model=a'],
      [
        { field: 'model', isExcluding: false, values: ['a', 'b'] },
        { field: 'provider', isExcluding: false, values: ['p'] },
      ],
    ],
    [
      ['dim:team=a', 'dim:team!=b'],
      [
        { field: 'dim:team', isExcluding: false, values: ['a'] },
        { field: 'dim:team', isExcluding: true, values: ['b'] },
      ],
    ],
    // Nothing behind the sign: calls without a value.
    [['dim:team='], [{ field: 'dim:team', isExcluding: false, values: [null] }]],
    [
      ['api_key!=', 'api_key!=svc_k_a'],
      [{ field: 'api_key', isExcluding: true, values: [null, 'svc_k_a'] }],
    ],
    // The first sign ends the field; all that follows is the value.
    [['dim:a.b-c=x=y!=z'], [{ field: 'dim:a.b-c', isExcluding: false, values: ['x=y!=z'] }]],
    [['model==a'], [{ field: 'model', isExcluding: false, values: ['=a'] }]],
    [['status=denied'], [{ field: 'status', isExcluding: false, values: ['denied'] }]],
    [['source!=unpriced'], [{ field: 'source', isExcluding: true, values: ['unpriced'] }]],
  ]
  for (const [given, filters] of read) {
    test(given.join(' '), () =>
      assert.deepEqual(parse(given.map(filter).join('&')).filters, filters),
    )
  }

  test('as many fields and values as there may be', () => {
    const fields = repeat(FILTERS_MAX, (place) => filter(`dim:d${place}=x`))
    assert.equal(parse(fields).filters.length, FILTERS_MAX)
    const values = repeat(FILTER_VALUES_MAX, (place) => filter(`model=m${place}`))
    assert.equal(parse(values).filters[0]?.values.length, FILTER_VALUES_MAX)
  })
})

describe('refuses', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['from=2026-03-15T12:30Z', /^Parameter from must be a date or a whole hour/],
    ['to=2026-03-15T12:00:00.001Z', /^Parameter to must be a date or a whole hour/],
    ['from=yesterday', /^Parameter from must be a date/],
    ['from=2026-02-30', /^Parameter from must be a date/],
    ['from=2026-03-15&to=2026-03-15', /to must be after from.*a date is its midnight/],
    ['from=2026-03-15T13:00Z&to=2026-03-16', /from must not be in the future/],
    ['interval=minute', /interval must be one of none, hour, day, week, month/],
    ['group_by=tribe', /group_by must be one of provider, .* or dim:KEY/],
    ['group_by=dim:', /group_by must be one of/],
    ['group_by=', /group_by must be one of/],
    ['group_by=dim:@team', /group_by must be one of/],
    ['group_by=model&group_by=model', /group_by is given twice with the same field/],
    ['group_by=model&group_by=status&group_by=source', /group_by may be given at most 2 times/],
    ['order_by=cost_usd', /order_by must be one of cost, market_cost/],
    ['order_by=change', /order_by change needs compare=previous/],
    ['order_by=change_percent', /order_by change_percent needs compare=previous/],
    ['limit=0', /limit must be an integer from 1 to 1000/],
    ['limit=1001', /limit must be an integer from 1 to 1000/],
    ['latency=1', /latency must be one of true, false/],
    ['compare=next', /compare must be one of previous/],
    ['interval=day&interval=hour', /interval is given more than once/],
    ['metric=cost_usd', /Unknown parameter metric/],
    [filter('openai'), /filter must be FIELD=VALUE or FIELD!=VALUE/],
    [filter(''), /filter must be FIELD=VALUE/],
    [filter('team=a'), /team must be the id of a team, team_…/],
    [filter('person=Ada'), /person must be the id of a user, user_…/],
    [filter('dim:@team=a'), /FIELD is one of/],
    [filter('tribe=a'), /FIELD is one of provider, .* or dim:KEY/],
    [filter('dim:9=a'), /FIELD is one of/],
    [filter('status=ok'), /status must be one of delivered, /],
    [filter('source='), /every call has a source/],
    [filter('provider='), /every call has a provider/],
    [filter('dim:team=a\nb'), /of dim:team the value contains a control character/],
    [filter(`model=${'m'.repeat(257)}`), /model must be 1 to 256 characters/],
    [repeat(FILTERS_MAX + 1, (place) => filter(`dim:d${place}=x`)), /more than 20 fields/],
    [repeat(FILTER_VALUES_MAX + 1, (place) => filter(`model=m${place}`)), /more than 50 values/],
    ['interval=hour&from=2023-01-01', /more than 20000 buckets. Take a longer interval/],
    ['compare=previous&from=1990-01-01', /compare needs a later from/],
  ]
  for (const [search, pattern] of refused) {
    test(search.slice(0, 80), () => assert.match(refusal(search), pattern))
  }

  test('a credential, without repeating it', () => {
    for (const search of [filter('api_key=svc_k_a.hush'), filter('svc_k_a.hush')]) {
      assert.doesNotMatch(refusal(search), /hush/)
    }
  })
})

test('groups by key need the scope that shows keys; a filter by key does not', () => {
  const asks = (search: string, ...scopes: TokenScope[]) =>
    checkAnalysisScope(parse(search), {
      kind: 'token',
      id: 'a',
      name: 'a',
      scopes,
      userId: null,
      sight: null,
    })
  const denied = (error: unknown): boolean =>
    error instanceof WeirError && error.code === 'scope_denied'
  assert.throws(() => asks('group_by=model&group_by=api_key', 'read:usage'), denied)
  assert.ok(asks('group_by=model&group_by=api_key', 'read:usage', 'read:keys').canNameKeys)
  assert.ok(!asks(filter('api_key=svc_k_a'), 'read:usage').canNameKeys)
})
