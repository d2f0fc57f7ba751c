import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createRequestId } from '../../core/ids.ts'
import { WeirError } from '../../core/weir-error.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { RequestFilter } from '../../store/usage/request-log.ts'
import {
  CALL_STATUSES,
  COST_SOURCES,
  KNOWLEDGE,
  MODEL_CHARS_MAX,
  PROVIDER_CHARS_MAX,
  REQUESTS_LIMIT_DEFAULT,
  REQUESTS_LIMIT_MAX,
  requestParametersSchema,
} from '../contract.ts'
import { parseParameters } from '../parse-parameters.ts'
import { toRequestQuery } from './to-request-query.ts'
import type { RequestQuery } from './to-request-query.ts'
import { formatCursor } from './request-cursor.ts'

const TEAM = 'team_0123456789abcdef'
const PERSON = 'user_0123456789abcdef'

const parseSearch = (search: URLSearchParams): RequestQuery =>
  toRequestQuery(parseParameters(search, requestParametersSchema))
const parse = (search: string): RequestQuery => parseSearch(new URLSearchParams(search))

function refusal(search: string): WeirError {
  try {
    parse(search)
  } catch (error) {
    assert.ok(error instanceof WeirError)
    return error
  }
  return assert.fail(`${search} was accepted`)
}

const DAY = Date.parse('2026-03-15T00:00:00.000Z')
const ID = createRequestId(DAY)
const NEWEST = { by: 'time', isAscending: false } as const

function cursorOf(filter: RequestFilter): string {
  return formatCursor({ key: 0, id: ID }, { filter, order: NEWEST })
}

describe('accepts', () => {
  const accepted: readonly (readonly [string, Partial<RequestFilter>])[] = [
    ['', {}],
    ['from=2026-03-15', { endedFromMs: DAY }],
    ['to=2026-03-15', { endedToMs: DAY }],
    ['from=2026-03-15T00:00Z', { endedFromMs: DAY }],
    ['from=2026-03-15T00:00:07Z', { endedFromMs: DAY + 7000 }],
    ['to=2026-03-15T00:00:00.5Z', { endedToMs: DAY + 500 }],
    ['to=2026-03-15T23:59:59.999Z', { endedToMs: DAY + 86_399_999 }],
    [
      'from=2028-02-29&to=9999-12-31',
      { endedFromMs: 1_835_395_200_000, endedToMs: 253_402_214_400_000 },
    ],
    ['from=1970-01-01', { endedFromMs: 0 }],
    ['api_key=svc_k_0123abcd', { keyId: 'svc_k_0123abcd' }],
    ['provider=some-provider', { provider: 'some-provider' }],
    [`provider=${'p'.repeat(PROVIDER_CHARS_MAX)}`, { provider: 'p'.repeat(PROVIDER_CHARS_MAX) }],
    ['model=maker/large-*', { model: 'maker/large-*' }],
    ['model=*', { model: '*' }],
    ['model=ft:base%20one:acme::1', { model: 'ft:base one:acme::1' }],
    [`model=${'é'.repeat(MODEL_CHARS_MAX)}`, { model: 'é'.repeat(MODEL_CHARS_MAX) }],
    ['status=refused&status=cut&status=cut', { status: ['cut', 'refused'] }],
    ['model=b*&model=a', { model: ['a', 'b*'] }],
    ['dim_key=team', { dim: { key: 'team', value: null } }],
    ['dim_key=team&dim_value=a%2Cb%22%C3%A9', { dim: { key: 'team', value: 'a,b"é' } }],
    ['http_status=429', { httpStatus: '429' }],
    ['http_status=5xx&http_status=404', { httpStatus: ['404', '5xx'] }],
    ['error_code=slow_down', { errorCode: 'slow_down' }],
    ['min_duration_ms=0&max_duration_ms=0', { durationMinMs: 0, durationMaxMs: 0 }],
    ['streamed=true', { streamed: true }],
    ['streamed=false', { streamed: false }],
    [`id=${ID}`, { id: ID }],
    ['id=gen_01K:a.b-c', { id: 'gen_01K:a.b-c' }],
    ['id=svc_k_0123abcd', { keyId: 'svc_k_0123abcd' }],
    ...CALL_STATUSES.map((status) => [`status=${status}`, { status }] as const),
    ...COST_SOURCES.map((source) => [`source=${source}`, { source }] as const),
    ...KNOWLEDGE.map((usage) => [`usage=${usage}`, { usage }] as const),
  ]
  for (const [search, expected] of accepted) {
    test(search.slice(0, 80) || 'nothing', () => {
      const filter = { ...ALL_REQUESTS, ...expected }
      assert.deepEqual(parse(search), {
        filter,
        order: NEWEST,
        after: null,
        rowsMax: REQUESTS_LIMIT_DEFAULT,
      })
    })
  }

  test('a limit and a cursor', () => {
    assert.equal(parse('limit=1').rowsMax, 1)
    assert.equal(parse('limit=1000').rowsMax, REQUESTS_LIMIT_MAX)
    const cursor = cursorOf({ ...ALL_REQUESTS, status: 'cut' })
    assert.deepEqual(parse(`status=cut&limit=7&cursor=${cursor}`).after, { key: 0, id: ID })
  })

  test('an order', () => {
    const costliest = { by: 'cost', isAscending: false }
    assert.deepEqual(parse('sort=cost').order, costliest)
    assert.deepEqual(parse('sort=cost&direction=desc').order, costliest)
    assert.deepEqual(parse('sort=duration&direction=asc').order, {
      by: 'duration',
      isAscending: true,
    })
    assert.deepEqual(parse('direction=asc').order, { by: 'time', isAscending: true })
    assert.deepEqual(parse('sort=time').order, NEWEST)
  })

  const SAID =
    'tool=codex&tool_version=2&agent_kind=subagent&repository=acme/shop&session=s2&session=s1'

  test('all of it at once', () => {
    const search = `from=2026-03-15&to=2026-03-16&api_key=svc_k_a&team=${TEAM}&person=${PERSON}&provider=p&model=m&dim_key=k&dim_value=v&status=cut&source=free&usage=none&${SAID}`
    assert.deepEqual(parse(search).filter, {
      fromMs: null,
      toMs: null,
      endedFromMs: DAY,
      endedToMs: DAY + 86_400_000,
      keyId: 'svc_k_a',
      provider: 'p',
      model: 'm',
      team: TEAM,
      person: PERSON,
      tool: 'codex',
      tool_version: '2',
      agent_kind: 'subagent',
      repository: 'acme/shop',
      session: ['s1', 's2'],
      dim: { key: 'k', value: 'v' },
      withoutDim: null,
      status: 'cut',
      source: 'free',
      usage: 'none',
      httpStatus: null,
      errorCode: null,
      durationMinMs: null,
      durationMaxMs: null,
      streamed: null,
      id: null,
    })
  })
})

