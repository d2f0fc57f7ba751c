// Every figure of GET /v1/usage over more than a year of traffic in a real store, against sums that
// were made without the program.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UsageEnvelope, UsageRow } from '../../src/api/contract.ts'
import { parseUsageQuery } from '../../src/api/usage/parse-usage-query.ts'
import { readUsage } from '../../src/api/usage/usage-query.ts'
import { batchOf } from '../contracts/usage-scene.ts'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { CATALOGUE } from './catalogue.ts'
import { countCuttable, cut, expectRows, sortByMonth } from './expected-usage.ts'
import type { CallsByMonth, Question } from './expected-usage.ts'
import { createYearOfCalls, IDLE_KEY_ID, KEY_IDS, LAST_MS } from './year-of-calls.ts'

const SEED = 20_280_714
const MONTHS_MAX = 24
const DIM_KEYS = ['team', 'app', 'flag', 'never']
/** One of many values and one whose values tie. */
const DIM_KEYS_WITH_EVERY_LIMIT = ['team', 'flag']
const LIMIT_DEFAULT = 5

/** In their order: at each, the store has what had ended by then. */
const MOMENTS = [
  '2027-12-31T23:59:59.999Z',
  '2028-01-01T00:00:00.000Z',
  '2028-02-29T12:00:00.000Z',
  '2028-02-29T23:59:59.999Z',
  '2028-03-01T00:00:00.000Z',
  '2028-05-31T23:59:59.999Z',
  '2028-06-15T09:30:00.000Z',
] as const

const records = createYearOfCalls(SEED)
let api: OpenApi
let stored = 0
let calls: CallsByMonth = new Map()

before(async () => {
  api = await openApi(LAST_MS)
})

after(() => api.close())

async function storeUntil(nowMs: number): Promise<void> {
  const next = records.findIndex(({ event }) => event.endedAt > nowMs)
  const end = next === -1 ? records.length : next
  while (stored < end) {
    const batch = records.slice(stored, Math.min(end, stored + 5000))
    await api.store.writeBatch(batchOf(...batch))
    stored += batch.length
  }
  calls = sortByMonth(records.slice(0, end))
}

function toSearch(asked: Question, limit: number | null): URLSearchParams {
  const given = Object.entries({ ...asked, limit: limit ?? undefined })
  return new URLSearchParams(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

async function ask(asked: Question, limit: number | null, nowMs: number): Promise<UsageRow[]> {
  const query = parseUsageQuery(toSearch(asked, limit), nowMs)
  return (await readUsage(query, api.usage, nowMs)).rows
}

/** Every question of the catalogue for one key or all, with these months and series. */
function listQuestions(choice: {
  readonly months: readonly string[]
  readonly lengths: readonly number[]
  readonly keyIds: readonly (string | undefined)[]
  readonly dimKeys: readonly string[]
}): Question[] {
  const list: Question[] = []
  for (const { metric, dimension, windows } of CATALOGUE) {
    const dimKeys = dimension?.startsWith('dim') ? choice.dimKeys : [undefined]
    const keyIds = metric === 'cost_usd' ? choice.keyIds : [undefined]
    for (const window of windows) {
      const months = window === 'month' ? choice.months : [undefined]
      const lengths = window === 'monthly_series' ? choice.lengths : [undefined]
      for (const dim_key of dimKeys) {
        for (const api_key of keyIds) {
          for (const month of months) {
            for (const length of lengths) {
              list.push({ metric, dimension, window, dim_key, api_key, month, months: length })
            }
          }
        }
      }
    }
  }
  return list
}

const KEYS_AND_ALL = [undefined, ...KEY_IDS, IDLE_KEY_ID]
const LENGTHS = Array.from({ length: MONTHS_MAX }, (_, index) => index + 1)

function monthsWithCalls(): string[] {
  return [...calls.keys()].toSorted()
}

for (const moment of MOMENTS) {
  test(`every question at ${moment} (seed ${SEED})`, async () => {
    const nowMs = Date.parse(moment)
    await storeUntil(nowMs)
    const months = [...monthsWithCalls().slice(-3), '2019-06']
    const choice = {
      months,
      lengths: [1, 2, 12, 24],
      keyIds: [undefined, KEY_IDS[0]],
      dimKeys: DIM_KEYS,
    }
    for (const asked of listQuestions(choice)) {
      const expected = cut(expectRows(asked, calls, nowMs), asked, LIMIT_DEFAULT)
      assert.deepEqual(await ask(asked, null, nowMs), expected, toSearch(asked, null).toString())
    }
  })
}

test(`every question, key, month, length and limit (seed ${SEED})`, async () => {
  await storeUntil(LAST_MS)
  const choice = {
    months: monthsWithCalls(),
    lengths: LENGTHS,
    keyIds: KEYS_AND_ALL,
    dimKeys: DIM_KEYS_WITH_EVERY_LIMIT,
  }
  let compared = 0
  let tiesAtTheCut = 0
  for (const asked of listQuestions(choice)) {
    const rows = expectRows(asked, calls, LAST_MS)
    const count = countCuttable(rows, asked)
    const limits = new Set([1, 2, LIMIT_DEFAULT, 1000, count - 1, count, count + 1])
    for (const limit of limits) {
      if (limit < 1) continue
      const expected = cut(rows, asked, limit)
      const actual = await ask(asked, limit, LAST_MS)
      assert.deepEqual(actual, expected, toSearch(asked, limit).toString())
      compared += 1
      if (expected.length < rows.length && rows[limit]?.value === rows[limit - 1]?.value) {
        tiesAtTheCut += 1
      }
    }
  }
  assert.ok(compared > 8000, `${compared} answers`)
  assert.ok(tiesAtTheCut > 500, `${tiesAtTheCut} ties at the cut`)
})

test(`the same over HTTP, whole envelopes (seed ${SEED})`, async () => {
  await storeUntil(LAST_MS)
  const authorization = await api.authorize('read:usage', 'read:keys')
  const choice = {
    months: ['2028-02'],
    lengths: [12],
    keyIds: [undefined, KEY_IDS[1]],
    dimKeys: DIM_KEYS,
  }
  for (const asked of listQuestions(choice)) {
    // A second for each: sixty a minute are let pass.
    api.clock.monotonicMs += 1000
    const response = await api.get(`/v1/usage?${toSearch(asked, null).toString()}`, authorization)
    const envelope: UsageEnvelope = {
      asOf: new Date(LAST_MS).toISOString(),
      rows: [...cut(expectRows(asked, calls, LAST_MS), asked, LIMIT_DEFAULT)],
    }
    assert.deepEqual(await response.json(), envelope, toSearch(asked, null).toString())
  }
})

test('the traffic has what it is meant to have', () => {
  const events = records.map(({ event }) => event)
  const ends = new Set(events.map(({ endedAt }) => endedAt))
  for (const edge of ['2027-12-31', '2028-02-28', '2028-02-29', '2028-06-30']) {
    const first = Date.parse(`${edge}T00:00:00.000Z`)
    assert.ok(ends.has(first) && ends.has(first + 86_399_999), edge)
  }
  const statuses = new Set(events.map(({ status }) => status))
  assert.equal(statuses.size, 6)
  const sources = new Set(records.map(({ cost }) => cost.source))
  assert.deepEqual([...sources].toSorted(), [
    'byok-zero',
    'free',
    'gateway',
    'price-book',
    'unpriced',
  ])
  assert.ok(events.some(({ dims }) => Object.keys(dims).length === 0))
  assert.ok(events.some(({ model }) => model === null))
  assert.ok(records.length > 30_000)
})
