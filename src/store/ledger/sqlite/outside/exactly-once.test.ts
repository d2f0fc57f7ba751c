// What only happens where calls are in one database and what counts is said by a SQLite file, which
// several processes write to.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue } from 'node:sqlite'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { batchOf, createRecord, NOON, total } from '../../../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createSqliteBookPlaces } from '../../../../../test/fakes/clickhouse/usage-place.ts'
import { WeirError } from '../../../../core/weir-error.ts'
import { openClickhouse } from '../../../clickhouse/database.ts'
import { openClickhouseRecords } from '../../../usage/clickhouse/open-records.ts'
import { CALL_COLUMNS, toCallRow } from '../../../usage/clickhouse/call-columns.ts'
import { ALL_REQUESTS } from '../../../usage/request-log.ts'
import { openSqliteLedger } from '../store.ts'

const createPlace = createSqliteBookPlaces(after)
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
  function run(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    const database = new DatabaseSync(place.file, { timeout: 10_000 })
    try {
      return database.prepare(sql).all(...values)
    } finally {
      database.close()
    }
  }
  return { place, store, calls, countRows, run }
}

const LINE = { repricing: null, at: NOON, who: 'me', what: 'it', prices: [] }

clickhouseTest('a batch whose transaction fails never counts, and the next one does', async (t) => {
  const { store, countRows, run } = await openPlace(t)
  run(`CREATE TRIGGER fail BEFORE INSERT ON cursors BEGIN SELECT RAISE(ABORT, 'no'); END`)
  const cursor = { worker: 'w1', segment: 1, offset: 10, sequence: 1, forwarded: 1 }
  const record = createRecord()
  await assert.rejects(store.writeBatch({ ...batchOf(record), cursors: [cursor] }))
  assert.equal(await countRows(), 1)
  assert.equal((await store.usage.requests.readExtent()).records, 0)
  assert.equal(await total(store), undefined)
  run('DROP TRIGGER fail')
  await store.writeBatch({ ...batchOf(record), cursors: [cursor] })
  assert.equal(await countRows(), 2)
  assert.equal((await store.usage.requests.readExtent()).records, 1)
  assert.deepEqual(await store.usage.upkeep.findFaults(), [])
})

clickhouseTest('rows under a number that was given up never count, and are removed', async (t) => {
  const { store, calls, countRows, run } = await openPlace(t)
  await store.writeBatch(batchOf(createRecord()))
  run('INSERT INTO hidden_batches VALUES (7, 7, unixepoch())')
  run('UPDATE tally SET last_batch = 7')
  await calls.insert('calls', CALL_COLUMNS, [toCallRow(createRecord(), { batch: 7, sign: 1 })])
  assert.equal((await store.usage.requests.readExtent()).records, 1)
  assert.deepEqual(await store.usage.upkeep.findFaults(), [])
  await store.usage.upkeep.removeRecords(0, 10)
  assert.equal(await countRows(), 2)
  run('UPDATE hidden_batches SET at = unixepoch() - 7200')
  await store.usage.upkeep.removeRecords(0, 10)
  assert.equal(await countRows(), 1)
  run('UPDATE hidden_batches SET at = unixepoch() - 40 * 86400')
  await store.usage.upkeep.removeRecords(0, 10)
  assert.deepEqual(run('SELECT * FROM hidden_batches'), [])
})

clickhouseTest('calls and changed costs of two processes count once each', async (t) => {
  const { place, store } = await openPlace(t)
  const beside = await place.open()
  t.after(() => beside.close())
  const old = Array.from({ length: 6 }, () => createRecord())
  await store.writeBatch(batchOf(...old))
  const added = Array.from({ length: 6 }, () => createRecord())
  const cost = { amount: 5n, source: 'override', priceVersion: 'own' } as const
  const writing = (async () => {
    for (const record of added) await store.writeBatch(batchOf(record, ...old))
  })()
  const changing = (async () => {
    for (const { event, cost: before } of old) {
      await beside.usage.upkeep.changeCosts([{ id: event.id, before, after: cost }], LINE)
    }
  })()
  await Promise.all([writing, changing])
  assert.equal((await store.usage.requests.readExtent()).records, 12)
  assert.equal((await store.usage.requests.summarize(ALL_REQUESTS)).cost, 6_030n)
  const sum = await total(store)
  assert.deepEqual([sum?.requests, sum?.cost], [12, 6_030n])
  assert.deepEqual(await beside.usage.upkeep.findFaults(), [])
})

