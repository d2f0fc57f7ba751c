import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { FailingDisk } from '../../test/fakes/failing-disk.ts'
import {
  closed,
  openJournalScene,
  opened,
  readAll,
  written,
} from '../../test/fakes/journal-scene.ts'
import { sampleEvent } from '../../test/fakes/usage-samples.ts'
import { toCompleteness } from '../core/completeness.ts'
import type { JournalCounts } from './counts-file.ts'
import type { JournalEntry, JournalWriter, OpenRefusal } from './journal.ts'
import { readJournalFault } from './journal-fault.ts'
import { readJournalCounts } from './read-journal-counts.ts'
import { openJournalReader } from './reader.ts'
import { RETRY_MS } from './segment-file.ts'

/** Room for a handful of lines: three openings in its half for them. */
const BUFFER_BYTES = 2000

function openScene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const disks = [new FailingDisk()]
  const disk = (): FailingDisk => disks.at(-1) as FailingDisk
  const scene = openJournalScene(t)
  const log: string[] = []
  const say = (_: object, message: string): void => void log.push(message)
  const clock = { now: () => 1000, monotonic: () => 0 }
  return {
    ...scene,
    disk,
    log,
    /** What was opened before never writes again, if its disk is full: as if it were killed. */
    open: (onFull: 'go-on' | 'refuse' = 'go-on') => {
      const next = new FailingDisk()
      for (const [name, code] of disk().faults) next.faults.set(name, code)
      disks.push(next)
      return scene.open({
        disk: next,
        clock,
        onFull,
        bufferBytesMax: BUFFER_BYTES,
        log: { error: say, warn: say },
      })
    },
    fill: () => disk().faults.set('write', 'ENOSPC'),
    free: () => {
      disk().faults.clear()
      t.mock.timers.tick(RETRY_MS)
    },
    /** As it is to a ledger that has stored all there is. */
    completeness: () => readCompleteness(scene.dir),
    counts: async () => (await readJournalCounts(scene.dir))[0],
  }
}

async function readCompleteness(dir: string) {
  const { lines, forwarded, cursors } = await readAll(dir)
  const { calls, ...lag } = await openJournalReader({ dir }).lag(cursors)
  const open = new Set<string>()
  const recorded = new Set<string>()
  for (const { entry } of lines) {
    if (entry.kind === 'open') open.add(entry.opening.id)
    else if ('event' in entry && entry.event.status !== 'denied') recorded.add(entry.event.id)
    else if (entry.kind !== 'close') for (const id of open) recorded.add(id)
    for (const id of recorded) open.delete(id)
  }
  const tally = { forwarded, recorded: recorded.size, dead: 0 }
  return toCompleteness({ ...tally, ...lag, open: open.size, unread: calls })
}

async function writeAll(journal: JournalWriter, entries: readonly JournalEntry[]): Promise<void> {
  for (const entry of entries) await written(journal, entry)
}

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `c${index}`)
}

test('says of a full disk how many calls were forwarded, and how many may still be recorded', async (t) => {
  const { open, dir, fill, free, completeness, counts, log, counted } = openScene(t)
  const journal = open()
  fill()
  await writeAll(journal, ids(40).map(opened))
  // All of them run: each may still be recorded by its close line.
  const rest = { recorded: 0, dead: 0 }
  assert.deepEqual(await completeness(), { forwarded: 40, pending: 40, lost: 0, ...rest })
  await writeAll(journal, ids(40).map(closed))
  const full = await completeness()
  assert.equal(full.forwarded, 40)
  assert.ok(full.lost > 30 && full.lost < 40, `lost ${full.lost}`)
  assert.equal(full.pending, 40 - full.lost)
  assert.deepEqual((await counts())?.refusing, { since: 1000, reason: 'ENOSPC' })
  const dropped = counted('journalDropped')
  assert.equal((await counts())?.dropped, dropped)
  assert.equal(
    await readJournalFault(dir),
    `The disk does not take the journal of one worker (ENOSPC, since 1970-01-01T00:00:01.000Z); ${dropped} lines were dropped.`,
  )
  assert.equal(counted('journalRefusing'), 1)
  free()
  assert.equal((await counts())?.refusing, null)
  assert.equal(await readJournalFault(dir), null)
  assert.equal(counted('journalRefusing'), 0)
  assert.deepEqual(await completeness(), { ...full, recorded: full.pending, pending: 0 })
  assert.deepEqual(log, [
    'The disk does not take the journal: calls go on without their lines. Make room.',
    'The disk takes the journal again.',
  ])
  // Calls that are open without an end are recorded as interrupted by the next start.
  const { unclosed } = (await counts()) as JournalCounts
  assert.ok(unclosed > 0)
  await journal.close()
  const last = await completeness()
  assert.deepEqual(last, {
    ...full,
    recorded: full.pending + unclosed,
    pending: 0,
    lost: full.lost - unclosed,
  })
})

