// What only happens where calls are in one database and what counts is said by another.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  batchOf,
  createRecord,
  findFaults,
  NOON,
  total,
} from '../../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import type { ClickhouseLocation } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { withUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { openPausingRelay } from '../../../../test/fakes/servers/pausing-relay.ts'
import type { Cleanups } from '../../../../test/fakes/servers/shared-server.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import { CountedMeanwhile } from '../../ledger/ledger-store.ts'
import { openPostgresLedger } from '../../ledger/postgres/store.ts'
import { ALL_REQUESTS } from '../request-log.ts'
import { CALL_COLUMNS, toCallRow } from './call-columns.ts'
import { openClickhouseRecords } from './open-records.ts'

const createPlace = createClickhousePlaces(after)
const clickhouseTest = (name: string, run: (t: TestContext) => Promise<void>): void =>
  void test(name, { skip: NEEDS_CLICKHOUSE }, run)

async function openPlace(t: TestContext) {
  const place = await createPlace()
  const store = await place.open()
  const calls = openClickhouse({ url: place.callsUrl })
  t.after(async () => {
    await calls.close()
    await store.close()
    await place.remove()
  })
  const countRows = async (): Promise<number> =>
    (await calls.all<{ rows: number }>('SELECT count() AS rows FROM calls'))[0]?.rows ?? 0
  const run = (sql: string) => withUsage(place.url, (database) => database.run(sql))
  /** The number that the next batch is to have. */
  const readReserved = async (): Promise<number> => {
    const text = 'SELECT MAX(first_batch) AS batch FROM hidden_batches'
    const row = await withUsage(place.url, (database) => database.first<{ batch: number }>(text))
    return row?.batch ?? 0
  }
  return { place, store, calls, countRows, run, readReserved }
}

/** Another node, whose questions to ClickHouse can be made to wait. */
async function openSlow(t: TestContext, { url, callsUrl }: ClickhouseLocation) {
  const relay = await openPausingRelay(t as Cleanups, callsUrl)
  const owner = { node: 'slow', journal: 'a' }
  const openRecords = openClickhouseRecords(relay.url)
  const slow = await openPostgresLedger({ url, owner, openRecords })
  t.after(() => slow.close())
  return { relay, slow }
}

clickhouseTest('a batch that the book rolled back never counts', async (t) => {
  const { store, countRows } = await openPlace(t)
  const used = { provider: 'north', name: 'response:r1', endedAt: NOON }
  const [first, second] = [createRecord(), createRecord()]
  await store.writeBatch({ ...batchOf(first), counted: [{ ...used, eventId: first.event.id }] })
  const again = { ...batchOf(second), counted: [{ ...used, eventId: second.event.id }] }
  await assert.rejects(store.writeBatch(again), CountedMeanwhile)
  assert.equal(await countRows(), 2)
  assert.equal(await store.usage.readRecord(second.event.id), null)
  assert.equal((await store.usage.requests.readExtent()).records, 1)
  assert.equal((await total(store))?.requests, 1)
  // The same calls, later and otherwise, count.
  await store.writeBatch(batchOf(second))
  assert.equal((await store.usage.requests.summarize(ALL_REQUESTS)).calls, 2)
  assert.deepEqual(await findFaults(store), [])
})

clickhouseTest('nodes that store the same calls at once count them once', async (t) => {
  const { place, store } = await openPlace(t)
  const { relay, slow } = await openSlow(t, place)
  const [both, own, other] = [createRecord(), createRecord(), createRecord()]
  const pause = relay.pauseAt('SELECT DISTINCT hex(id)')
  const stored = slow.writeBatch(batchOf(both, own))
  await Promise.race([pause.reached, stored])
  // It does not wait for the other, which looks for its calls without the lock.
  await store.writeBatch(batchOf(both, other))
  assert.equal((await total(store))?.requests, 2)
  pause.resume()
  await stored
  assert.equal((await total(store))?.requests, 3)
  assert.equal((await store.usage.requests.readExtent()).records, 3)
  assert.deepEqual(await findFaults(store), [])
})

clickhouseTest('rows that arrive after their number was given up never count', async (t) => {
  const { store, calls, readReserved } = await openPlace(t)
  await store.writeBatch(batchOf(createRecord()))
  const late = toCallRow(createRecord(), { batch: await readReserved(), sign: 1 })
  await calls.insert('calls', CALL_COLUMNS, [late])
  assert.equal((await store.usage.requests.readExtent()).records, 1)
  assert.deepEqual(await findFaults(store), [])
})

