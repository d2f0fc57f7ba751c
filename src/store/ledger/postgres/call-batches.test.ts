import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/fakes/postgres/test-database.ts'
import { migrateUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { createPostgresCallBatches } from './call-batches.ts'

test('which sums count is changed by one of two that knew the same', async (context) => {
  const url = await openTestDatabase(context)
  await migrateUsage(url)
  const database = openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage })
  context.after(() => database.close())
  const callBatches = createPostgresCallBatches(database)
  assert.equal(await callBatches.readSums(database), null)
  assert.deepEqual(
    [await callBatches.replaceSums(null, 'one'), await callBatches.replaceSums(null, 'other')],
    [true, false],
  )
  assert.equal(await callBatches.readSums(database), 'one')
  assert.equal(await callBatches.replaceSums('one', 'two'), true)
  assert.equal(await callBatches.readSums(database), 'two')
})
