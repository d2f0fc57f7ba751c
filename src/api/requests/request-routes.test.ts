import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import {
  createPicks,
  createRequestSamples,
  filterSamples,
  SAMPLE_VALUES,
  SAMPLES_FROM,
} from '../../../test/fakes/callers/request-samples.ts'
import { createRequestId } from '../../core/ids.ts'
import { parseMoney } from '../../core/money.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { RequestLog } from '../../store/usage/request-log.ts'
import {
  errorBodySchema,
  REQUESTS_PER_MINUTE_MAX,
  requestPageSchema,
  requestParametersSchema,
  requestSummarySchema,
} from '../contract.ts'
import type { RequestPageAnswer } from '../contract.ts'
import { parseParameters } from '../parse-parameters.ts'
import { toRequestQuery } from './to-request-query.ts'
import { toRequestRow } from './request-row.ts'

const NOW = Date.parse('2026-03-15T12:00:00.000Z')
const PAGES_MAX = 1000

const state = { fault: null as Error | null }
const samples = createRequestSamples(420)

const MINUTE_MS = 60_000

let api: OpenApi
let reader: string

before(async () => {
  api = await openApi(NOW, ({ usage }) => ({
    usage: {
      ...usage,
      requests: {
        ...usage.requests,
        list: (filter, page) =>
          state.fault === null ? usage.requests.list(filter, page) : Promise.reject(state.fault),
      },
    },
  }))
  reader = await api.authorize('read:requests')
  await api.store.writeBatch(batchOf(...samples))
})

after(() => api.close())
// No test is about the rate of a token but the one that says so.
beforeEach(() => {
  api.clock.monotonicMs += MINUTE_MS
})

async function readPage(search: URLSearchParams, of: OpenApi = api): Promise<RequestPageAnswer> {
  const authorization = of === api ? reader : await of.authorize('read:requests')
  of.clock.monotonicMs += MINUTE_MS
  const response = await of.get(`/v1/requests?${search.toString()}`, authorization)
  const body: unknown = await response.json()
  assert.equal(response.status, 200, JSON.stringify(body))
  return requestPageSchema.parse(body)
}

interface Reading {
  readonly of?: OpenApi
  /** Runs after each page but the last. */
  readonly between?: (page: number) => Promise<void>
}

/** The ids of all pages of a question. */
async function readPages(
  question: string,
  limit: number,
  { of = api, between = async () => {} }: Reading = {},
): Promise<string[]> {
  const search = new URLSearchParams(question)
  search.set('limit', String(limit))
  const ids: string[] = []
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { rows, next_cursor: cursor } = await readPage(search, of)
    assert.ok(rows.length <= limit)
    ids.push(...rows.map((row) => row.id))
    if (cursor === null) return ids
    search.set('cursor', cursor)
    await between(page)
  }
  return assert.fail('the pages do not end')
}

function expected(records: readonly UsageRecord[], question: string): string[] {
  const { filter } = toRequestQuery(
    parseParameters(new URLSearchParams(question), requestParametersSchema),
  )
  return filterSamples(records, filter).map(({ event }) => event.id)
}

const toMoment = (timeMs: number): string => new Date(timeMs).toISOString()

const SINGLE: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['from', ['2026-03-15', toMoment(SAMPLES_FROM + 45_000), toMoment(SAMPLES_FROM + 45_001)]],
  ['to', ['2026-03-15', toMoment(SAMPLES_FROM + 90_000), '2026-03-14']],
  ['api_key', ['svc_k_aaaaaaaa', 'svc_k_bbbbbbbb', 'svc_k_aaaa', 'svc_k_none']],
  ['provider', [...SAMPLE_VALUES.provider, 'North', 'no', 'no-such_one', '*']],
  [
    'model',
    [
      'maker/large-1',
      'MAKER/LARGE-*',
      'maker/*',
      '*1',
      '*',
      '*-1*',
      'maker_small-1',
      '%',
      'é*',
    ].concat(['[a]*b?', '[a]?*', '*[*', '*?', '**', 'maker']),
  ],
  ['status', SAMPLE_VALUES.status],
  ['source', SAMPLE_VALUES.source],
]

