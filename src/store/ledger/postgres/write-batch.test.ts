// What becomes of a batch that the server cuts off.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { batchOf, createRecord, total } from '../../../../test/contracts/usage-scene.ts'
import { createPostgresPlaces, withUsage } from '../../../../test/fakes/postgres/usage-place.ts'
import { StoreBusy } from '../../store-busy.ts'
import { PARTS_MERGED } from '../../usage/block-tiers.ts'

const createPlace = createPostgresPlaces(after)

/** As the time-out for idle transactions does to a node that is too slow. */
const END_SESSION = `CREATE OR REPLACE FUNCTION end_session() RETURNS trigger AS $$
  BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$ LANGUAGE plpgsql`
const WHEN_MERGING = `CREATE TRIGGER cut_off BEFORE DELETE ON analysis_parts
  FOR EACH STATEMENT EXECUTE FUNCTION end_session()`

test('a batch that is cut off while it merges sums gets through without merging', async (context) => {
  const place = await createPlace()
  const store = await place.open()
  const run = (text: string) => withUsage(place.url, (database) => database.run(text))
  const countParts = () =>
    withUsage(place.url, async (database) => {
      const row = await database.first<{ parts: number }>(
        `SELECT COUNT(*) AS parts FROM analysis_parts WHERE period = 202610`,
      )
      return row?.parts
    })
  context.after(async () => {
    await run('DROP TRIGGER IF EXISTS cut_off ON analysis_parts')
    await store.close()
    await place.remove()
  })
  await run(END_SESSION)
  await run(WHEN_MERGING)
  for (let batch = 1; batch < PARTS_MERGED; batch += 1) {
    await store.writeBatch(batchOf(createRecord()))
  }
  const batch = batchOf(createRecord())
  await assert.rejects(store.writeBatch(batch), StoreBusy)
  await store.writeBatch(batch)
  assert.equal((await total(store))?.requests, PARTS_MERGED)
  assert.equal(await countParts(), PARTS_MERGED)
  // Where it is fast enough again, all are merged.
  await run('DROP TRIGGER cut_off ON analysis_parts')
  await store.writeBatch(batchOf(createRecord()))
  assert.equal(await countParts(), 1)
})
