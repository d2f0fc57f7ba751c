// Days of spend in the real store, and what is said about today's.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { batchOf, createRecord } from '../../test/contracts/usage-scene.ts'
import { createRequestId } from '../core/ids.ts'
import type { UsageEvent } from '../core/usage-event.ts'
import { openSqliteLedger } from '../store/ledger/sqlite/store.ts'
import { ALERTS_A_DAY_MAX, checkAnomalies } from './anomaly-check.ts'

const USD = 10n ** 12n
const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-16T15:00:00Z')
const KEY = 'svc_k_aaaaaaaaaaaaaaaa'
const OTHER_KEY = 'svc_k_bbbbbbbbbbbbbbbb'

async function openScene(context: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'weir-anomalies-'))
  const usage = await openSqliteLedger({ file: join(directory, 'usage.db') })
  context.after(async () => {
    await usage.close()
    await rm(directory, { recursive: true })
  })
  const time = { nowMs: NOW }
  const asked: string[] = []
  const daySpend = {
    ...usage.usage.daySpend,
    read: (dayMs: number, options: { isOver: boolean }) => {
      const day = new Date(dayMs).toISOString().slice(5, 10)
      asked.push(`${day} ${options.isOver ? 'over' : 'running'}`)
      return usage.usage.daySpend.read(dayMs, options)
    },
  }
  const store = { progress: usage.progress, usage: { ...usage.usage, daySpend } }
  const stop = new AbortController()
  const toCall = (daysAgo: number, usd: bigint, changes: Partial<UsageEvent>) => {
    const endedAt = NOW - daysAgo * DAY_MS
    return createRecord(
      { id: createRequestId(endedAt), endedAt, ...changes },
      { amount: usd * USD },
    )
  }
  return {
    time,
    asked,
    stop,
    add: (...calls: Parameters<typeof toCall>[]) =>
      usage.writeBatch(batchOf(...calls.map((call) => toCall(...call)))),
    check: () =>
      checkAnomalies({
        store,
        clock: { now: () => time.nowMs },
        floor: 10n * USD,
        consoleUrl: 'https://weir.example.com',
        signal: stop.signal,
      }),
    outbox: usage.progress.outbox,
    bodies: async () => {
      const { alerts } = await usage.progress.outbox.read(0, 1000)
      return alerts.toSorted((one, other) => one.at - other.at).map(({ body }) => JSON.parse(body))
    },
    alerts: async () => (await usage.progress.outbox.read(0, 1000)).alerts,
  }
}

const PAST = Array.from({ length: 28 }, (_, day) => day + 1)

type Call = [daysAgo: number, usd: bigint, changes: Partial<UsageEvent>]

test('a spike of key, dimension and model is one alert, and grows with what joins it', async (t) => {
  const scene = await openScene(t)
  const dims = { team: 'search' }
  await scene.add(...PAST.map((ago): Call => [ago, 20n, { dims }]))
  await scene.add([0, 60n, { dims }])
  assert.equal(await scene.check(), 0)
  await scene.add([0, 40n, { dims, model: 'model-2' }])
  assert.equal(await scene.check(), 1)
  const key = { kind: 'api_key', name: KEY }
  const team = { kind: 'dim', name: 'team=search' }
  assert.deepEqual(await scene.bodies(), [
    {
      type: 'spend.anomaly',
      timestamp: '2026-11-16T15:00:00.000Z',
      data: {
        subject: key,
        day: '2026-11-16',
        spent_usd: 100,
        usual_usd: 20,
        largest_usd: 20,
        days: 28,
        subjects: [key, team],
        first_day: '2026-11-16',
        excess_usd: 80,
        jumps: [{ day: '2026-11-16', spent_usd: 100, usual_usd: 20 }],
        calls_url: `https://weir.example.com/requests?api_key=${KEY}&from=2026-11-16&to=2026-11-17&sort=cost`,
      },
    },
  ])
  const [first] = await scene.alerts()
  scene.time.nowMs += 3_600_000
  await scene.add([0, 40n, { dims }])
  assert.equal(await scene.check(), 0, 'no alert of its own')
  const [grown] = await scene.bodies()
  assert.deepEqual(grown.data.subjects, [key, team, { kind: 'model', name: 'north/model-1' }])
  assert.deepEqual([grown.data.spent_usd, grown.data.excess_usd], [140, 120])
  const { place } = await scene.outbox.read(0, 10)
  assert.equal(await scene.check(), 0)
  assert.deepEqual((await scene.outbox.read(place, 10)).alerts, [], 'nothing new, nothing revised')
  const [last] = await scene.alerts()
  assert.deepEqual([last?.id, last?.kind, last?.at], [first?.id, 'spend.anomaly', NOW])
})