const DIMS: readonly string[] = [
  'dim_key=team',
  'dim_key=env',
  'dim_key=Team',
  'dim_key=team.name',
  'dim_key=search',
  'dim_key=team&dim_value=search',
  'dim_key=team&dim_value=Search',
  'dim_key=team&dim_value=prod',
  'dim_key=env&dim_value=search',
  `dim_key=team&dim_value=${encodeURIComponent('a"b\\c%_é')}`,
  `dim_key=team&dim_value=${encodeURIComponent('{"env":"prod"}')}`,
  'dim_key=team&dim_value=%25',
]

const SEVERAL: readonly string[] = [
  'status=cut&status=refused',
  'provider=north&provider=no-such%25one&source=free&source=unpriced&source=gateway',
  'api_key=svc_k_aaaaaaaa&api_key=svc_k_bbbbbbbb&model=*1&model=%C3%A9*',
  'dim_key=team&dim_value=search&dim_value=Search',
]

const QUESTIONS = [
  ...SEVERAL,
  '',
  ...SINGLE.flatMap(([name, values]) =>
    values.map((value) => new URLSearchParams({ [name]: value }).toString()),
  ),
  ...DIMS,
]

describe('the rows of a page', () => {
  for (const question of QUESTIONS) {
    test(`are those that were asked for: ${question || 'all'}`, async () => {
      assert.deepEqual(await readPages(question, 1000), expected(samples, question))
    })
  }

  test('are those that were asked for, whatever is asked for together', async () => {
    const picks = createPicks(2)
    let found = 0
    for (let round = 0; round < 80; round += 1) {
      const parts = SINGLE.map(([name, values]) => ({ [name]: picks.of(values) }))
        .filter(() => picks.below(3) === 0)
        .map((part) => new URLSearchParams(part).toString())
      if (picks.below(4) === 0) parts.push(picks.of(DIMS))
      const question = parts.join('&')
      let ids: string[]
      try {
        ids = expected(samples, question)
      } catch {
        // `to` before `from`.
        continue
      }
      assert.deepEqual(await readPages(question, 10 + picks.below(40)), ids, question)
      found += ids.length
    }
    assert.ok(found > 500)
  })

  test('show all there is, 50 of them unless asked otherwise', async () => {
    const { rows, next_cursor: cursor } = await readPage(new URLSearchParams())
    const { filter } = toRequestQuery({})
    assert.deepEqual(
      rows,
      filterSamples(samples, filter)
        .slice(0, 50)
        .map((record) => toRequestRow(record, new Map())),
    )
    assert.notEqual(cursor, null)
  })

  test('are none, without a next page, where nothing was recorded', async () => {
    const page = await readPage(new URLSearchParams('to=2020-01-01'))
    assert.deepEqual(page, { rows: [], next_cursor: null })
  })
})

