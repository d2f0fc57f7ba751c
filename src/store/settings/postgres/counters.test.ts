// What is PostgreSQL's own about counts: nodes share them, and a node without it counts by itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openSettingsDatabase } from '../../../../test/fakes/postgres/postgres-settings.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import { createSharedCounters } from './counters.ts'

const START_MS = Date.UTC(2026, 0, 31, 12)
const WINDOW = { group: 'token', name: 'one', limit: 60, windowMs: 60_000 }
const BUCKET = { group: 'email', name: 'ada@example.com', size: 5, everyMs: 60_000 }

async function openScene(context: TestContext) {
  const url = await openSettingsDatabase(context)
  const open = (): SqlDatabase => {
    const database = openPostgresDatabase({ url, name: 'settings store', lock: 1 })
    context.after(() => database.close())
    return database
  }
  const time = { now: START_MS, monotonic: 0 }
  const clock = { now: () => time.now, monotonic: () => time.monotonic }
  const pass = (ms: number): void => {
    time.now += ms
    time.monotonic += ms
  }
  const [database, other] = [open(), open()]
  const count = async (): Promise<number> =>
    Number((await database.first<{ n: number }>('SELECT COUNT(*) AS n FROM counters'))?.n)
  return { database, other, clock, time, pass, count }
}

test('nodes that count at once count together', async (context) => {
  const { database, other, clock } = await openScene(context)
  // Nobody counts alone, however slow this machine is now.
  const options = { clock, answerMsMax: 30_000 }
  const nodes = [database, other].map((each) =>
    createSharedCounters({ ...options, database: each }),
  )
  const [one, two] = nodes
  assert.ok(one && two)
  const taken = await Promise.all(
    Array.from({ length: 80 }, (_, at) => (at % 2 === 0 ? one : two).take(WINDOW)),
  )
  assert.equal(taken.filter(({ isAllowed }) => isAllowed).length, 60)
  const filled = await Promise.all(
    Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? one : two).fill([BUCKET])),
  )
  assert.equal(filled.filter((waitMs) => waitMs === 0).length, 5)
  await one.giveBack(BUCKET, 'one')
  assert.equal(await two.fill([BUCKET]), 0)
})

test('a node whose time is behind by milliseconds names no wait beyond the window', async (context) => {
  const { database, other, clock } = await openScene(context)
  const behind = { ...clock, now: () => clock.now() - 40 }
  const once = { ...WINDOW, limit: 1 }
  assert.ok((await createSharedCounters({ database, clock }).take(once)).isAllowed)
  const refused = await createSharedCounters({ database: other, clock: behind }).take(once)
  assert.deepEqual(refused, { isAllowed: false, count: 1, resetMs: 60_000 })
})

test('a clock that was set back locks nobody out', async (context) => {
  const { database, clock, time } = await openScene(context)
  const counters = createSharedCounters({ database, clock })
  for (let index = 0; index < 5; index += 1) await counters.fill([BUCKET])
  time.now -= 3_600_000
  assert.equal(await counters.fill([BUCKET]), 60_000)
})

test('while the database is away a node counts by itself, and with it again after', async (context) => {
  const { database, clock, pass } = await openScene(context)
  let isAway = false
  const failing: SqlDatabase = {
    ...database,
    first: (text, values) =>
      isAway ? Promise.reject(new Error('connection lost')) : database.first(text, values),
  }
  const [one, two] = [failing, database].map((each) =>
    createSharedCounters({ database: each, clock }),
  )
  assert.ok(one && two)
  const window = { ...WINDOW, limit: 2 }
  const isAllowed = async () => (await one.take(window)).isAllowed
  assert.deepEqual([await isAllowed(), await isAllowed(), await isAllowed()], [true, true, false])
  isAway = true
  assert.deepEqual([await isAllowed(), await isAllowed(), await isAllowed()], [true, true, false])
  isAway = false
  pass(60_000)
  assert.equal((await two.take(window)).count, 1)
  assert.equal((await one.take(window)).count, 2)
})

test('a database that does not answer delays a request by half a second at most', async (context) => {
  const { database, clock } = await openScene(context)
  const silent: SqlDatabase = { ...database, first: () => new Promise(() => {}) }
  const counters = createSharedCounters({ database: silent, clock })
  const startedAt = performance.now()
  assert.ok((await counters.take(WINDOW)).isAllowed)
  // From now on it is not even asked.
  for (let index = 0; index < 100; index += 1) await counters.take(WINDOW)
  assert.ok(performance.now() - startedAt < 5000)
  assert.equal((await counters.take(WINDOW)).isAllowed, false)
})

test('old counts are removed, and made-up names do not fill the disk', async (context) => {
  const { database, clock, pass, count } = await openScene(context)
  const counters = createSharedCounters({ database, clock, rowsMax: 10 })
  const fill = (index: number, everyMs: number) =>
    counters.fill([{ ...BUCKET, name: `${index}@example.com`, everyMs }])
  for (let index = 0; index < 15; index += 1) await fill(index, 1000)
  assert.equal(await count(), 15)
  pass(60_000)
  for (let index = 0; index < 30; index += 1) await fill(index, 600_000 + index)
  pass(60_000)
  await fill(0, 600_000)
  await until(async () => (await count()) <= 11)
  // Those that end last are kept.
  const { size, group } = BUCKET
  const last = { group, size, name: '29@example.com', everyMs: 600_029 }
  for (let index = 1; index < size; index += 1) assert.equal(await counters.fill([last]), 0)
  assert.notEqual(await counters.fill([last]), 0)
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 20_000
  while (!(await isSo())) assert.ok(performance.now() < endMs, 'it never came about')
}
