// Cuts in the midst of a move of calls into ClickHouse.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { batchOf, NOON } from '../../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'
import { createSqliteDatabase } from '../../sqlite/database.ts'
import { SqliteFile } from '../../sqlite/file.ts'
import { openPostgresDatabase } from '../database.ts'
import { LOCKS } from '../locks.ts'
import { createCallSource } from './call-source.ts'
import type { CallSource } from './call-source.ts'
import { createClickhouseTarget } from './clickhouse-target.ts'
import { copyCalls, requireSameCalls } from './copy-calls.ts'

const createPlace = createClickhousePlaces(after)
const CALLS = 5
const HOUR_MS = 3_600_000
const ALL = { nowMs: null }

async function openScene(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-move-calls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'usage.db')
  const store = await openSqliteLedger({ file })
  const calls = Array.from({ length: CALLS }, (_, at) => createCall(NOON - at * HOUR_MS))
  await store.writeBatch(batchOf(...calls))
  await store.close()
  const sqlite = new SqliteFile({
    file,
    name: 'usage.db',
    migrations: [],
    busyTimeoutMs: 1000,
    readOnly: true,
  })
  const place = await createPlace()
  const database = openPostgresDatabase({ url: place.url, name: 'book', lock: LOCKS.usage })
  const clickhouse = openClickhouse({ url: place.callsUrl })
  t.after(async () => {
    sqlite.close()
    await Promise.all([clickhouse.close(), database.close()])
    await place.remove()
  })
  const { callsUrl } = place
  const fixed = { calls: clickhouse, callsUrl, database, isBookEmpty: false }
  const openTarget = (insertRows?: number) =>
    createClickhouseTarget({ ...fixed, ...(insertRows === undefined ? {} : { insertRows }) })
  await openTarget().prepare()
  const countRows = async (): Promise<number> =>
    (await clickhouse.all<{ found: number }>('SELECT count() AS found FROM calls'))[0]?.found ?? 0
  const source = createCallSource(createSqliteDatabase(sqlite), 'sqlite')
  return { source, openTarget, clickhouse, countRows }
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
      const { source, openTarget, countRows } = await openScene(t)
      await assert.rejects(copyCalls(cutAfter(source, place), openTarget(1), ALL), /cut/)
      const cut = await countRows()
      assert.equal(cut, place === 'first page' ? 1 : CALLS)
      const target = openTarget()
      await assert.rejects(requireSameCalls(source, target), /there no calls/)
      await target.prepare()
      assert.equal(await copyCalls(source, target, ALL), CALLS)
      assert.equal(await countRows(), cut + CALLS)
      await requireSameCalls(source, target)
      // What is there already is not copied again.
      assert.equal(await copyCalls(source, openTarget(), ALL), 0)
      await target.prepare()
    },
  )
}

test('what was moved must be there in the next run', { skip: NEEDS_CLICKHOUSE }, async (t) => {
  const { source, openTarget, clickhouse } = await openScene(t)
  // The last half hour is left for the end.
  await copyCalls(source, openTarget(), { nowMs: NOON - HOUR_MS })
  await clickhouse.run('TRUNCATE TABLE calls')
  await assert.rejects(openTarget().prepare(), /has 0 of the 3 calls that were moved before/)
})