clickhouseTest('rows that never counted are removed in time, their numbers later', async (t) => {
  const { store, calls, countRows, run, readReserved } = await openPlace(t)
  await store.writeBatch(batchOf(createRecord()))
  const batch = await readReserved()
  await calls.insert('calls', CALL_COLUMNS, [toCallRow(createRecord(), { batch, sign: 1 })])
  await store.usage.upkeep.removeRecords(0, 10)
  assert.equal(await countRows(), 2)
  await run("UPDATE hidden_batches SET at = now() - interval '2 hours'")
  await store.usage.upkeep.removeRecords(0, 10)
  assert.equal(await countRows(), 1)
  await run("UPDATE hidden_batches SET at = now() - interval '40 days'")
  await store.usage.upkeep.removeRecords(0, 10)
  assert.equal(await run('DELETE FROM hidden_batches'), 0)
})

clickhouseTest('a book that was restored to an earlier moment gives no number twice', async (t) => {
  const { place, store, countRows, run, readReserved } = await openPlace(t)
  const now = Date.now()
  const recent = () => createRecord({ startedAt: now - 1000, endedAt: now })
  const [kept, lost] = [recent(), recent()]
  await store.writeBatch(batchOf(kept))
  const second = await readReserved()
  await store.writeBatch(batchOf(lost))
  // As the ledger database was before its second batch; the sums are rebuilt for the sake of the
  // test.
  await run(`UPDATE usage_state SET last_batch = ${second - 1}, epoch = 'of a server before';
    DELETE FROM hidden_batches`)
  const restored = await place.open()
  t.after(() => restored.close())
  await restored.usage.upkeep.rebuildRollups({ isTrial: false })
  assert.equal((await restored.usage.requests.readExtent()).records, 1)
  // The journal has it still.
  await restored.writeBatch(batchOf(lost))
  assert.equal(await countRows(), 3)
  assert.equal((await restored.usage.requests.readExtent()).records, 2)
  assert.deepEqual(await findFaults(restored), [])
})

clickhouseTest(
  'a changed cost takes the old row back and is one moment with its sums',
  async (t) => {
    const { store, calls, run } = await openPlace(t)
    const record = createRecord()
    await store.writeBatch(batchOf(record))
    const after = { amount: 5n, source: 'override', priceVersion: 'own' } as const
    const change = { id: record.event.id, before: record.cost, after }
    const line = { repricing: null, at: NOON, who: 'me', what: 'it', prices: [] }
    await store.usage.upkeep.changeCosts([change], line)
    // The one that the next batch has: steps of a repricing leave none behind.
    assert.equal(await run('SELECT 1 FROM hidden_batches'), 1)
    const rows = await calls.all<{ sign: number; cost: string }>(
      'SELECT sign, toString(cost_pico) AS cost FROM calls ORDER BY batch, sign',
    )
    assert.deepEqual(rows, [
      { sign: 1, cost: '1000' },
      { sign: -1, cost: '1000' },
      { sign: 1, cost: '5' },
    ])
    assert.deepEqual((await store.usage.readRecord(record.event.id))?.cost, after)
    assert.equal((await store.usage.requests.summarize(ALL_REQUESTS)).cost, 5n)
    assert.equal((await total(store))?.cost, 5n)
    const { records } = await store.usage.requests.list(
      { ...ALL_REQUESTS, source: 'price-book' },
      { before: null, rowsMax: 10 },
    )
    assert.deepEqual(records, [])
  },
)

clickhouseTest('costs are changed without keeping others from storing or changing', async (t) => {
  const { place, store } = await openPlace(t)
  const { relay, slow } = await openSlow(t, place)
  const [both, own] = [createRecord(), createRecord()]
  await store.writeBatch(batchOf(both, own))
  const line = { repricing: null, at: NOON, who: 'me', what: 'it', prices: [] }
  const toChange = ({ event, cost }: typeof both, amount: bigint) => {
    const after = { amount, source: 'override', priceVersion: 'own' } as const
    return { id: event.id, before: cost, after }
  }
  // Where it reads the costs that it is about to change.
  const pause = relay.pauseAt('id_hex')
  const changed = slow.usage.upkeep.changeCosts([toChange(both, 7n), toChange(own, 9n)], line)
  await Promise.race([pause.reached, changed])
  await store.writeBatch(batchOf(createRecord()))
  await store.usage.upkeep.changeCosts([toChange(both, 5n)], line)
  pause.resume()
  assert.equal((await changed).records, 1)
  assert.equal((await store.usage.readRecord(both.event.id))?.cost.amount, 5n)
  assert.equal((await total(store))?.cost, 1000n + 5n + 9n)
  assert.equal((await store.usage.requests.summarize(ALL_REQUESTS)).cost, 1014n)
  assert.deepEqual(await findFaults(store), [])
})
