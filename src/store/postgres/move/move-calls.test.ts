// Cuts in the midst of a move of calls into ClickHouse.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { batchOf, NOON } from '../../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import { createPostgresCallsBook } from '../../ledger/postgres/calls-book.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'
import { openPostgresDatabase } from '../database.ts'
import { LOCKS } from '../locks.ts'
import { createSqliteSource } from './call-source.ts'
import type { CallSource } from './call-source.ts'
import {
  createCallsMover,
  makeMovedBuckets,
  requireOwnCalls,
  requireSameCalls,
} from './move-calls.ts'

const createPlace = createClickhousePlaces(after)
const CALLS = 5
const HOUR_MS = 3_600_000
const ALL = { beforeMs: Infinity }

async function openScene(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-move-calls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'usage.db')
  const store = await openSqliteLedger({ file })
  const calls = Array.from({ length: CALLS }, (_, at) => createCall(NOON - at * HOUR_MS))
  await store.writeBatch(batchOf(...calls))
  await store.close()
  const sqlite = new DatabaseSync(file, { readOnly: true })
  const place = await createPlace()
  const database = openPostgresDatabase({ url: place.url, name: 'book', lock: LOCKS.usage })
  const clickhouse = openClickhouse({ url: place.callsUrl })
  t.after(async () => {
    sqlite.close()
    await Promise.all([clickhouse.close(), database.close()])
    await place.remove()
  })
  await makeMovedBuckets(database)
  const target = { calls: clickhouse, database, book: createPostgresCallsBook(database) }
  const countRows = async (): Promise<number> =>
    (await clickhouse.all<{ found: number }>('SELECT count() AS found FROM calls'))[0]?.found ?? 0
  return { source: createSqliteSource(sqlite), target, countRows }
}

/** As if the process ended: after the calls were sent, or before all were. */
function cutAfter(source: CallSource, place: 'first page' | 'last page'): CallSource {
  return {
    ...source,
    async copy(buckets, send) {
      await source.copy(buckets, async (records) => {
        await send(records)
        if (place === 'first page') throw new Error('cut')
      })
      throw new Error('cut')
    },
  }
}

for (const place of ['first page', 'last page'] as const) {
  test(
    `calls that were sent before a cut after the ${place} are copied again and count once`,
    { skip: NEEDS_CLICKHOUSE },
    async (t) => {
      const { source, target, countRows } = await openScene(t)
      const move = createCallsMover(cutAfter(source, place), target, { insertRows: 1 })
      await assert.rejects(move(ALL), /cut/)
      const cut = await countRows()
      assert.equal(cut, place === 'first page' ? 1 : CALLS)
      await assert.rejects(requireSameCalls(source, target), /there no calls/)
      await requireOwnCalls(target)
      assert.equal(await createCallsMover(source, target)(ALL), CALLS)
      assert.equal(await countRows(), cut + CALLS)
      await requireSameCalls(source, target)
      // What is there already is not copied again.
      assert.equal(await createCallsMover(source, target)(ALL), 0)
      await requireOwnCalls(target)
    },
  )
}

test('what was moved must be there in the next run', { skip: NEEDS_CLICKHOUSE }, async (t) => {
  const { source, target } = await openScene(t)
  await createCallsMover(source, target)({ beforeMs: NOON - HOUR_MS })
  await target.calls.run('TRUNCATE TABLE calls')
  await assert.rejects(requireOwnCalls(target), /has 0 of the 3 calls that were moved before/)
})