test('two keys that jump on one day are two incidents, though they share a model', async (t) => {
  const scene = await openScene(t)
  const [one, other] = [{ dims: { team: 'a' } }, { keyId: OTHER_KEY, dims: { team: 'b' } }]
  await scene.add(
    ...PAST.flatMap((ago): Call[] => [
      [ago, 20n, one],
      [ago, 20n, other],
    ]),
  )
  await scene.add([0, 200n, one], [0, 120n, other])
  assert.equal(await scene.check(), 2)
  const model = { kind: 'model', name: 'north/model-1' }
  const subjects = (await scene.bodies()).map(({ data }) => data.subjects)
  assert.deepEqual(subjects, [
    [{ kind: 'api_key', name: KEY }, { kind: 'dim', name: 'team=a' }, model],
    [{ kind: 'api_key', name: OTHER_KEY }, { kind: 'dim', name: 'team=b' }, model],
  ])
  // The next day the second alone goes on: it does not move to the first one's incident.
  scene.time.nowMs += DAY_MS
  await scene.add([-1, 300n, other])
  assert.equal(await scene.check(), 0)
  const days = (await scene.bodies()).map(({ data }) => [data.subject.name, data.jumps.length])
  assert.deepEqual(days, [
    [KEY, 1],
    [OTHER_KEY, 2],
  ])
})

test('a job that runs on is one incident until a full day without a jump, and then another', async (t) => {
  const scene = await openScene(t)
  await scene.add(...PAST.map((ago): Call => [ago, 20n, {}]))
  const spendOn = async (day: number, usd: bigint): Promise<number> => {
    scene.time.nowMs = NOW + day * DAY_MS
    await scene.add([-day, usd, {}])
    return scene.check()
  }
  assert.equal(await spendOn(0, 200n), 1)
  // Less than the day before, and still far from usual.
  assert.equal(await spendOn(1, 150n), 0)
  assert.equal(await spendOn(2, 180n), 0)
  const [{ data }] = await scene.bodies()
  assert.deepEqual([data.first_day, data.day, data.largest_usd], ['2026-11-16', '2026-11-18', 20])
  assert.equal(data.excess_usd, 180 + 130 + 160)
  assert.equal(await spendOn(3, 20n), 0)
  assert.equal(await spendOn(4, 500n), 1, 'the day before had none')
  assert.equal((await scene.alerts()).length, 2)
})

test('spend that stays high is the usual after two weeks', async (t) => {
  const scene = await openScene(t)
  await scene.add(...PAST.map((ago): Call => [ago, 20n, {}]))
  const raised: number[] = []
  for (let day = 0; day < 25; day += 1) {
    scene.time.nowMs = NOW + day * DAY_MS
    await scene.add([-day, 200n, {}])
    raised.push(await scene.check())
  }
  assert.deepEqual(raised, [1, ...Array.from({ length: 24 }, () => 0)])
  const [{ data }] = await scene.bodies()
  assert.deepEqual([data.first_day, data.day], ['2026-11-16', '2026-11-30'])
})

test('days before are read only when a spender spent enough today, and as over when they are settled', async (t) => {
  const scene = await openScene(t)
  await scene.add([0, 9n, {}], [1, 9n, {}])
  await scene.check()
  assert.deepEqual(scene.asked, ['11-15 over', '11-16 running'])
  await scene.add([0, 1n, {}])
  scene.asked.length = 0
  scene.time.nowMs = Date.parse('2026-11-17T00:59:59Z')
  await scene.check()
  assert.deepEqual(scene.asked, ['11-16 running', '11-17 running'])
  scene.asked.length = 0
  scene.time.nowMs = Date.parse('2026-11-16T23:00:00Z')
  await scene.check()
  assert.equal(scene.asked.length, 30)
  assert.deepEqual([scene.asked[2], scene.asked[29]], ['10-19 over', '11-15 over'])
})

test('a general surge raises no more than the most expensive of a day, over restarts too', async (t) => {
  const scene = await openScene(t)
  const teams = Array.from({ length: 30 }, (_, index) => ({
    keyId: null,
    model: null,
    dims: { team: `t${index}` },
  }))
  for (const ago of PAST) {
    await scene.add(...teams.map((team) => [ago, 1n, team] as [number, bigint, object]))
  }
  const surge = teams.map(
    (team, index) => [0, BigInt(20 + index), team] as [number, bigint, object],
  )
  await scene.add(...surge.slice(0, 15))
  assert.equal(await scene.check(), 15)
  await scene.add(...surge.slice(15))
  assert.equal(await scene.check(), ALERTS_A_DAY_MAX - 15)
  assert.equal(await scene.check(), 0)
  const names = (await scene.alerts()).map(({ body }) => JSON.parse(body).data.subject.name)
  assert.deepEqual(
    names.slice(15),
    [29, 28, 27, 26, 25].map((index) => `team=t${index}`),
  )
})

test('ends between two days when it is asked to', async (t) => {
  const scene = await openScene(t)
  await scene.add([0, 50n, {}])
  scene.stop.abort()
  assert.equal(await scene.check(), 0)
  assert.equal(scene.asked.length, 2)
})
