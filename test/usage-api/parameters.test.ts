// Every parameter of GET /v1/usage that is refused, in words, and the edges of what is not.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { readAnswer } from './read-answer.ts'
import type { Answer } from './read-answer.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const TOTAL = 'metric=cost_usd&window=today'
const MODELS = 'metric=cost_usd&window=month_to_date&dimension=model'
const MONTH = 'metric=cost_usd&window=month'
const SERIES = 'metric=cost_usd&window=monthly_series&dimension=provider'
const BY_DIM = 'metric=cost_usd&window=month_to_date&dimension=dim'

let api: OpenApi
let reader: string

before(async () => {
  api = await openApi(NOW)
  reader = await api.authorize('read:usage')
})

after(() => api.close())

async function ask(search: string): Promise<Answer> {
  // A second for each: sixty a minute are let pass.
  api.clock.monotonicMs += 1000
  return readAnswer(await api.get(`/v1/usage?${search}`, reader))
}

const KNOWN = 'metric, window, dimension, dim_key, month, months, limit, api_key'
const METRIC_RULE = 'metric must be one of cost_usd, requests, tokens.'
const WINDOW_RULE =
  'window must be one of month_to_date, last_month, today, yesterday, last_7_days, last_30_days, month, monthly_series.'
const DIMENSION_RULE =
  'Parameter dimension must be one of provider, model, api_key, dim, dim_model, day.'
const LIMIT_RULE = 'Parameter limit must be an integer from 1 to 1000, in digits.'
const MONTHS_RULE = 'Parameter months must be an integer from 1 to 24, in digits.'
const MONTH_RULE = 'Parameter month must be a calendar month as YYYY-MM.'
const DIM_KEY_RULE =
  'Parameter dim_key must be a letter, then up to 63 letters, digits, dots, dashes or underscores.'
const API_KEY_RULE = 'Parameter api_key must be the id of a key, svc_k_…, without its secret.'
const DIM_KEY_MISSING =
  'A parameter is missing: dim_key is required with dimension dim or dim_model.'
const notPart = (name: string, belongsTo: string): string =>
  `Parameter ${name} is no part of this query: it goes with ${belongsTo}.`
const twice = (name: string): string => `Parameter ${name} is given more than once; give it once.`

/** Every value of a parameter behind the rest of a query, each refused with the same words. */
const values = (search: string, refused: readonly string[], message: string) =>
  refused.map((value) => [`${search}=${value}`, message] as const)

