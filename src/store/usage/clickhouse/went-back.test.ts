// The ledger database is of an earlier moment than the calls in ClickHouse: a failover to a replica
// of PostgreSQL that lacks the last commits, or a restore, under stores that go on.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  ask,
  batchOf,
  createRecord,
  labels,
  total,
} from '../../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { openTestClickhouse } from '../../../../test/fakes/clickhouse/test-clickhouse.ts'
import { toCallsUrl } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { openPastServer } from '../../../../test/fakes/postgres/past-server.ts'
import { migrateUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { writePatiently } from '../../../../test/fakes/postgres/write-patiently.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import { migrateClickhouse } from '../../clickhouse/schema.ts'
import type { LedgerStore } from '../../ledger/ledger-store.ts'
import { openPostgresLedger } from '../../ledger/postgres/store.ts'
import { openClickhouseRecords } from './open-records.ts'

async function openScene(context: TestContext) {
  const server = await openPastServer(context)
  await migrateUsage(server.url)
  const callsUrl = toCallsUrl(await openTestClickhouse(context))
  const calls = openClickhouse({ url: callsUrl })
  await migrateClickhouse(calls, callsUrl)
  await calls.close()
  const open = async (node: string): Promise<LedgerStore> => {
    const openRecords = openClickhouseRecords(callsUrl)
    const owner = { node, journal: 'a' }
    const store = await openPostgresLedger({ url: server.url, owner, openRecords })
    context.after(() => store.close())
    return store
  }
  return { server, one: await open('1'), two: await open('2') }
}

const now = Date.now()
const call = (model: string) => createRecord({ model, startedAt: now - 1000, endedAt: now })
const month = new Date(now).toISOString().slice(0, 7)
const period = { grain: 'month', from: month, to: month } as const

test(
  'records and sums agree after the book went back behind its calls',
  { skip: NEEDS_CLICKHOUSE },
  async (context) => {
    const { server, one, two } = await openScene(context)
    await writePatiently(one, batchOf(call('model-1')))
    await writePatiently(two, batchOf(call('model-1')))
    await server.save()
    await writePatiently(two, batchOf(call('model-1')))
    const lost = [call('model-2'), call('model-3')]
    for (const record of lost) await writePatiently(one, batchOf(record))
    await server.goBack()
    // The second node has lost one call for good; it gets numbers that the first had before.
    for (const model of ['model-4', 'model-5', 'model-4']) {
      await writePatiently(two, batchOf(call(model)))
    }
    await writePatiently(one, batchOf(...lost))
    for (const store of [one, two]) {
      assert.equal((await store.usage.requests.readExtent()).records, 7)
      assert.equal((await total(store, period))?.requests, 7)
      assert.deepEqual(labels(await ask(store, { by: 'model' }, { period })), [
        ['model-1', 2000n],
        ['model-2', 1000n],
        ['model-3', 1000n],
        ['model-4', 2000n],
        ['model-5', 1000n],
      ])
      const report = await store.usage.upkeep.rebuildRollups({ isTrial: true })
      assert.deepEqual(report.examples, [])
    }
  },
)
