import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'

import { FailingDisk } from '../../test/fakes/failing-disk.ts'
import {
  closed,
  openJournalScene,
  opened,
  readAll,
  written,
} from '../../test/fakes/journal-scene.ts'
import type { JournalScene } from '../../test/fakes/journal-scene.ts'
import type { JournalDisk } from './disk.ts'
import { RETRY_MS } from './segment-file.ts'

interface FaultScene extends JournalScene {
  readonly disk: FailingDisk
  /** Lets the time pass after which the writer tries again. */
  readonly retry: () => void
}

function openScene(t: TestContext): FaultScene {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const disk = new FailingDisk()
  const scene = openJournalScene(t)
  return {
    ...scene,
    disk,
    open: (options) => scene.open({ disk, ...options }),
    retry: () => t.mock.timers.tick(RETRY_MS),
  }
}

const IDS = ['a', 'b', 'c']
const LIFE = ['start', 'close a', 'close b', 'close c', 'end']

interface Refusal {
  readonly name: string
  readonly refuse: (disk: FailingDisk) => void
  readonly fault: RegExp
}

const REFUSALS: readonly Refusal[] = [
  {
    name: 'is full',
    refuse: (disk) => disk.faults.set('write', 'ENOSPC'),
    fault: /does not take the journal \(ENOSPC\)/,
  },
  {
    name: 'is broken',
    refuse: (disk) => disk.faults.set('write', 'EIO'),
    fault: /does not take the journal \(EIO\)/,
  },
  {
    name: 'is full in the middle of a line',
    refuse: (disk) => (disk.room = 700),
    fault: /does not take the journal \(ENOSPC\)/,
  },
]

describe('a disk that', () => {
  for (const fsync of ['always', 'interval', 'never'] as const) {
    for (const { name, refuse, fault } of REFUSALS) {
      test(`${name} delays no caller, and has every line once it takes them (${fsync})`, async (t) => {
        const { open, disk, dir, counted, retry } = openScene(t)
        const journal = open({ fsync })
        refuse(disk)
        for (const id of IDS) await written(journal, closed(id))
        assert.match(journal.fault() ?? '', fault)
        retry()
        assert.match(journal.fault() ?? '', fault)
        disk.faults.clear()
        disk.room = Infinity
        retry()
        assert.equal(journal.fault(), null)
        await journal.close()
        const { words, damagedLines, missingLines } = await readAll(dir)
        assert.deepEqual(words, LIFE)
        assert.deepEqual([damagedLines, missingLines, counted('journalDropped')], [0, 0, 0])
        assert.equal(counted('journalWriteFailures'), 2)
        assert.equal(disk.openFiles, 0)
      })
    }
  }

  test('takes a few bytes at a time has every line', async (t) => {
    const { open, disk, dir, counted } = openScene(t)
    disk.bytesAWrite = 7
    const journal = open()
    for (const id of IDS) await written(journal, closed(id))
    await journal.close()
    assert.deepEqual((await readAll(dir)).words, LIFE)
    assert.equal(counted('journalWriteFailures'), 0)
  })

  test('refuses the first file has the lines in it once it does not', async (t) => {
    const { open, disk, dir, retry, segments } = openScene(t)
    disk.faults.set('open', 'EDQUOT')
    const journal = open()
    for (const id of IDS) await written(journal, closed(id))
    assert.match(journal.fault() ?? '', /does not take the journal \(EDQUOT\)/)
    retry()
    disk.faults.clear()
    retry()
    assert.equal(journal.fault(), null)
    await journal.close()
    assert.equal(segments().length, 1)
    const { words, missingLines } = await readAll(dir)
    assert.deepEqual([words, missingLines], [LIFE, 0])
  })

  test('refuses the next file goes on in the old one, and tries again after a while', async (t) => {
    const { open, disk, dir, segments, counted } = openScene(t)
    let now = 0
    const clock = { now: () => 0, monotonic: () => now }
    const journal = open({ segmentBytesMax: 10, clock })
    disk.faults.set('open', 'EMFILE')
    for (const id of IDS) await written(journal, closed(id))
    assert.equal(journal.fault(), null)
    assert.deepEqual([segments().length, counted('journalWriteFailures')], [1, 1])
    disk.faults.clear()
    now += RETRY_MS
    await journal.close()
    assert.equal(segments().length, 2)
    assert.deepEqual((await readAll(dir)).words, LIFE)
    assert.equal(disk.openFiles, 0)
  })

  for (const name of ['sync', 'syncDirectory'] as const) {
    test(`fails a ${name} delays no caller, is reported, and is asked again`, async (t) => {
      const { open, disk, dir, counted, retry } = openScene(t)
      const journal = open({ fsync: 'always' })
      disk.faults.set(name, 'EIO')
      await written(journal, closed('a'))
      assert.match(journal.fault() ?? '', /does not confirm the journal \(EIO\)/)
      assert.ok(counted('journalWriteFailures') >= 1)
      await written(journal, closed('b'))
      const asked = disk.asked.get(name) as number
      retry()
      assert.ok((disk.asked.get(name) as number) > asked)
      disk.faults.clear()
      await written(journal, closed('c'))
      assert.equal(journal.fault(), null)
      await journal.close()
      assert.deepEqual((await readAll(dir)).words, LIFE)
      assert.equal(counted('journalDropped'), 0)
    })
  }

  test('fails a close is counted', async (t) => {
    const { open, disk, dir, counted } = openScene(t)
    const journal = open()
    disk.faults.set('close', 'EIO')
    for (const id of IDS) await written(journal, closed(id))
    await journal.close()
    assert.equal(counted('journalWriteFailures'), 1)
    assert.deepEqual((await readAll(dir)).words, LIFE)
  })
})

