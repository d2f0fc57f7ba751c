// Identical queries share a snapshot for as long as the contract says, across processes, and never
// across midnight.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { UsageEnvelope } from '../../src/api/contract.ts'
import type { UsageStore } from '../../src/store/usage/usage-store.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { openApi, openApiBeside } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'

const NOON = Date.parse('2026-03-15T12:00:00.000Z')
const SECOND_MS = 1000
const MINUTE_MS = 60_000
const DOLLAR = 10n ** 12n
const TODAY = 'metric=cost_usd&window=today'
const BY_PROVIDER = 'metric=cost_usd&window=month_to_date&dimension=provider'

/** Of tests that wait for what must happen. */
const LIMITED = { timeout: 60_000 }

/** How many asked, and how often figures were computed; `delay` keeps them waiting. */
const sums = { asked: 0, count: 0, delay: Promise.resolve() }
let api: OpenApi
let authorization: string
let opened: OpenApi[] = []

const counted = ({ usage }: { usage: UsageStore }): { usage: UsageStore } => ({
  usage: {
    ...usage,
    readCostRevision: () => {
      sums.asked += 1
      return usage.readCostRevision()
    },
    sum: async (question) => {
      sums.count += 1
      await sums.delay
      return usage.sum(question)
    },
  },
})

beforeEach(async () => {
  sums.asked = 0
  sums.count = 0
  sums.delay = Promise.resolve()
  api = await openApi(NOON, counted)
  opened = []
  authorization = await api.authorize('read:usage', 'read:keys')
  await storeCall(NOON - MINUTE_MS)
})

afterEach(async () => {
  for (const each of opened) await each.close()
  await api.close()
})

async function openBeside(): Promise<OpenApi> {
  const beside = await openApiBeside(api, counted)
  opened.push(beside)
  return beside
}

async function storeCall(endedAt: number): Promise<void> {
  await api.store.writeBatch(batchOf(createRecord({ endedAt }, { amount: DOLLAR })))
}

interface Taken {
  readonly asOf: string
  readonly value: number | undefined
  readonly cacheControl: string | null
}

async function ask(search: string, { from = api, as = authorization } = {}): Promise<Taken> {
  // A second for each: sixty a minute are let pass.
  api.clock.monotonicMs += SECOND_MS
  const response = await from.get(`/v1/usage?${search}`, as)
  assert.equal(response.status, 200, search)
  const { asOf, rows } = (await response.json()) as UsageEnvelope
  return { asOf, value: rows.at(-1)?.value, cacheControl: response.headers.get('cache-control') }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}

const at = (timeMs: number): string => new Date(timeMs).toISOString()

test('200 identical queries at once are one computation and one asOf', LIMITED, async () => {
  const tokens = await Promise.all(Array.from({ length: 4 }, () => api.authorize('read:usage')))
  const delayed = Promise.withResolvers<void>()
  sums.delay = delayed.promise
  const asking = Array.from({ length: 200 }, (_, index) =>
    ask(TODAY, { as: tokens[index % tokens.length] ?? '' }),
  )
  await until(() => sums.asked === 200)
  delayed.resolve()
  const answers = await Promise.all(asking)
  assert.equal(sums.count, 1)
  assert.equal(new Set(answers.map(({ asOf }) => asOf)).size, 1)
})

const VALID: readonly (readonly [search: string, validMs: number])[] = [
  [TODAY, MINUTE_MS],
  ['metric=requests&window=today', MINUTE_MS],
  ['metric=cost_usd&window=today&dimension=provider', MINUTE_MS],
  ['metric=cost_usd&window=last_7_days&dimension=day', MINUTE_MS],
  ['metric=cost_usd&window=last_30_days&dimension=day', MINUTE_MS],
  ['metric=cost_usd&window=yesterday', 5 * MINUTE_MS],
  ['metric=cost_usd&window=month_to_date', 5 * MINUTE_MS],
  ['metric=tokens&window=month_to_date', 5 * MINUTE_MS],
  ['metric=cost_usd&window=monthly_series&dimension=provider', 5 * MINUTE_MS],
  ['metric=cost_usd&window=month&month=2026-03', 5 * MINUTE_MS],
  ['metric=cost_usd&window=month&month=2026-02', 60 * MINUTE_MS],
  ['metric=cost_usd&window=last_month', 60 * MINUTE_MS],
]

