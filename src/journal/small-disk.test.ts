import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { openJournalScene, opened, written } from '../../test/fakes/journal-scene.ts'
import { nodeDisk } from './disk.ts'
import type { JournalDisk } from './disk.ts'
import type { JournalCursor } from './journal.ts'
import { openJournalReader } from './reader.ts'

const DISK_BYTES = 300_000

/** Of a fixed size, with nothing on it but the journal of one worker. */
function createSmallDisk(dir: string): JournalDisk {
  const worker = join(dir, 'w0')
  const room = (): number =>
    readdirSync(worker).reduce((left, name) => left - statSync(join(worker, name)).size, DISK_BYTES)
  return {
    ...nodeDisk,
    size: () => DISK_BYTES,
    write: (fd, bytes, at) => {
      const length = Math.min(bytes.length - at, Math.max(0, room()))
      if (length > 0) return nodeDisk.write(fd, bytes.subarray(at, at + length), 0)
      throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
    },
  }
}

test('a disk that the journal alone has filled takes lines again once they are stored', async (t) => {
  const { dir, open, counted } = openJournalScene(t)
  const journal = open({ disk: createSmallDisk(dir), segmentBytesMax: 1e9, bufferBytesMax: 1e9 })
  const ids: string[] = []
  // Full, and more than a disk that waits in memory.
  for (let waiting = 0; waiting < 4000; waiting += journal.fault() === null ? 0 : 1) {
    ids.push(`call ${ids.length}`)
    await written(journal, opened(ids.at(-1) as string))
  }
  const reader = openJournalReader({ dir })
  const found: string[] = []
  let cursors: readonly JournalCursor[] = []
  while (found.length < ids.length || journal.fault() !== null) {
    const batch = await reader.read(cursors, 1000)
    for (const { entry } of batch.lines) if (entry.kind === 'open') found.push(entry.opening.id)
    assert.deepEqual([batch.damagedLines, batch.missingLines, batch.unreadLines], [0, 0, []])
    const moved = new Map([...cursors, ...batch.cursors].map((each) => [each.worker, each]))
    cursors = [...moved.values()]
    await reader.acknowledge(cursors)
    await pause(5)
  }
  assert.deepEqual(found, ids)
  assert.equal(counted('journalDropped'), 0)
  await journal.close()
})

// Else every line would begin a file of its own.
const skip = process.platform === 'linux' ? false : 'needs /proc'

test('a file system that says it has no blocks is not taken for a small disk', { skip }, () => {
  assert.equal(nodeDisk.size('/proc'), Infinity)
})