const INVALID: readonly (readonly [search: string, message: string])[] = [
  ['', `A parameter is missing: ${METRIC_RULE}`],
  ['window=today', `A parameter is missing: ${METRIC_RULE}`],
  ['metric=cost_usd', `A parameter is missing: ${WINDOW_RULE}`],
  ...values(
    'window=today&metric',
    ['', 'euros', 'COST_USD', '%20cost_usd'],
    `Parameter ${METRIC_RULE}`,
  ),
  ...values(
    'metric=cost_usd&window',
    ['', 'week', 'Today', 'today%20'],
    `Parameter ${WINDOW_RULE}`,
  ),
  ...values(`${TOTAL}&dimension`, ['', 'team', 'none', 'Model'], DIMENSION_RULE),
  [`${TOTAL}&metric=cost_usd`, twice('metric')],
  [`${TOTAL}&window=today`, twice('window')],
  [`${TOTAL}&%77indow=today`, twice('window')],
  [`${MODELS}&dimension=model`, twice('dimension')],
  [`${MODELS}&limit=5&limit=5`, twice('limit')],
  [`${BY_DIM}&dim_key=team&dim_key=team`, twice('dim_key')],
  [`${MONTH}&month=2026-01&month=2026-01`, twice('month')],
  [`${SERIES}&months=1&months=1`, twice('months')],
  [`${TOTAL}&api_key=svc_k_one&api_key=svc_k_one`, twice('api_key')],
  [`${TOTAL}&color=red`, `Unknown parameter color. There are: ${KNOWN}.`],
  [`${TOTAL}&Limit=5`, `Unknown parameter Limit. There are: ${KNOWN}.`],
  [`${TOTAL}&__proto__=x`, `Unknown parameter __proto__. There are: ${KNOWN}.`],
  [`${TOTAL}&constructor=x`, `Unknown parameter constructor. There are: ${KNOWN}.`],
  [`${TOTAL}&=x`, `Unknown parameter. There are: ${KNOWN}.`],
  [`${TOTAL}&limit[]=5`, `Unknown parameter. There are: ${KNOWN}.`],
  ...values(
    `${MODELS}&limit`,
    [
      '',
      '0',
      '1001',
      '10000',
      '1.5',
      '5.0',
      'x',
      '-1',
      '%205',
      '5%20',
      '+5',
      '%2B5',
      '05',
      '1e1',
      '0x5',
      '٥',
    ],
    LIMIT_RULE,
  ),
  // It goes with any query, and is checked with any.
  [`${TOTAL}&limit=0`, LIMIT_RULE],
  ...values(
    `${SERIES}&months`,
    ['', '0', '25', '100', '1.5', 'x', '-1', '%2B5', '+5', '05', '1e1'],
    MONTHS_RULE,
  ),
  [`${TOTAL}&months=3`, notPart('months', 'window monthly_series')],
  [`${MONTH}&month=2026-01&months=3`, notPart('months', 'window monthly_series')],
  ...values(
    `${MONTH}&month`,
    [
      '',
      '2026',
      '2026-13',
      '2026-00',
      '2026-3',
      '26-03',
      '2026-03-01',
      '2026/03',
      'march',
      '2026-03%0A',
      '%202026-03',
      '-2026-03',
    ],
    MONTH_RULE,
  ),
  ...values(
    `${MONTH}&month`,
    ['2026-04', '2027-01', '9999-12'],
    'Parameter month must not be after the current month, 2026-03 (UTC).',
  ),
  [MONTH, 'A parameter is missing: month is required with window month.'],
  [`${TOTAL}&month=2026-01`, notPart('month', 'window month')],
  [`${SERIES}&month=2026-01`, notPart('month', 'window month')],
  [BY_DIM, DIM_KEY_MISSING],
  [`${BY_DIM}_model`, DIM_KEY_MISSING],
  [`${TOTAL}&dim_key=team`, notPart('dim_key', 'dimension dim or dim_model')],
  [`${MODELS}&dim_key=team`, notPart('dim_key', 'dimension dim or dim_model')],
  ...values(
    `${BY_DIM}&dim_key`,
    ['', '1', '_a', 'a%20b', 'a,b', 'z%C3%BCrich', 'a%00', `${'a'.repeat(65)}`, '__proto__'],
    DIM_KEY_RULE,
  ),
  ...values(
    `${TOTAL}&api_key`,
    [
      '',
      'first',
      'svc_k_',
      'svc_agt_one',
      'SVC_K_one',
      'svc_k_one.secret',
      'svc_k_a%20b',
      `svc_k_${'a'.repeat(65)}`,
    ],
    API_KEY_RULE,
  ),
  ['metric=requests&window=today&api_key=svc_k_one', notPart('api_key', 'metric cost_usd')],
  ['metric=tokens&window=month_to_date&api_key=svc_k_one', notPart('api_key', 'metric cost_usd')],
]

describe('400 invalid_parameter', () => {
  for (const [search, message] of INVALID) {
    test(search === '' ? 'nothing at all' : search, async () => {
      const { status, code, error } = await ask(search)
      assert.deepEqual(
        { status, code, error },
        { status: 400, code: 'invalid_parameter', error: message },
      )
    })
  }
})

test('the edges of what is allowed are answered', async () => {
  for (const search of [
    `${MODELS}&limit=1`,
    `${MODELS}&limit=1000`,
    `${TOTAL}&limit=7`,
    `${SERIES}&months=1`,
    `${SERIES}&months=24`,
    SERIES,
    `${MONTH}&month=2026-03`,
    `${MONTH}&month=0001-01`,
    `${BY_DIM}&dim_key=${'a'.repeat(64)}`,
    `${BY_DIM}&dim_key=constructor`,
    `${BY_DIM}&dim_key=a.b-c_D9`,
    `${TOTAL}&api_key=svc_k_${'a'.repeat(64)}`,
  ]) {
    assert.equal((await ask(search)).status, 200, search)
  }
})