for (const end of ['is killed', 'is closed'] as const) {
  test(`counts as lost what waited in memory when its process ${end}`, async (t) => {
    const { open, fill, free, completeness } = openScene(t)
    const journal = open()
    await written(journal, opened('on the disk'))
    fill()
    await writeAll(journal, ids(9).map(opened))
    assert.deepEqual(await completeness(), {
      forwarded: 10,
      recorded: 0,
      pending: 10,
      dead: 0,
      lost: 0,
    })
    if (end === 'is closed') await journal.close()
    // The disk is still full when the next one starts.
    const next = open()
    assert.deepEqual(await completeness(), {
      forwarded: 10,
      recorded: 0,
      pending: 1,
      dead: 0,
      lost: 9,
    })
    free()
    await written(next, opened('later'))
    assert.deepEqual(await completeness(), {
      forwarded: 11,
      recorded: 1,
      pending: 1,
      dead: 0,
      lost: 9,
    })
    await next.close()
  })
}

test('keeps room for the ends of calls on the disk when openings and refusals fill its buffer', async (t) => {
  const { open, fill, free, completeness, counts } = openScene(t)
  const journal = open()
  await written(journal, opened('running'))
  fill()
  const denied = (id: string): JournalEntry => ({
    kind: 'close',
    event: sampleEvent({ id, status: 'denied' }),
  })
  await writeAll(journal, ids(20).map(denied))
  await writeAll(journal, ids(20).map(opened))
  await written(journal, closed('running'))
  // Refused calls were not forwarded: their lines count as dropped, not as lost.
  const full = await completeness()
  assert.deepEqual([full.forwarded, full.lost, full.pending], [21, 0, 21])
  assert.equal((await counts())?.unclosed, 0)
  free()
  assert.equal((await completeness()).recorded, 1)
  await journal.close()
})

test('counts a call whose only line is too long as lost when it has ended', async (t) => {
  const { open, completeness } = openScene(t)
  const journal = open()
  const long = 'x'.repeat(65_536)
  await written(journal, opened(long))
  assert.deepEqual(await completeness(), {
    forwarded: 1,
    recorded: 0,
    pending: 1,
    dead: 0,
    lost: 0,
  })
  await written(journal, closed(long))
  assert.deepEqual(await completeness(), {
    forwarded: 1,
    recorded: 0,
    pending: 0,
    dead: 0,
    lost: 1,
  })
  await journal.close()
})

test('lets no call go with onFull refuse whose open line is not on the disk', async (t) => {
  const { open, fill, free, completeness, log } = openScene(t)
  const journal = open('refuse')
  const results: (OpenRefusal | undefined)[] = []
  const ask = (id: string): Promise<void> =>
    new Promise((resolve) => {
      journal.append(opened(id), (refusal) => {
        results.push(refusal)
        resolve()
      })
    })
  await ask('running')
  fill()
  assert.equal(journal.canOpen(), true)
  await ask('first')
  assert.equal(journal.canOpen(), false)
  for (const id of ids(9)) await ask(id)
  assert.deepEqual(new Set(results), new Set([undefined, 'waiting', 'dropped']))
  assert.equal(results.indexOf('waiting'), 1)
  const running = { forwarded: 1, recorded: 0, pending: 1, dead: 0, lost: 0 }
  assert.deepEqual(await completeness(), running)
  await written(journal, closed('running'))
  assert.deepEqual(await completeness(), running)
  assert.deepEqual(log, ['The disk does not take the journal: calls are refused. Make room.'])
  // Killed now, its running call is interrupted, and the refused ones were never there.
  free()
  assert.equal(journal.canOpen(), true)
  const waited = results.filter((result) => result === 'waiting').length
  const { forwarded, lost } = await completeness()
  assert.deepEqual([forwarded, lost], [1 + waited, 0])
})

test('loses no call with onFull refuse when it is killed on a full disk', async (t) => {
  const { open, fill, free, completeness } = openScene(t)
  const journal = open('refuse')
  await written(journal, opened('running'))
  fill()
  for (const id of ids(9)) journal.append(opened(id))
  await written(journal, closed('running'))
  const next = open('refuse')
  assert.deepEqual(await completeness(), {
    forwarded: 1,
    recorded: 0,
    pending: 1,
    dead: 0,
    lost: 0,
  })
  free()
  assert.deepEqual(await completeness(), {
    forwarded: 1,
    recorded: 1,
    pending: 0,
    dead: 0,
    lost: 0,
  })
  await next.close()
})

test('goes on without its counts file, and reads none that is damaged', async (t) => {
  const { open, disk, dir, fill, free, completeness, counts } = openScene(t)
  disk().faults.set('rewrite', 'EIO')
  const journal = open()
  fill()
  await written(journal, opened('a'))
  free()
  assert.equal((await completeness()).forwarded, 1)
  await journal.close()
  const file = join(dir, 'w0', 'counts')
  const bytes = readFileSync(file)
  assert.equal(bytes.length, 512)
  bytes[40] = (bytes[40] as number) ^ 1
  writeFileSync(file, bytes)
  assert.equal(await counts(), undefined)
  assert.equal((await completeness()).forwarded, 1)
  rmSync(file)
  assert.equal(await counts(), undefined)
})
