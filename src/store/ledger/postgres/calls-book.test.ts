import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/fakes/postgres/test-database.ts'
import { migrateUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { LOCKS } from '../../postgres/locks.ts'
import { createPostgresCallsBook } from './calls-book.ts'

test('which sums count is changed by one of two that knew the same', async (context) => {
  const url = await openTestDatabase(context)
  await migrateUsage(url)
  const database = openPostgresDatabase({ url, name: 'usage store', lock: LOCKS.usage })
  context.after(() => database.close())
  const book = createPostgresCallsBook(database)
  assert.equal(await book.readSums(database), null)
  assert.deepEqual(
    [await book.replaceSums(null, 'one'), await book.replaceSums(null, 'other')],
    [true, false],
  )
  assert.equal(await book.readSums(database), 'one')
  assert.equal(await book.replaceSums('one', 'two'), true)
  assert.equal(await book.readSums(database), 'two')
})
