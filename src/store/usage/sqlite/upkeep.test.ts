import assert from 'node:assert/strict'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { batchOf, findFaults, NOON } from '../../../../test/contracts/usage-scene.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'
import { copySqliteFile } from '../../sqlite/copy.ts'

const DAY_MS = 86_400_000
const TODAY = NOON - (NOON % DAY_MS)

async function createFile(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-upkeep-'))
  context.after(() => rm(directory, { recursive: true }))
  return join(directory, 'usage.db')
}

test('a store that removes as much as it takes does not grow', async (context) => {
  const file = await createFile(context)
  const store = await openSqliteLedger({ file })
  context.after(() => store.close())
  const keptDays = 3
  const sizes: number[] = []
  for (let day = 0; day < 12; day += 1) {
    const start = TODAY + day * DAY_MS
    const calls = Array.from({ length: 500 }, (_, at) => createCall(start + at * 1000))
    await store.writeBatch(batchOf(...calls))
    const limit = start - keptDays * DAY_MS
    while ((await store.usage.upkeep.removeRecords(limit, 200)) > 0);
    await copySqliteFile({ from: file, to: `${file}.${day}` })
    sizes.push((await stat(`${file}.${day}`)).size)
  }
  const full = sizes[keptDays + 1] as number
  // A copy has the size of the database, without the log beside it.
  assert.ok((sizes.at(-1) as number) <= full * 1.1, `${sizes.join(' ')}`)
})

test('a day is removed whole although a clock was set back by an hour', async (context) => {
  const file = await createFile(context)
  const store = await openSqliteLedger({ file })
  context.after(() => store.close())
  const jumped = createCall(TODAY + 1_800_000, { endedAt: TODAY - 1_800_000 + 1 })
  await store.writeBatch(batchOf(jumped))
  assert.equal(await store.usage.upkeep.removeRecords(TODAY, 10), 1)
})

test('a log that grew beside a long reader is given back to the disk', async (context) => {
  const file = await createFile(context)
  const store = await openSqliteLedger({ file })
  context.after(() => store.close())
  await store.writeBatch(batchOf(createCall(NOON)))
  const reader = new DatabaseSync(file, { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT COUNT(*) FROM records').get()
  const other = new DatabaseSync(file)
  other.exec('PRAGMA synchronous = OFF; CREATE TABLE large AS SELECT zeroblob(140000000)')
  other.close()
  const grown = (await stat(`${file}-wal`)).size
  reader.close()
  // The first writes a checkpoint, the second starts the log again.
  await store.writeBatch(batchOf(createCall(NOON)))
  await store.writeBatch(batchOf(createCall(NOON)))
  const kept = (await stat(`${file}-wal`)).size
  assert.ok(grown > 140_000_000 && kept <= 134_217_728, `${grown} bytes, then ${kept}`)
})

test('records are removed by whole days only', async (context) => {
  const store = await openSqliteLedger({ file: await createFile(context) })
  context.after(() => store.close())
  await assert.rejects(store.usage.upkeep.removeRecords(NOON, 10), /whole days/)
})

test('a rollup that is not the sum of its records is a fault', async (context) => {
  const file = await createFile(context)
  const store = await openSqliteLedger({ file })
  context.after(() => store.close())
  const calls = [createCall(NOON), createCall(NOON + DAY_MS), createCall(NOON - 30 * DAY_MS)]
  // Ended on a day that is looked at, begun long before all of them.
  const long = createCall(NOON - 100 * DAY_MS, { endedAt: NOON })
  await store.writeBatch(batchOf(...calls, long))
  assert.deepEqual(await findFaults(store), [])
  const database = new DatabaseSync(file)
  database.exec('UPDATE total_rollup SET requests = 7 WHERE period = 20261015')
  database.close()
  assert.deepEqual(
    await findFaults(store),
    ['all keys', 'key svc_k_aaaaaaaaaaaaaaaa'].map(
      (key) =>
        `2026-10-15, ${key}, provider north: 2 requests in the records; 7 requests in the rollups`,
    ),
  )
})

for (const [title, sql] of [
  ['tells of very many calls', 'UPDATE total_rollup SET requests = 1000000'],
  ['is gone', 'DELETE FROM total_rollup'],
  ['of the newest day is gone', 'DELETE FROM total_rollup WHERE period = 20261016'],
] as const) {
  test(`a rollup that ${title} is a fault`, async (context) => {
    const file = await createFile(context)
    const store = await openSqliteLedger({ file })
    context.after(() => store.close())
    await store.writeBatch(batchOf(createCall(NOON), createCall(NOON + DAY_MS)))
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
    assert.match((await findFaults(store)).at(-1) ?? '', /2026-10-16.* 1 requests.* in the records/)
  })
}

test('a damaged file is a fault with its remedy', async (context) => {
  const file = await createFile(context)
  const store = await openSqliteLedger({ file })
  await store.writeBatch(batchOf(...Array.from({ length: 2000 }, (_, at) => createCall(NOON + at))))
  await store.close()
  const pageBytes = 4096
  const { size } = await stat(file)
  const handle = await open(file, 'r+')
  // Where calls are: the tables that are read at the start come before.
  for (let page = 60; page < size / pageBytes; page += 3) {
    await handle.write(Buffer.alloc(64, 0x5a), 0, 64, page * pageBytes)
  }
  await handle.close()
  const damaged = await openSqliteLedger({ file })
  const faults = await findFaults(damaged)
  await damaged.close()
  assert.ok(faults.length >= 1 && faults.length <= 5)
  assert.match(faults[0] ?? '', /the file is damaged: .+\. Put the last backup in its place\.$/)
})
