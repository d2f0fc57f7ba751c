import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Snapshot } from '../../store/settings/snapshot-store.ts'
import type { UsageQuestion, UsageSum } from '../../store/usage/usage-store.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { createUsageSnapshots, REMEMBERED_BYTES_MAX, SHARED_CHARS_MAX } from './usage-snapshots.ts'

const NOON = Date.parse('2026-03-15T12:00:00.000Z')
const HOUR_MS = 3_600_000

const TODAY: UsageQuery = {
  metric: 'cost_usd',
  window: 'today',
  dimension: null,
  dimKey: null,
  month: null,
  months: null,
  limit: 5,
  keyId: null,
}

/** Over a store that can be delayed or made to fail, and a shared one that keeps nothing. */
function createScene() {
  const clock = { nowMs: NOON, now: () => clock.nowMs, monotonic: () => 0 }
  const state = {
    revision: 'first',
    asked: [] as UsageQuestion[],
    answer: (): Promise<readonly UsageSum[]> => Promise.resolve([]),
    put: (snapshot: Snapshot): Promise<Snapshot> => Promise.resolve(snapshot),
    logged: [] as string[],
  }
  const snapshots = createUsageSnapshots({
    usage: {
      sum: (question) => {
        state.asked.push(question)
        return state.answer()
      },
      readCostRevision: () => Promise.resolve(state.revision),
    },
    snapshots: { find: () => Promise.resolve(null), put: (snapshot) => state.put(snapshot) },
    clock,
    log: { warn: (_fields, message) => void state.logged.push(message) },
  })
  return { clock, state, snapshots }
}

test('those who ask the same at once wait for one computation', async () => {
  const { state, snapshots } = createScene()
  const delayed = Promise.withResolvers<readonly UsageSum[]>()
  state.answer = () => delayed.promise
  const asking = Array.from({ length: 50 }, () => snapshots.read({ ...TODAY }))
  delayed.resolve([])
  const answers = await Promise.all(asking)
  assert.equal(state.asked.length, 1)
  assert.equal(new Set(answers.map(({ body }) => String(body))).size, 1)
})

test('what else is asked for is computed once for all, and again when its time is over', async () => {
  const { clock, state, snapshots } = createScene()
  let computed = 0
  const compute = async () => ({ text: `{"n":${(computed += 1)}}`, keptMs: 1000 })
  const read = async (name = 'one') => String((await snapshots.readKept({ name, compute })).body)
  const answers = await Promise.all(Array.from({ length: 50 }, () => read()))
  assert.deepEqual(new Set(answers), new Set(['{"n":1}']))
  clock.nowMs += 999
  assert.equal(await read(), '{"n":1}')
  assert.equal(await read('other'), '{"n":2}')
  clock.nowMs += 1
  assert.equal(await read(), '{"n":3}')
  state.revision = 'second'
  assert.equal(await read(), '{"n":4}')
  clock.nowMs = NOON + 12 * HOUR_MS - 1
  const { validUntil } = await snapshots.readKept({ name: 'one', compute })
  assert.equal(validUntil, NOON + 12 * HOUR_MS)
})

test('a long answer is kept, but not where other processes would find it', async () => {
  const { state, snapshots } = createScene()
  const shared: string[] = []
  state.put = (snapshot) => {
    shared.push(snapshot.identity)
    return Promise.resolve(snapshot)
  }
  let computed = 0
  const read = (name: string, chars: number) => {
    const compute = async () => ({ text: String((computed += 1)).padEnd(chars), keptMs: 1000 })
    return snapshots.readKept({ name, compute })
  }
  assert.equal((await read('long', SHARED_CHARS_MAX + 1)).body.length, SHARED_CHARS_MAX + 1)
  assert.match(String((await read('long', SHARED_CHARS_MAX + 1)).body), /^1 /)
  assert.deepEqual(shared, [])
  await read('short', SHARED_CHARS_MAX)
  assert.equal(shared.length, 1)
})

test('a failed computation fails those who waited for it, and is not kept', async () => {
  const { state, snapshots } = createScene()
  state.answer = () => Promise.reject(new Error('disk on fire'))
  const asking = [snapshots.read(TODAY), snapshots.read(TODAY)]
  for (const result of await Promise.allSettled(asking)) assert.equal(result.status, 'rejected')
  assert.equal(state.asked.length, 1)
  state.answer = () => Promise.resolve([])
  assert.match(String((await snapshots.read(TODAY)).body), /"label":"total"/)
})

test('one that cannot be shared is kept here, and logged', async () => {
  const { clock, state, snapshots } = createScene()
  state.put = () => Promise.reject(new Error('database is locked'))
  const first = await snapshots.read(TODAY)
  clock.nowMs += 1000
  assert.equal(String((await snapshots.read(TODAY)).body), String(first.body))
  assert.equal(state.asked.length, 1)
  assert.deepEqual(state.logged, ['A usage snapshot was not shared'])
})

test('the one that another process shared first is the answer, now and later', async () => {
  const { clock, state, snapshots } = createScene()
  state.put = (snapshot) => Promise.resolve({ ...snapshot, text: 'theirs' })
  assert.equal(String((await snapshots.read(TODAY)).body), 'theirs')
  clock.nowMs += 59_999
  assert.equal(String((await snapshots.read(TODAY)).body), 'theirs')
})