test('calls a line written with fsync always only when file and directory were synced', async (t) => {
  const { open, disk } = openScene(t)
  const journal = open({ fsync: 'always', segmentBytesMax: 10 })
  const asked = (name: keyof JournalDisk): number => disk.asked.get(name) ?? 0
  await written(journal, closed('a'))
  const [files, directories] = [asked('sync'), asked('syncDirectory')]
  assert.ok(files >= 1 && directories >= 1)
  await written(journal, closed('b'))
  assert.ok(asked('sync') > files && asked('syncDirectory') > directories)
  await journal.close()
  assert.equal(disk.openFiles, 0)
})

test('closes the segments that are full, also where nothing is synced', async (t) => {
  const { open, disk } = openScene(t)
  const journal = open({ fsync: 'never', segmentBytesMax: 10, fsyncIntervalMs: 10 })
  for (let count = 0; count < 5; count++) await written(journal, closed(`c${count}`))
  assert.equal(disk.openFiles, 6)
  await journal.close()
  assert.equal(disk.openFiles, 0)
})

test('drops what its buffer does not take, and shows the reader how many lines and calls', async (t) => {
  const { open, disk, dir, counted, retry } = openScene(t)
  const journal = open({ bufferBytesMax: 1000 })
  await written(journal, opened('kept'))
  disk.faults.set('write', 'ENOSPC')
  for (let count = 0; count < 50; count++) await written(journal, opened(`c${count}`))
  const dropped = counted('journalDropped')
  assert.ok(dropped > 40 && dropped < 50, `${dropped} were dropped`)
  disk.faults.clear()
  retry()
  await written(journal, closed('kept'))
  await journal.close()
  const { lines, missingLines, damagedLines, forwarded, cursors } = await readAll(dir)
  assert.deepEqual([missingLines, damagedLines], [dropped, 0])
  assert.equal(lines.length, 54 - dropped)
  assert.deepEqual([forwarded, cursors[0]?.forwarded], [51, 51])
})

test('drops a line that is too long, and no other', async (t) => {
  const { open, dir, counted } = openScene(t)
  const journal = open()
  await written(journal, closed('a'))
  await written(journal, closed('x'.repeat(65_536)))
  // Of characters, not of bytes, it has few enough.
  await written(journal, closed('ü'.repeat(40_000)))
  await written(journal, closed('b'))
  await written(journal, closed('c'))
  await journal.close()
  const { words, missingLines } = await readAll(dir)
  assert.deepEqual([words, missingLines, counted('journalDropped')], [LIFE, 2, 2])
})

test('counts what the disk refuses to the last as dropped', async (t) => {
  const { open, disk, dir, counted } = openScene(t)
  const journal = open()
  disk.faults.set('write', 'EIO')
  for (const id of IDS) await written(journal, closed(id))
  await journal.close()
  assert.equal(counted('journalDropped'), 4)
  disk.faults.clear()
  await open().close()
  const { words, missingLines } = await readAll(dir)
  // The numbers were never seen by anybody: the next process uses them.
  assert.deepEqual([words, missingLines], [['start', 'start', 'end'], 0])
})

test('writes what waited in large pieces, in its order', async (t) => {
  const { open, disk, dir, retry } = openScene(t)
  const journal = open({ bufferBytesMax: 50_000_000, segmentBytesMax: 50_000_000 })
  disk.faults.set('write', 'ENOSPC')
  const filler = 'x'.repeat(30_000)
  for (let count = 0; count < 300; count++) journal.append(opened(`${count}-${filler}`))
  await written(journal, opened('last'))
  disk.faults.clear()
  const [before] = [disk.asked.get('write') ?? 0]
  for (let turn = 0; turn < 4; turn++) retry()
  assert.ok((disk.asked.get('write') ?? 0) - before < 15)
  await journal.close()
  const { lines, missingLines, damagedLines, forwarded } = await readAll(dir)
  assert.deepEqual([lines.length, missingLines, damagedLines, forwarded], [303, 0, 0, 301])
})

test('makes its directory again when it was removed', async (t) => {
  const { open, dir } = openScene(t)
  const journal = open({ segmentBytesMax: 10 })
  await written(journal, opened('lost'))
  rmSync(dir, { recursive: true })
  await written(journal, opened('found'))
  await journal.close()
  const { words, forwarded } = await readAll(dir)
  assert.deepEqual([words, forwarded], [['open found', 'end'], 1])
})
