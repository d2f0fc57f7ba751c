import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { batchOf, everyAnswer, NOON } from '../../../../test/contracts/usage-scene.ts'
import { createPostgresPlaces, withUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import type { LedgerStore } from '../../ledger/ledger-store.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { removeWithMonths } from './old-months.ts'

const DAY_MS = 86_400_000
const OCTOBER_MS = Date.parse('2026-10-01T00:00:00Z')
const createPlace = createPostgresPlaces(after)

async function withDatabase(
  url: string,
  work: (database: PostgresDatabase) => Promise<number>,
): Promise<number> {
  const database = openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

interface Scene {
  readonly url: string
  readonly store: LedgerStore
  /** Tables of records by month, and those that are on their way out. */
  readonly tables: () => Promise<readonly string[]>
}

/** Two calls in September, one in October. */
function retentionTest(title: string, run: (scene: Scene) => Promise<void>): void {
  test(title, async () => {
    const place = await createPlace()
    const { url } = place
    const store = await place.open()
    const calls = [-20, -10, 10].map((days) => createCall(OCTOBER_MS + days * DAY_MS))
    await store.writeBatch(batchOf(...calls))
    const tables = async (): Promise<readonly string[]> => {
      const rows = await withUsage(url, (database) =>
        database.all<{ name: string }>(
          `SELECT relname AS name FROM pg_class WHERE relkind = 'r'
            AND (relname ~ '^removed_' OR relname IN ('records_202609', 'records_202610'))
            ORDER BY relname`,
        ),
      )
      return rows.map(({ name }) => name)
    }
    await run({ url, store, tables })
    await store.close()
    await place.remove()
  })
}

retentionTest('a month that is over goes whole, and its sums stay', async ({ store, tables }) => {
  const before = await everyAnswer(store)
  assert.equal(await store.usage.upkeep.removeRecords(OCTOBER_MS, 1), 2)
  assert.deepEqual(await tables(), ['records_202610'])
  assert.deepEqual(await everyAnswer(store), before)
  assert.equal((await store.usage.requests.readExtent()).records, 1)
  assert.equal(await store.usage.upkeep.removeRecords(OCTOBER_MS, 1), 0)
  const report = await store.usage.upkeep.rebuildRollups({ isTrial: true })
  assert.deepEqual([report.rowsChanged, report.rebuiltFrom], [0, '2026-10-01'])
})

retentionTest('calls of a month that is gone find a place when they come late', async (scene) => {
  const { store, tables } = scene
  await store.usage.upkeep.removeRecords(OCTOBER_MS, 1)
  const late = createCall(OCTOBER_MS - DAY_MS)
  await store.writeBatch(batchOf(late))
  assert.deepEqual(await store.usage.readRecord(late.event.id), late)
  assert.equal(await store.usage.upkeep.removeRecords(OCTOBER_MS, 1), 1)
  assert.deepEqual(await tables(), ['records_202610'])
})

retentionTest('a month stays while a call of it has ended later', async ({ store, tables }) => {
  const long = createCall(OCTOBER_MS - DAY_MS, { endedAt: OCTOBER_MS + DAY_MS })
  const short = createCall(OCTOBER_MS - 500)
  await store.writeBatch(batchOf(long, short))
  assert.equal(await store.usage.upkeep.removeRecords(OCTOBER_MS, 100), 2)
  assert.deepEqual(await tables(), ['records_202609', 'records_202610'])
  assert.deepEqual(await store.usage.readRecord(long.event.id), long)
  assert.equal(await store.usage.upkeep.removeRecords(OCTOBER_MS + 2 * DAY_MS, 100), 2)
  assert.deepEqual(await tables(), ['records_202610'])
})

retentionTest('a table that is read right now goes the next time', async (scene) => {
  const { url, store, tables } = scene
  const reader = new pg.Client(url)
  await reader.connect()
  await reader.query('BEGIN; SELECT COUNT(*) FROM records')
  assert.equal(await store.usage.upkeep.removeRecords(OCTOBER_MS, 100), 0)
  assert.deepEqual(await tables(), ['records_202609', 'records_202610'])
  await reader.end()
  assert.equal(await store.usage.upkeep.removeRecords(OCTOBER_MS, 100), 2)
  assert.deepEqual(await tables(), ['records_202610'])
})

retentionTest(
  'a batch that is being written and the removal do not block each other',
  async (scene) => {
    const { url, tables } = scene
    const writer = new pg.Client(url)
    await writer.connect()
    // As a batch does: records first, the store's lock then.
    await writer.query('BEGIN; LOCK TABLE records IN ROW EXCLUSIVE MODE')
    const removal = withDatabase(url, (database) =>
      removeWithMonths(database, OCTOBER_MS, { rowsMax: 1, lockMsMax: 60_000 }),
    )
    const isWaiting = "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted"
    while ((await writer.query(isWaiting)).rows.length === 0);
    await writer.query(`SELECT pg_advisory_xact_lock(${LOCKS.usage}); COMMIT`)
    assert.equal(await removal, 2)
    await writer.end()
    assert.deepEqual(await tables(), ['records_202610'])
  },
)

retentionTest('what a removal left in its midst is counted and dropped later', async (scene) => {
  const { url, store, tables } = scene
  await withUsage(url, (database) =>
    database.run(`ALTER TABLE records DETACH PARTITION records_202609;
      ALTER TABLE records_202609 RENAME TO removed_7`),
  )
  assert.equal(await store.usage.upkeep.removeRecords(OCTOBER_MS, 100), 2)
  assert.deepEqual(await tables(), ['records_202610'])
  assert.equal((await store.usage.requests.readExtent()).records, 1)
})

retentionTest('the days of a month that is cut go row by row', async ({ store, tables }) => {
  assert.equal(await store.usage.upkeep.removeRecords(OCTOBER_MS - 15 * DAY_MS, 100), 1)
  assert.deepEqual(await tables(), ['records_202609', 'records_202610'])
  assert.equal((await store.usage.requests.readExtent()).records, 2)
})

retentionTest('records are removed by whole days only', async ({ store }) => {
  await assert.rejects(store.usage.upkeep.removeRecords(NOON, 10), /whole days/)
})
