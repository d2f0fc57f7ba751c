import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { batchOf, NOON } from '../../../../test/contracts/usage-scene.ts'
import { SQLITE_LEDGER } from '../../ledger/sqlite/schema.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'
import { createSqliteDatabase } from '../../sqlite/database.ts'
import { openSqliteFile } from '../../sqlite/file.ts'
import { createNameReader } from '../sql/name-reader.ts'
import { createRecordReader } from '../sql/records.ts'
import { readSpanCost } from '../sql/spans/span-cost.ts'
import { createSums } from '../sql/sums.ts'
import { SQLITE } from './dialect.ts'

const DAY_MS = 86_400_000

test('a day that is cut is read up to so many calls of it and the day before', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-span-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const store = await openSqliteLedger({ file: join(dir, 'usage.sqlite') })
  await store.writeBatch(batchOf(createCall(NOON), createCall(NOON), createCall(NOON - DAY_MS)))
  await store.close()
  const fixed = { name: 'usage store', ...SQLITE_LEDGER, busyTimeoutMs: 1000 }
  const options = { file: join(dir, 'usage.sqlite'), ...fixed }
  const database = await openSqliteFile(options, createSqliteDatabase)
  t.after(() => database.close())
  const sumUp = createSums(createNameReader(database.epoch, SQLITE), SQLITE)
  const tools = { sumUp, records: createRecordReader(SQLITE), dialect: SQLITE }
  const span = { startMs: NOON, endMs: NOON + DAY_MS }
  assert.equal(await readSpanCost(database, span, { ...tools, requestsMax: 3 }), 2000n)
  assert.equal(await readSpanCost(database, span, { ...tools, requestsMax: 2 }), null)
})
