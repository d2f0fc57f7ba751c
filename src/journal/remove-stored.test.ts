import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { test } from 'node:test'

import { systemClock } from '../core/clock.ts'
import { openJournalScene, opened, readAll, written } from '../../test/fakes/journal-scene.ts'
import { openJournalReader } from './reader.ts'

const HOUR_MS = 3_600_000

test('stored segments are kept for a while, and can be read again from an earlier place', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  for (const id of ['a', 'b', 'c']) {
    const journal = open()
    await written(journal, opened(id))
    await journal.close()
  }
  const { cursors, words } = await readAll(dir)
  const [oldest] = segments()
  const count = segments().length
  assert.ok(count > 2)
  const reader = openJournalReader({ dir, kept: { forMs: HOUR_MS, clock: systemClock } })
  await reader.acknowledge(cursors)
  assert.equal(segments().length, count)
  assert.deepEqual((await reader.lag(cursors)).calls, 0)
  // As from a database that was restored to a moment before any of it.
  assert.deepEqual((await readAll(dir)).words, words)
  const before = systemClock.now() / 1000 - 7200
  utimesSync(oldest as string, before, before)
  await reader.acknowledge(cursors)
  assert.equal(segments().length, count - 1)
})