test('a snapshot is valid for as long as its window is worth, and says how long that is', async () => {
  for (const [search, validMs] of VALID) {
    sums.count = 0
    for (const [sinceMs, asOf, leftSeconds] of [
      [0, NOON, validMs / SECOND_MS],
      [1, NOON, validMs / SECOND_MS - 1],
      [SECOND_MS, NOON, validMs / SECOND_MS - 1],
      [validMs - SECOND_MS, NOON, 1],
      [validMs - 1, NOON, 0],
      [validMs, NOON + validMs, validMs / SECOND_MS],
    ] as const) {
      api.clock.nowMs = NOON + sinceMs
      const taken = await ask(search)
      assert.equal(taken.asOf, at(asOf), `${search}, ${sinceMs} ms later`)
      assert.equal(taken.cacheControl, `private, max-age=${leftSeconds}`)
    }
    assert.equal(sums.count, 2)
  }
})

/** Dollars in the last row before midnight and behind it. */
const AROUND_MIDNIGHT: readonly (readonly [search: string, before: number, behind: number])[] = [
  [TODAY, 1, 0],
  ['metric=cost_usd&window=yesterday', 0, 1],
  ['metric=cost_usd&window=month_to_date', 2, 0],
  ['metric=cost_usd&window=last_month', 0, 2],
  ['metric=cost_usd&window=month&month=2026-03', 2, 2],
  ['metric=cost_usd&window=month&month=2026-02', 0, 0],
  ['metric=cost_usd&window=last_7_days&dimension=day', 1, 0],
  ['metric=cost_usd&window=monthly_series&dimension=provider', 2, 0],
]

test('no snapshot outlives its UTC day', async () => {
  const midnight = Date.parse('2026-04-01T00:00:00.000Z')
  const takenAt = midnight - 20 * SECOND_MS
  await storeCall(midnight - MINUTE_MS)
  for (const [search, before, behind] of AROUND_MIDNIGHT) {
    for (const [nowMs, asOf, value] of [
      [takenAt, takenAt, before],
      [midnight - 1, takenAt, before],
      [midnight, midnight, behind],
      [midnight + 1, midnight, behind],
    ] as const) {
      api.clock.nowMs = nowMs
      const taken = await ask(search)
      assert.deepEqual([taken.asOf, taken.value], [at(asOf), value], `${search} at ${at(nowMs)}`)
      if (nowMs === takenAt) assert.equal(taken.cacheControl, 'private, max-age=20')
    }
  }
})

test('the order of parameters and defaults written out make no other query', async () => {
  const series = 'metric=cost_usd&window=monthly_series&dimension=provider'
  for (const same of [
    [
      BY_PROVIDER,
      `${BY_PROVIDER}&limit=5`,
      'limit=5&dimension=provider&window=month_to_date&metric=cost_usd',
    ],
    [series, `${series}&months=12`, `months=12&limit=5&${series}`],
    // A total and a trend are whole whatever the limit.
    [TODAY, `${TODAY}&limit=1`, `limit=1000&${TODAY}`],
  ]) {
    sums.count = 0
    const takenAt = api.clock.nowMs
    for (const search of same) {
      assert.equal((await ask(search)).asOf, at(takenAt), search)
      api.clock.nowMs += SECOND_MS
    }
    assert.equal(sums.count, 1)
  }
  await ask(`${BY_PROVIDER}&limit=4`)
  await ask(`${BY_PROVIDER}&api_key=svc_k_one`)
  assert.equal(sums.count, 3)
})

test('it belongs to the query, not to the token', async () => {
  const first = await ask(TODAY)
  api.clock.nowMs += SECOND_MS
  const other = await api.authorize('admin')
  assert.equal((await ask(TODAY, { as: other })).asOf, first.asOf)
})

