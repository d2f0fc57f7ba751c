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
    read: (dayMs: number, options: { isOver: boolean }) => {
      const day = new Date(dayMs).toISOString().slice(5, 10)
      asked.push(`${day} ${options.isOver ? 'over' : 'running'}`)
      return usage.usage.daySpend.read(dayMs, options)
    },
  }
  const store = { book: usage.book, usage: { ...usage.usage, daySpend } }
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
        signal: stop.signal,
      }),
    alerts: async () => (await usage.book.outbox.read(0, 1000)).alerts,
  }
}

const PAST = Array.from({ length: 28 }, (_, day) => day + 1)

test('a spike raises one alert for the key, the model and the dimension, with the figures', async (t) => {
  const scene = await openScene(t)
  const dims = { team: 'search' }
  await scene.add(...PAST.map((ago) => [ago, 20n, { dims }] as [number, bigint, object]))
  await scene.add([0, 60n, { dims }])
  assert.equal(await scene.check(), 0)
  await scene.add([0, 40n, { dims, model: 'model-2' }])
  assert.equal(await scene.check(), 2)
  const bodies = (await scene.alerts()).map(({ body }) => JSON.parse(body))
  assert.deepEqual(bodies[0], {
    type: 'spend.anomaly',
    timestamp: '2026-11-16T15:00:00.000Z',
    data: {
      subject: { kind: 'api_key', name: KEY },
      day: '2026-11-16',
      spent_usd: 100,
      usual_usd: 20,
      largest_usd: 20,
      days: 28,
    },
  })
  assert.deepEqual(bodies[1].data.subject, { kind: 'dim', name: 'team=search' })
  scene.time.nowMs += 3_600_000
  await scene.add([0, 40n, { dims }])
  assert.equal(await scene.check(), 1)
  assert.match((await scene.alerts()).at(-1)?.body ?? '', /"kind":"model","name":"north\/model-1"/)
  await scene.add([0, 400n, { dims }])
  assert.equal(await scene.check(), 0, 'once a day')
  const [first] = await scene.alerts()
  assert.deepEqual([first?.kind, first?.budgetId, first?.at], ['spend.anomaly', null, NOW])
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