describe('pages', () => {
  for (const [limit, question] of [
    [1, 'status=cut'],
    [7, ''],
    [419, ''],
    [420, ''],
    [421, ''],
  ] as const) {
    test(`of ${limit} give every call once`, async () => {
      assert.deepEqual(await readPages(question, limit), expected(samples, question))
    })
  }

  test('may be empty and have a next one all the same', async (t) => {
    const newest = createRequestId(NOW)
    const own = await openApi(NOW, ({ usage }) => {
      const list: RequestLog['list'] = async (filter, page) =>
        page.before === null ? { records: [], next: newest } : usage.requests.list(filter, page)
      return { usage: { ...usage, requests: { ...usage.requests, list } } }
    })
    t.after(() => own.close())
    await own.store.writeBatch(batchOf(...samples))
    const first = await readPage(new URLSearchParams('status=cut'), own)
    assert.deepEqual(first.rows, [])
    const rest = await readPages(`status=cut&cursor=${first.next_cursor}`, 1000, { of: own })
    assert.deepEqual(rest, expected(samples, 'status=cut'))
  })

  test('may change their size on the way', async () => {
    const { rows, next_cursor: cursor } = await readPage(new URLSearchParams('limit=5'))
    const rest = await readPages(`cursor=${cursor}`, 1000)
    assert.deepEqual([...rows.map((row) => row.id), ...rest], expected(samples, ''))
  })

  test('give what was there once, in order, while calls come in at both ends', async (t) => {
    const own = await openApi(NOW)
    t.after(() => own.close())
    await own.store.writeBatch(batchOf(...samples))
    const late = new Map<string, number>()
    const add = async (startedAt: number): Promise<void> => {
      const record = createRecord({ id: createRequestId(startedAt), startedAt, endedAt: NOW })
      late.set(record.event.id, startedAt)
      await own.store.writeBatch(batchOf(record))
    }
    const ids = await readPages('', 10, {
      of: own,
      between: async (page) => {
        await add(NOW + page)
        // A call that ran for long is recorded among those that started with it.
        await add(SAMPLES_FROM + page * 60_000)
      },
    })
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(ids, ids.toSorted().toReversed())
    assert.deepEqual(
      ids.filter((id) => !late.has(id)),
      expected(samples, ''),
    )
    assert.ok(ids.every((id) => (late.get(id) ?? 0) < NOW))
    assert.ok(late.size > 80)
  })
})

describe('a cursor', () => {
  test('is refused for another question, and when it was changed', async () => {
    const { next_cursor: cursor } = await readPage(new URLSearchParams('status=cut&limit=1'))
    assert.ok(cursor !== null)
    const other = cursor.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
    for (const question of [
      `cursor=${cursor}`,
      `status=denied&cursor=${cursor}`,
      `status=cut&from=2026-03-15&cursor=${cursor}`,
      `status=cut&cursor=${other}`,
      `status=cut&cursor=${cursor.slice(1)}`,
      `status=cut&cursor=${cursor}=`,
      `status=cut&cursor=${cursor}&cursor=${cursor}`,
    ]) {
      const response = await api.get(`/v1/requests?${question}`, reader)
      assert.equal(response.status, 400, question)
      assert.equal(errorBodySchema.parse(await response.json()).code, 'invalid_parameter')
    }
    assert.equal((await api.get(`/v1/requests?status=cut&cursor=${cursor}`, reader)).status, 200)
  })
})

describe('a sorted log', () => {
  const toCost = ({ cost }: UsageRecord): number => Number(cost.amount ?? -1)

  for (const [question, limit] of [
    ['sort=cost', 1000],
    ['sort=cost&source=unpriced&source=free&status=cut', 2],
    ['sort=cost&from=2026-03-14T22:30:00Z', 9],
  ] as const) {
    test(`has every call once, most expensive first: ${question}`, async () => {
      const filter = question.replace('sort=cost', '')
      const ids = new Set(expected(samples, filter))
      const costliest = samples
        .filter(({ event }) => ids.has(event.id))
        .toSorted((one, other) => {
          if (toCost(one) !== toCost(other)) return toCost(other) - toCost(one)
          return one.event.id < other.event.id ? 1 : -1
        })
      assert.ok(costliest.length > 10)
      assert.deepEqual(
        await readPages(question, limit),
        costliest.map(({ event }) => event.id),
      )
    })
  }

  test('is turned around by direction=asc', async () => {
    const oldest = expected(samples, 'status=cut').toReversed()
    assert.deepEqual(await readPages('status=cut&direction=asc', 11), oldest)
  })

  test('has cursors of its own', async () => {
    const { next_cursor: cursor } = await readPage(new URLSearchParams('sort=cost&limit=1'))
    for (const question of [`cursor=${cursor}`, `sort=duration&cursor=${cursor}`]) {
      assert.equal((await api.get(`/v1/requests?${question}`, reader)).status, 400, question)
    }
  })

  test('is refused for too many calls, with a time from which on they fit', async (t) => {
    // The store's answer at its limit; a test of its own has it refuse real calls.
    const fromMs = NOW - 3_600_000 - 1
    const own = await openApi(NOW, ({ usage }) => {
      const listSorted = async () => ({ kind: 'too many', fromMs, callsMax: 500_000 }) as const
      return { usage: { ...usage, requests: { ...usage.requests, listSorted } } }
    })
    t.after(() => own.close())
    const authorization = await own.authorize('read:requests')
    const ask = async (question: string): Promise<string> => {
      const response = await own.get(`/v1/requests?${question}`, authorization)
      assert.equal(response.status, 400)
      return errorBodySchema.parse(await response.json()).error
    }
    assert.match(
      await ask('sort=cost'),
      /^At most 500,000 calls can be sorted.* from=2026-03-15T11:00:00Z or later would fit\.$/,
    )
    assert.match(await ask('sort=cost&to=2026-03-15T11:00Z'), /within minutes.* leave sort out\.$/)
  })
})

