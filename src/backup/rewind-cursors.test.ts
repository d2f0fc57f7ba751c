import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { EMPTY, NOON } from '../../test/contracts/usage-scene.ts'
import { openJournalScene, opened, words, written } from '../../test/fakes/journal-scene.ts'
import type { JournalScene } from '../../test/fakes/journal-scene.ts'
import { openJournalReader } from '../journal/reader.ts'
import type { StoredCursor } from '../store/ledger/ledger-progress.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { openLedgerStore } from '../store/open-store.ts'
import { rewindCursors } from './rewind-cursors.ts'

const LINES_MAX = 100

async function openStore(context: TestContext): Promise<LedgerStore> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-rewind-'))
  const clock = { now: () => NOON, monotonic: () => NOON }
  const store = await openLedgerStore({ dataDir, clock })
  context.after(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  return store
}

async function writeLife({ open }: JournalScene, ids: readonly string[]): Promise<void> {
  const journal = open({ worker: 'w0' })
  for (const id of ids) await written(journal, opened(id))
  await journal.close()
}

/** A journal of one call, and a store that has read all of it. */
async function openScene(
  context: TestContext,
): Promise<{ scene: JournalScene; store: LedgerStore; cursors: readonly StoredCursor[] }> {
  const scene = openJournalScene(context)
  await writeLife(scene, ['c0'])
  const { cursors } = await openJournalReader(scene).read([], LINES_MAX)
  const store = await openStore(context)
  await store.writeBatch({ ...EMPTY, cursors })
  return { scene, store, cursors }
}

test('a place in a journal that is there stays, also where more was written', async (context) => {
  const { scene, store, cursors } = await openScene(context)
  assert.deepEqual(await rewindCursors(store, scene.dir), [])
  await writeLife(scene, ['c1'])
  assert.deepEqual(await rewindCursors(store, scene.dir), [])
  assert.deepEqual((await store.progress.readState()).cursors, cursors)
})

// The new journal has exactly the size of the old one: its end would be taken for the cursor.
test('a journal that begins anew is read from its beginning', async (context) => {
  const { scene, store } = await openScene(context)
  rmSync(join(scene.dir, 'w0'), { recursive: true })
  assert.deepEqual(await rewindCursors(store, scene.dir), ['w0'])
  await writeLife(scene, ['c9'])
  const { cursors } = await store.progress.readState()
  const batch = await openJournalReader(scene).read(cursors, LINES_MAX)
  assert.deepEqual(words(batch.lines.map(({ entry }) => entry)), ['start', 'open c9', 'end'])
  assert.deepEqual([batch.forwarded, batch.missingLines], [1, 0])
})

test('a journal of somebody else under the same name is read from its beginning', async (context) => {
  const { scene, store } = await openScene(context)
  rmSync(join(scene.dir, 'w0'), { recursive: true })
  await writeLife(scene, ['a much longer name', 'c8'])
  assert.deepEqual(await rewindCursors(store, scene.dir), ['w0'])
  const { cursors } = await store.progress.readState()
  const batch = await openJournalReader(scene).read(cursors, LINES_MAX)
  assert.deepEqual(words(batch.lines.map(({ entry }) => entry)), [
    'start',
    'open a much longer name',
    'open c8',
    'end',
  ])
  assert.equal(batch.forwarded, 2)
})

test('a journal that lost its last lines to a power cut keeps its place', async (context) => {
  const { scene, store } = await openScene(context)
  const file = scene.segments()[0] as string
  writeFileSync(file, readFileSync(file).subarray(0, 40))
  assert.deepEqual(await rewindCursors(store, scene.dir), [])
})

test('without places there is nothing to do', async (context) => {
  const store = await openStore(context)
  assert.deepEqual(await rewindCursors(store, '/nowhere/at/all'), [])
})