test('while another process writes, it is tried again: theirs may be the one that counts', async () => {
  const { state, snapshots } = createScene()
  let attempts = 0
  state.put = (snapshot) => {
    attempts += 1
    if (attempts === 1) return Promise.reject(new Error('database is locked'))
    return Promise.resolve({ ...snapshot, text: 'theirs' })
  }
  assert.equal(String((await snapshots.read(TODAY)).body), 'theirs')
  assert.deepEqual([state.asked.length, state.logged], [1, []])
})

test('who asks behind midnight is not given what was begun before it', async () => {
  const { clock, state, snapshots } = createScene()
  const thisMonth: UsageQuery = { ...TODAY, window: 'month', month: '2026-03' }
  const delayed = Promise.withResolvers<readonly UsageSum[]>()
  state.answer = () => delayed.promise
  clock.nowMs = Date.parse('2026-03-31T23:59:59.999Z')
  const before = snapshots.read(thisMonth)
  clock.nowMs += 1
  const behind = snapshots.read(thisMonth)
  delayed.resolve([])
  assert.match(String((await before).body), /"asOf":"2026-03-31T23:59:59\.999Z"/)
  assert.match(String((await behind).body), /"asOf":"2026-04-01T00:00:00\.000Z"/)
})

test('a change of stored costs ends every snapshot', async () => {
  const { state, snapshots } = createScene()
  await snapshots.read(TODAY)
  state.revision = 'second'
  await snapshots.read(TODAY)
  assert.equal(state.asked.length, 2)
})

test('what an answer depends on is told apart, and what it does not is not', async () => {
  const { state, snapshots } = createScene()
  const byDim: UsageQuery = {
    ...TODAY,
    window: 'month',
    month: '2026-03',
    dimension: 'dim',
    dimKey: 'team',
  }
  const different: readonly UsageQuery[] = [
    byDim,
    { ...byDim, window: 'month_to_date', month: null },
    { ...byDim, month: '2026-02' },
    { ...byDim, dimKey: 'app' },
    { ...byDim, limit: 6 },
    { ...byDim, keyId: 'svc_k_one' },
    { ...byDim, dimension: 'dim_model' },
    { ...TODAY, metric: 'requests' },
    { ...TODAY, window: 'yesterday' },
    TODAY,
  ]
  for (const query of different) await snapshots.read(query)
  assert.equal(state.asked.length, different.length)
  // A total and a trend are whole whatever the limit.
  await snapshots.read({ ...TODAY, limit: 1000 })
  assert.equal(state.asked.length, different.length)
})

test('one taken while the day ended is valid no longer than the day', async () => {
  const { clock, state, snapshots } = createScene()
  clock.nowMs = Date.parse('2026-03-31T23:59:59.999Z')
  state.answer = () => {
    clock.nowMs += 2
    return Promise.resolve([])
  }
  const { body, validUntil } = await snapshots.read(TODAY)
  assert.match(String(body), /"asOf":"2026-03-31T23:59:59\.999Z"/)
  assert.equal(validUntil, Date.parse('2026-04-01T00:00:00.000Z'))
  const next = await snapshots.read(TODAY)
  assert.match(String(next.body), /"asOf":"2026-04-01T00:00:00\.001Z"/)
  assert.deepEqual(
    state.asked.map(({ period }) => period.from),
    ['2026-03-31', '2026-04-01'],
  )
})

test('what is remembered takes no more room than it has bytes', async () => {
  const { snapshots } = createScene()
  const { body } = await snapshots.read(TODAY)
  assert.equal(body.buffer.byteLength, body.length)
})

test('only so much is remembered, the oldest make room', async () => {
  const { state, snapshots } = createScene()
  const text = 'x'.repeat(REMEMBERED_BYTES_MAX / 4)
  state.put = (snapshot) => Promise.resolve({ ...snapshot, text })
  const read = (key: number) => snapshots.read({ ...TODAY, keyId: `svc_k_${key}` })
  for (const key of [0, 1, 2, 3]) await read(key)
  await read(0)
  assert.equal(state.asked.length, 4)
  await read(4)
  for (const key of [1, 2, 3, 4]) await read(key)
  assert.equal(state.asked.length, 5)
  await read(0)
  assert.equal(state.asked.length, 6)
})

test('each window is kept for as long as the contract says', async () => {
  const { snapshots } = createScene()
  for (const [change, keptMs] of [
    [{ window: 'today' }, HOUR_MS / 60],
    [{ window: 'last_7_days', dimension: 'day' }, HOUR_MS / 60],
    [{ window: 'last_30_days', dimension: 'day' }, HOUR_MS / 60],
    [{ window: 'yesterday' }, HOUR_MS / 12],
    [{ window: 'month_to_date' }, HOUR_MS / 12],
    [{ window: 'monthly_series', dimension: 'provider', months: 1 }, HOUR_MS / 12],
    [{ window: 'month', month: '2026-03' }, HOUR_MS / 12],
    [{ window: 'month', month: '2026-02' }, HOUR_MS],
    [{ window: 'last_month' }, HOUR_MS],
  ] as const) {
    const { validUntil } = await snapshots.read({ ...TODAY, ...change })
    assert.equal(validUntil - NOON, keptMs, change.window)
  }
})
