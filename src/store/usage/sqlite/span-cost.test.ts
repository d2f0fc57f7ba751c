import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createCall } from '../../../../test/contracts/request-log-contract.ts'
import { batchOf, NOON } from '../../../../test/contracts/usage-scene.ts'
import { MIGRATIONS } from '../../ledger/sqlite/migrations.ts'
import { openSqliteLedger } from '../../ledger/sqlite/store.ts'
import { openSqliteFile } from '../../sqlite/file.ts'
import { readSpanCost } from './span-cost.ts'
import { createSqliteSums } from './sums.ts'

const DAY_MS = 86_400_000

test('a day that is cut is read up to so many calls of it and the day before', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-span-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const store = await openSqliteLedger({ file: join(dir, 'usage.sqlite') })
  await store.writeBatch(batchOf(createCall(NOON), createCall(NOON), createCall(NOON - DAY_MS)))
  await store.close()
  const fixed = { name: 'usage store', migrations: MIGRATIONS, busyTimeoutMs: 1000 }
  const file = await openSqliteFile({ file: join(dir, 'usage.sqlite'), ...fixed }, (each) => each)
  t.after(() => file.close())
  const sum = createSqliteSums(file)
  const span = { startMs: NOON, endMs: NOON + DAY_MS }
  assert.equal(readSpanCost(file, span, { sum, requestsMax: 3 }), 2000n)
  assert.equal(readSpanCost(file, span, { sum, requestsMax: 2 }), null)
})
