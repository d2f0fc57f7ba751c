// What becomes of removals that the server does not finish in time.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { batchOf } from '../../../../test/contracts/usage-scene.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { openClickhouse } from '../../clickhouse/database.ts'
import { createPostgresCallBatches } from '../../ledger/postgres/call-batches.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { CALL_COLUMNS, toCallRow } from './call-columns.ts'
import { removeCalls } from './retention.ts'

const createPlace = createClickhousePlaces(after)
const DAY_MS = 86_400_000
const TODAY = Date.UTC(2026, 0, 20)
const WAIT_MS_MAX = 30_000
const ROWS = 'SELECT count() FROM calls'
const MUTATIONS = `SELECT count() FROM system.mutations
  WHERE database = currentDatabase() AND table = 'calls'`

/** Two calls of the day before, one of an earlier month, one of today. */
async function openPlace(t: TestContext) {
  const place = await createPlace()
  const store = await place.open()
  const database = openPostgresDatabase({ url: place.url, name: 'callBatches', lock: LOCKS.usage })
  // A removal that is not finished within it goes on by itself.
  const hasty = openClickhouse({ url: place.callsUrl, statementMsMax: 1000 })
  const calls = openClickhouse({ url: place.callsUrl })
  t.after(async () => {
    await calls.run("KILL MUTATION WHERE database = currentDatabase() AND table = 'calls'")
    await Promise.all([hasty.close(), calls.close(), store.close(), database.close()])
    await place.remove()
  })
  const ends = [TODAY - 40 * DAY_MS, TODAY - 5000, TODAY - 6000, TODAY + 5000]
  await store.writeBatch(batchOf(...ends.map((at) => createCall(at))))
  const callBatches = createPostgresCallBatches(database)
  const readNumber = async (text: string): Promise<number> =>
    Number(Object.values((await calls.all<object>(text))[0] ?? {})[0])
  async function until(text: string, wanted: number): Promise<void> {
    const endMs = performance.now() + WAIT_MS_MAX
    while ((await readNumber(text)) !== wanted) {
      assert.ok(performance.now() < endMs, `${text} is not ${wanted}`)
      await pause(20)
    }
  }
  const remove = (): Promise<number> => removeCalls(hasty, callBatches, TODAY)
  return { hasty, calls, callBatches, readNumber, until, remove }
}

const clickhouseTest = (name: string, run: (t: TestContext) => Promise<void>): void =>
  void test(name, { skip: NEEDS_CLICKHOUSE }, run)

clickhouseTest('calls that may count yet are neither removed nor counted as removed', async (t) => {
  const { calls, callBatches, until, remove } = await openPlace(t)
  const hidden = toCallRow(createCall(TODAY - 7000), { batch: await callBatches.take(), sign: 1 })
  await calls.insert('calls', CALL_COLUMNS, [hidden])
  assert.equal(await remove(), 3)
  await until(ROWS, 2)
})

clickhouseTest('a removal that takes long goes on, and no other is begun behind it', async (t) => {
  const { calls, readNumber, until, remove } = await openPlace(t)
  await calls.run('SYSTEM STOP MERGES calls')
  const before = await readNumber(MUTATIONS)
  assert.equal(await remove(), 3)
  assert.equal(await readNumber(ROWS), 3)
  assert.equal(await remove(), 0)
  assert.equal(await readNumber(MUTATIONS), before + 1)
  await calls.run('SYSTEM START MERGES calls')
  await until(ROWS, 1)
})

clickhouseTest('a removal that fails on the server is said, with its reason', async (t) => {
  const { hasty, until, remove } = await openPlace(t)
  const broken = "DELETE FROM calls WHERE throwIf(ended_at > 0, 'no such luck')"
  await assert.rejects(hasty.run(broken))
  await until(`${MUTATIONS} AND NOT is_done AND latest_fail_reason != ''`, 1)
  await assert.rejects(
    remove(),
    (error: unknown) => error instanceof WeirError && /no such luck/.test(error.message),
  )
})