describe('a summary', () => {
  for (const question of ['', 'status=denied&status=cut', 'from=2026-03-15&source=unpriced']) {
    test(`says how many calls match, and what they cost: ${question || 'all'}`, async () => {
      const ids = new Set(expected(samples, question))
      const matching = samples.filter(({ event }) => ids.has(event.id))
      const counted = matching.filter(({ event }) => event.status !== 'denied')
      const cost = counted.reduce((sum, record) => sum + (record.cost.amount ?? 0n), 0n)
      const response = await api.get(`/v1/requests/summary?${question}`, reader)
      const { cost_usd: usd, ...figures } = requestSummarySchema.parse(await response.json())
      assert.equal(parseMoney(usd), cost)
      assert.deepEqual(figures, {
        as_of: toMoment(NOW),
        calls: matching.length,
        requests: counted.length,
        denied: matching.length - counted.length,
        unpriced: counted.filter((record) => record.cost.amount === null).length,
        is_complete: true,
      })
    })
  }

  test('takes the filters alone, and needs the scope of the log', async () => {
    const refused = await api.get('/v1/requests/summary?limit=5', reader)
    assert.equal(refused.status, 400)
    const other = await api.authorize('read:usage')
    assert.equal((await api.get('/v1/requests/summary', other)).status, 403)
  })
})

test('a failure of the store goes to the log and not to the caller', async () => {
  state.fault = new Error('disk on fire')
  const response = await api.get('/v1/requests?model=SECRET', reader)
  state.fault = null
  assert.equal(response.status, 500)
  const body = errorBodySchema.parse(await response.json())
  assert.equal(body.code, 'internal')
  assert.ok(!body.error.includes('fire'))
  assert.match(api.logged.at(-1) ?? '', /"route":"\/v1\/requests".*disk on fire/)
  assert.ok(!api.logged.join().includes('SECRET'))
})

test('a token may ask sixty times a minute for pages and summaries, and is told when again', async () => {
  const counted = await api.authorize('read:requests', 'read:usage')
  const paths = ['/v1/requests?limit=1', '/v1/requests/summary', '/v1/requests?limit=0']
  for (let time = 0; time < REQUESTS_PER_MINUTE_MAX; time += 1) {
    const response = await api.get(paths[time % 3] as string, counted)
    assert.notEqual(response.status, 429)
    const left = String(REQUESTS_PER_MINUTE_MAX - time - 1)
    assert.equal(response.headers.get('ratelimit-remaining'), left)
  }
  for (const path of paths) {
    const refused = await api.get(path, counted)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60'])
  }
  // Questions about usage are counted by themselves.
  const usage = await api.get('/v1/usage?metric=cost_usd&window=today', counted)
  assert.equal(usage.headers.get('ratelimit-remaining'), String(REQUESTS_PER_MINUTE_MAX - 1))
  api.clock.monotonicMs += MINUTE_MS
  assert.equal((await api.get('/v1/requests', counted)).status, 200)
})
