import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPostgresPlaces, withUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { createPartitions } from './partitions.ts'

test('the table of a month is there a week before the month begins', async () => {
  const place = await createPostgresPlaces(after)()
  await withUsage(place.url, async (database) => {
    const partitions = createPartitions(database)
    const list = async (): Promise<readonly string[]> => {
      const rows = await database.all<{ name: string }>(
        `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
          WHERE inhparent = 'records'::regclass ORDER BY relname`,
      )
      return rows.map(({ name }) => name)
    }
    await partitions.ensure([Date.parse('2026-10-24T00:00:00Z')])
    assert.deepEqual(await list(), ['records_202610'])
    await partitions.ensure([Date.parse('2026-10-25T00:00:00Z')])
    assert.deepEqual(await list(), ['records_202610', 'records_202611'])
  })
  await place.remove()
})