describe('refuses', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['from=', /^Parameter from must be a date, YYYY-MM-DD, or a moment in UTC/],
    ['from=yesterday', /^Parameter from must be a date/],
    ['from=2026-3-15', /^Parameter from must/],
    ['from=2026-13-01', /^Parameter from must/],
    ['from=2026-02-29', /^Parameter from must/],
    ['from=2026-02-30', /^Parameter from must/],
    ['from=2026-04-31T10:00:00Z', /^Parameter from must/],
    ['from=2026-03-15T24:00:00Z', /^Parameter from must/],
    ['from=2026-03-15T10:60:00Z', /^Parameter from must/],
    ['from=2026-03-15T10:00:00', /^Parameter from must/],
    ['from=2026-03-15T10:00:00%2B02:00', /^Parameter from must/],
    ['from=2026-03-15T10:00:00.1234Z', /^Parameter from must/],
    ['from=2026-03-15%2010:00:00Z', /^Parameter from must/],
    ['from=1969-12-31', /^Parameter from must/],
    ['from=%2B012026-03-15', /^Parameter from must/],
    ['from=1773576000000', /^Parameter from must/],
    ['team=search', /^Parameter team must be the id of a team/],
    ['person=ada@example.com', /^Parameter person must be the id of a user/],
    ['dim_key=@team', /^Parameter dim_key must be a letter/],
    ['without_dim=@team', /^Parameter dim_key must be a letter/],
    ['to=now', /^Parameter to must be a date/],
    ['from=2026-03-15&to=2026-03-15', /^Parameter to must be after from/],
    ['from=2026-03-16&to=2026-03-15', /^Parameter to must be after from/],
    ['api_key=', /^Parameter api_key must be the id of a key/],
    ['api_key=svc_agt_0123', /^Parameter api_key must/],
    [`api_key=svc_k_0123abcd.${'s'.repeat(43)}`, /^Parameter api_key must.*without its secret/],
    ['http_status=42', /^Parameter http_status must be a status, 429, or a class of them, 4xx/],
    ['http_status=4x', /^Parameter http_status must/],
    ['error_code=a%20text', /^Parameter error_code must be a code/],
    ['min_duration_ms=1.5', /^Parameter min_duration_ms must be a number of milliseconds/],
    ['max_duration_ms=-1', /^Parameter max_duration_ms must/],
    ['min_duration_ms=2&max_duration_ms=1', /^Parameter max_duration_ms must not be below/],
    ['streamed=1', /^Parameter streamed must be one of true, false/],
    ['id=', /^Parameter id must be an id/],
    ['id=a%20b', /^Parameter id must/],
    [`id=svc_k_0123abcd.${'s'.repeat(43)}`, /^Parameter id must.*without its secret/],
    ['id=svc_k_a&api_key=svc_k_b', /^Parameter id is the id of a key, and api_key is one/],
    ['provider=', /^Parameter provider must be 1 to 64 characters/],
    [`provider=${'p'.repeat(PROVIDER_CHARS_MAX + 1)}`, /^Parameter provider must/],
    ['provider=a%0Ab', /^Parameter provider must.*without control/],
    ['model=', /^Parameter model must be 1 to 256 characters/],
    [`model=${'m'.repeat(MODEL_CHARS_MAX + 1)}`, /^Parameter model must/],
    ['model=a%00b', /^Parameter model must/],
    ['dim_key=', /^Parameter dim_key must be a letter/],
    ['dim_key=9a', /^Parameter dim_key must/],
    [`dim_key=${'k'.repeat(65)}`, /^Parameter dim_key must/],
    ['dim_value=a', /^Parameter dim_value is no part of this query: it goes with dim_key/],
    ['dim_key=a&dim_value=', /^Parameter dim_value must be 1 to 256 characters/],
    [`dim_key=a&dim_value=${'v'.repeat(257)}`, /^Parameter dim_value must/],
    ['dim_key=a&dim_value=%07', /^Parameter dim_value must/],
    ['status=', /^Parameter status must be one of delivered, refused, aborted, cut,/],
    ['status=Delivered', /^Parameter status must/],
    [
      'source=',
      /^Parameter source must be one of gateway, provider, byok-zero, plan, price-book, override,/,
    ],
    ['source=free,unpriced', /^Parameter source must/],
    ['usage=guessed', /^Parameter usage must be one of reported, partial, estimated, none/],
    ['limit=', /^Parameter limit must be an integer from 1 to 1000, in digits/],
    ['limit=0', /^Parameter limit must/],
    ['limit=1001', /^Parameter limit must/],
    ['limit=05', /^Parameter limit must/],
    ['limit=5.0', /^Parameter limit must/],
    ['limit=-1', /^Parameter limit must/],
    ['limit=1e2', /^Parameter limit must/],
    ['cursor=', /^Parameter cursor must be the next_cursor of a page/],
    ['cursor=abc', /^Parameter cursor must be the next_cursor/],
    [`cursor=${ID}`, /^Parameter cursor must be the next_cursor/],
    [`cursor=${'A'.repeat(38)}`, /^Parameter cursor belongs to another query/],
    [`status=cut&cursor=${cursorOf(ALL_REQUESTS)}`, /^Parameter cursor belongs to another query/],
    [`cursor=${cursorOf({ ...ALL_REQUESTS, status: 'cut' })}`, /belongs to another query/],
    ['sort=model', /^Parameter sort must be one of time, cost, duration/],
    ['direction=up', /^Parameter direction must be one of desc, asc/],
    ['order=oldest', /^Unknown parameter order\. There are: from, to, api_key, provider, model,/],
    ['__proto__=1', /^Unknown parameter __proto__/],
    ['Limit=5', /^Unknown parameter Limit/],
    ['dim=team:a', /^Unknown parameter dim\. .*dim_key, dim_value/],
    [
      Array.from({ length: 51 }, (_, at) => `provider=p${at}`).join('&'),
      /^Parameter provider may be given at most 50 times/,
    ],
    ['limit=5&limit=5', /^Parameter limit is given more than once/],
    ['from=2026-03-15&from=2026-03-16', /^Parameter from is given more than once/],
  ]
  for (const [search, message] of refused) {
    test(search.slice(0, 80), () => {
      const error = refusal(search)
      assert.deepEqual([error.code, error.status], ['invalid_parameter', 400])
      assert.match(error.message, message)
    })
  }

  test('whatever it is, without repeating a value or throwing anything else', () => {
    const names = ['from', 'to', 'api_key', 'provider', 'model', 'dim_key', 'dim_value', 'status']
    const name = fc.constantFrom(...names, 'source', 'limit', 'cursor', 'other')
    const marked = fc.string({ unit: 'binary' }).map((value) => `SECRET.${value}`)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, marked), { minLength: 1 }), (pairs) => {
        try {
          parseSearch(new URLSearchParams(pairs))
        } catch (error) {
          assert.ok(error instanceof WeirError)
          assert.equal(error.code, 'invalid_parameter')
          assert.ok(!error.message.includes('SECRET'))
        }
      }),
    )
  })
})