test('a cache keeps it for that token alone', async () => {
  const response = await api.get(`/v1/usage?${TODAY}`, authorization)
  assert.equal(response.headers.get('vary'), 'Authorization, Cookie, Accept-Encoding')
})

test('calls stored meanwhile do not show until it ends', async () => {
  assert.equal((await ask(TODAY)).value, 1)
  await storeCall(NOON + SECOND_MS)
  api.clock.nowMs = NOON + MINUTE_MS - 1
  assert.equal((await ask(TODAY)).value, 1)
  api.clock.nowMs = NOON + MINUTE_MS
  assert.equal((await ask(TODAY)).value, 2)
})

test('a repricing ends it at once, in every process', async () => {
  const beside = await openBeside()
  const record = createRecord({ endedAt: NOON - MINUTE_MS }, { amount: DOLLAR })
  await api.store.writeBatch(batchOf(record))
  for (const from of [api, beside]) assert.equal((await ask(TODAY, { from })).value, 2)
  const after = { ...record.cost, amount: 3n * DOLLAR }
  const line = { repricing: null, at: NOON, who: 'me', what: 'all of it', prices: [] }
  const change = { id: record.event.id, before: record.cost, after }
  await api.usage.upkeep.changeCosts([change], line)
  api.clock.nowMs += 1
  for (const from of [api, beside]) {
    const { asOf, value } = await ask(TODAY, { from })
    assert.deepEqual([asOf, value], [at(NOON + 1), 4])
  }
})

test('two servers on the same settings store share it', async () => {
  const beside = await openBeside()
  const first = await ask(TODAY)
  await storeCall(NOON + 1)
  api.clock.nowMs = NOON + 10 * SECOND_MS
  assert.deepEqual(await ask(TODAY, { from: beside }), {
    ...first,
    cacheControl: 'private, max-age=50',
  })
  assert.equal(sums.count, 1)
})

test('two that compute at the same time end with one asOf', LIMITED, async () => {
  const beside = await openBeside()
  const delayed = Promise.withResolvers<void>()
  sums.delay = delayed.promise
  const asking = [ask(TODAY)]
  await until(() => sums.count === 1)
  api.clock.nowMs = NOON + 10
  asking.push(ask(TODAY, { from: beside }))
  await until(() => sums.count === 2)
  delayed.resolve()
  const [one, other] = await Promise.all(asking)
  assert.equal(one?.asOf, other?.asOf)
  for (const from of [api, beside]) assert.equal((await ask(TODAY, { from })).asOf, one?.asOf)
  assert.equal(sums.count, 2)
})

test('it outlives the process that took it', async () => {
  const beside = await openApiBeside(api, counted)
  const first = await ask(TODAY, { from: beside })
  await beside.close()
  api.clock.nowMs = NOON + MINUTE_MS - 1
  assert.equal((await ask(TODAY)).asOf, first.asOf)
  assert.equal(sums.count, 1)
})

test('a locked settings database keeps no caller waiting, and the answer is kept here', async () => {
  const other = new DatabaseSync(join(api.dir, 'settings.db'))
  other.exec('BEGIN IMMEDIATE')
  try {
    const startedAt = performance.now()
    assert.equal((await ask(TODAY)).asOf, at(NOON))
    api.clock.nowMs = NOON + SECOND_MS
    assert.equal((await ask(TODAY)).asOf, at(NOON))
    // The store waits five seconds for what is worth it.
    assert.ok(performance.now() - startedAt < 4000)
    assert.equal(sums.count, 1)
    assert.match(api.logged.join('\n'), /A usage snapshot was not shared/)
  } finally {
    other.exec('ROLLBACK')
    other.close()
  }
})

test('after the clock was set back none is dated ahead', async () => {
  const beside = await openBeside()
  await ask(TODAY)
  api.clock.nowMs = NOON - 60 * MINUTE_MS
  for (const from of [api, beside]) {
    const { asOf, cacheControl } = await ask(TODAY, { from })
    assert.deepEqual([asOf, cacheControl], [at(NOON - 60 * MINUTE_MS), 'private, max-age=60'])
  }
  api.clock.nowMs = NOON
  assert.equal((await ask(TODAY)).asOf, at(NOON))
})