clickhouseTest('a book that was restored to an earlier moment gives no number twice', async (t) => {
  const { place, store, countRows, run } = await openPlace(t)
  const now = Date.now()
  const recent = () => createRecord({ startedAt: now - 1000, endedAt: now })
  const [kept, lost] = [recent(), recent()]
  await store.writeBatch(batchOf(kept))
  const [before] = run('SELECT last_batch, counted_batches FROM tally')
  await store.writeBatch(batchOf(lost))
  // As the book was before its second batch; the sums are rebuilt for the sake of the test.
  run(
    'UPDATE tally SET last_batch = ?, counted_batches = ?',
    before?.['last_batch'] as number,
    before?.['counted_batches'] as number,
  )
  const restored = await place.open()
  t.after(() => restored.close())
  await restored.usage.upkeep.rebuildRollups({ isTrial: false })
  assert.equal((await restored.usage.requests.readExtent()).records, 1)
  // The journal has it still.
  await restored.writeBatch(batchOf(lost))
  assert.equal(await countRows(), 3)
  assert.equal((await restored.usage.requests.readExtent()).records, 2)
  assert.deepEqual(await restored.usage.upkeep.findFaults(), [])
})

clickhouseTest(
  'answers of a reader are of one moment, whatever is written meanwhile',
  async (t) => {
    const { place, store } = await openPlace(t)
    await store.writeBatch(batchOf(createRecord()))
    const openRecords = openClickhouseRecords(place.callsUrl)
    const reader = await openSqliteLedger({ file: place.file, readOnly: true, openRecords })
    t.after(() => reader.close())
    let isWriting = true
    const writing = (async () => {
      for (let batches = 0; batches < 10; batches += 1)
        await store.writeBatch(batchOf(createRecord()))
      isWriting = false
    })()
    while (isWriting) assert.deepEqual(await reader.usage.upkeep.findFaults(), [])
    await writing
    assert.equal((await reader.usage.requests.readExtent()).records, 11)
    await assert.rejects(reader.writeBatch(batchOf(createRecord())), /open for reading only/)
  },
)

clickhouseTest('a book is opened only with the place where its calls are', async (t) => {
  const { place, store } = await openPlace(t)
  await store.writeBatch(batchOf(createRecord()))
  await assert.rejects(
    openSqliteLedger({ file: place.file }),
    (error: unknown) => error instanceof WeirError && /Set usage\.url/.test(error.hint ?? ''),
  )
  const book = await openSqliteLedger({ file: place.file, isBookOnly: true })
  assert.deepEqual((await book.book.readState()).cursors, [])
  await book.close()
  const file = `${place.file}.own`
  const own = await openSqliteLedger({ file })
  await own.writeBatch(batchOf(createRecord()))
  await own.close()
  await assert.rejects(
    openSqliteLedger({ file, openRecords: openClickhouseRecords(place.callsUrl) }),
    (error: unknown) => error instanceof WeirError && /Unset usage\.url/.test(error.hint ?? ''),
  )
})

test('the book opens and tells its sums where the calls do not answer', async (t) => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const directory = mkdtempSync(join(tmpdir(), 'weir-silent-'))
  const openRecords = openClickhouseRecords(`clickhouse://weir@127.0.0.1:${port}/weir`)
  const store = await openSqliteLedger({ file: join(directory, 'usage.db'), openRecords })
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    silent.close()
    await store.close()
    rmSync(directory, { recursive: true })
  })
  assert.equal(sockets.length, 1)
  assert.equal(await total(store), undefined)
  const cursor = { worker: 'w1', segment: 1, offset: 10, sequence: 1, forwarded: 1 }
  await store.writeBatch({ ...batchOf(), cursors: [cursor] })
  assert.deepEqual((await store.book.readState()).cursors, [cursor])
})
