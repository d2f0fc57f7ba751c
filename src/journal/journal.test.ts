import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { sampleEvent, sampleOpening } from '../../test/fakes/usage-samples.ts'
import { createMeter } from '../app/meter.ts'
import type { CountingMeter } from '../app/meter.ts'
import type { JournalCursor, JournalEntry, JournalWriter } from './journal.ts'
import { openJournalReader } from './reader.ts'
import { claimAbandonedSlots, claimSlot } from './slots.ts'
import { openJournalWriter } from './writer.ts'
import type { JournalWriterOptions } from './writer.ts'

interface Scene {
  readonly dir: string
  readonly meter: CountingMeter
  readonly open: (options?: Partial<JournalWriterOptions>) => JournalWriter
  readonly segments: (worker?: string) => string[]
}

function openScene(t: TestContext): Scene {
  const dir = mkdtempSync(join(tmpdir(), 'weir-journal-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const meter = createMeter()
  return {
    dir,
    meter,
    open: (options = {}) =>
      openJournalWriter({
        dir,
        worker: 'w0',
        fsync: 'interval',
        fsyncIntervalMs: 10,
        segmentBytesMax: 1_000_000,
        bufferBytesMax: 1_000_000,
        meter,
        ...options,
      }),
    segments: (worker = 'w0') => readdirSync(join(dir, worker)).toSorted(),
  }
}

const close = (id: string): JournalEntry => ({ kind: 'close', event: sampleEvent({ id }) })

function ids(entries: readonly JournalEntry[]): string[] {
  return entries.map((entry) => (entry.kind === 'close' ? entry.event.id : entry.kind))
}

async function readAll(dir: string, cursors: readonly JournalCursor[] = []) {
  const batch = await openJournalReader({ dir }).read(cursors, 1000)
  return { ...batch, ids: ids(batch.lines.map((line) => line.entry)) }
}

test('reads back what was written, in order, money included', async (t) => {
  const { dir, open } = openScene(t)
  const journal = open()
  const opening = sampleOpening({ dims: { team: 'a "quoted", ünïcode\n' } })
  const billing = { cost: 4_200_000n, marketCost: 10n ** 18n, isByok: false, generationId: 'gen_x' }
  const event = sampleEvent({ id: opening.id, billing })
  journal.append({ kind: 'open', opening })
  journal.append({ kind: 'close', event })
  await journal.close()
  const { lines, damagedLines, missingLines } = await readAll(dir)
  assert.deepEqual(
    lines.map((line) => line.entry),
    [{ kind: 'start' }, { kind: 'open', opening }, { kind: 'close', event }, { kind: 'end' }],
  )
  assert.deepEqual([damagedLines, missingLines], [0, 0])
})

test('tells that a line is written only when a reader can see it', async (t) => {
  for (const fsync of ['always', 'interval', 'never'] as const) {
    const { dir, open } = openScene(t)
    const journal = open({ fsync })
    await new Promise<void>((resolve) => journal.append(close('one'), resolve))
    assert.deepEqual((await readAll(dir)).ids, ['start', 'one'])
    await journal.close()
  }
})

test('writes nothing where there is no entry yet, and takes it later', async (t) => {
  const { dir, open } = openScene(t)
  const journal = open()
  const written: string[] = []
  const later = (): void => journal.append(close('late'), () => written.push('late'))
  const source = (): null => {
    later()
    return null
  }
  journal.append(source, () => written.push('never'))
  await new Promise<void>((resolve) => journal.append(close('soon'), resolve))
  await new Promise<void>((resolve) => journal.append(close('last'), resolve))
  assert.deepEqual(written, ['late'])
  const { ids: seen, missingLines } = await readAll(dir)
  assert.deepEqual([seen, missingLines], [['start', 'soon', 'late', 'last'], 0])
  await journal.close()
})

test('goes on from a cursor, waits for an unfinished line, and reads on while it is written', async (t) => {
  const { dir, open, segments } = openScene(t)
  const journal = open()
  await new Promise<void>((resolve) => journal.append(close('one'), resolve))
  const first = await readAll(dir)
  const file = join(dir, 'w0', segments()[0] as string)
  appendFileSync(file, '0badc0de {"n":3,"k":')
  assert.deepEqual((await readAll(dir, first.cursors)).cursors, [])
  truncateSync(file, first.cursors[0]?.offset)
  await new Promise<void>((resolve) => journal.append(close('two'), resolve))
  assert.deepEqual((await readAll(dir, first.cursors)).ids, ['two'])
  await journal.close()
})

test('counts on after a restart, and shows a start line for each life', async (t) => {
  const { dir, open } = openScene(t)
  for (const id of ['one', 'two', 'three']) {
    const journal = open()
    journal.append(close(id))
    await journal.close()
  }
  const { lines, missingLines, ids: seen } = await readAll(dir)
  assert.deepEqual(seen, ['start', 'one', 'end', 'start', 'two', 'end', 'start', 'three', 'end'])
  assert.deepEqual(
    lines.map((line) => line.sequence),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  assert.equal(missingLines, 0)
})

test('passes over a torn tail once another segment follows, and counts it', async (t) => {
  const { dir, open, segments } = openScene(t)
  await open().close()
  appendFileSync(join(dir, 'w0', segments()[0] as string), 'deadbeef {"n":3,"k":"clo')
  await open().close()
  const { ids: seen, damagedLines, missingLines } = await readAll(dir)
  assert.deepEqual(seen, ['start', 'end', 'start', 'end'])
  assert.deepEqual([damagedLines, missingLines], [1, 0])
})

test('passes over a line with a flipped byte, and counts it as damaged and missing', async (t) => {
  const { dir, open, segments } = openScene(t)
  const journal = open()
  for (const id of ['one', 'two', 'three']) journal.append(close(id))
  await journal.close()
  const file = join(dir, 'w0', segments()[0] as string)
  writeFileSync(file, readFileSync(file, 'latin1').replace('"id":"two"', '"id":"tw0"'), 'latin1')
  const { ids: seen, damagedLines, missingLines } = await readAll(dir)
  assert.deepEqual(seen, ['start', 'one', 'three', 'end'])
  assert.deepEqual([damagedLines, missingLines], [1, 1])
})

test('begins a new segment when one is full, and removes what has been stored', async (t) => {
  const { dir, open, segments } = openScene(t)
  const journal = open({ segmentBytesMax: 2000 })
  for (let count = 0; count < 20; count++) {
    await new Promise<void>((resolve) => journal.append(close(`c${count}`), resolve))
  }
  await journal.close()
  assert.ok(segments().length > 3)
  const reader = openJournalReader({ dir })
  const batch = await readAll(dir)
  assert.equal(batch.lines.length, 22)
  assert.equal(await reader.lag(batch.cursors), 0)
  assert.ok((await reader.lag([])) > 4000)
  await reader.acknowledge(batch.cursors)
  assert.equal(segments().length, 1)
  const again = open()
  again.append(close('later'))
  await again.close()
  const next = await readAll(dir, batch.cursors)
  assert.deepEqual([next.ids, next.missingLines], [['start', 'later', 'end'], 0])
})

test('reads no more lines than asked for and goes on where it stopped', async (t) => {
  const { dir, open } = openScene(t)
  const journal = open()
  for (let count = 0; count < 10; count++) journal.append(close(`c${count}`))
  await journal.close()
  const reader = openJournalReader({ dir })
  const seen: number[] = []
  let cursors: readonly JournalCursor[] = []
  for (;;) {
    const batch = await reader.read(cursors, 5)
    seen.push(...batch.lines.map((line) => line.sequence))
    if (batch.cursors.length > 0) cursors = batch.cursors
    if (!batch.hasMore) break
    assert.equal(batch.lines.length, 5)
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 12 }, (_, at) => at + 1),
  )
})

test('gives every worker its share of a batch', async (t) => {
  const { dir, open } = openScene(t)
  const busy = open({ worker: 'w0' })
  const quiet = open({ worker: 'w1' })
  for (let count = 0; count < 50; count++) busy.append(close(`c${count}`))
  quiet.append(close('rare'))
  await busy.close()
  await quiet.close()
  const batch = await openJournalReader({ dir }).read([], 10)
  assert.ok(ids(batch.lines.map((line) => line.entry)).includes('rare'))
  assert.deepEqual(
    batch.cursors.map((cursor) => cursor.worker),
    ['w0', 'w1'],
  )
})

test('drops and counts lines beyond its buffer, and never holds up who waits', async (t) => {
  const { dir, open, meter } = openScene(t)
  const journal = open({ bufferBytesMax: 1500 })
  let written = 0
  await new Promise<void>((resolve) => {
    for (let count = 0; count < 10; count++) {
      journal.append(close(`c${count}`), () => {
        if (++written === 10) resolve()
      })
    }
  })
  await journal.close()
  const { lines, missingLines } = await readAll(dir)
  assert.ok(missingLines > 0)
  assert.equal(lines.length + missingLines, 12)
  const dropped = meter.samples().find((sample) => sample.metric === 'journalDropped')
  assert.equal(dropped?.value, missingLines)
})

test('goes on when the disk is full: says so, holds nobody up, and drops beyond its buffer', async (t) => {
  const { dir, open, meter } = openScene(t)
  mkdirSync(join(dir, 'w0'))
  // A segment on a device that is always full.
  symlinkSync('/dev/full', join(dir, 'w0', '0000000000000001.jsonl'))
  const journal = open({ bufferBytesMax: 2000 })
  for (let count = 0; count < 10; count++) {
    await new Promise<void>((resolve) => journal.append(close(`c${count}`), resolve))
  }
  assert.match(journal.fault() ?? '', /does not take the journal/)
  const counted = new Map(meter.samples().map((sample) => [sample.metric, sample.value]))
  assert.equal(counted.get('journalWriteFailures'), 11)
  assert.ok((counted.get('journalDropped') ?? 0) > 0)
  await journal.close()
})

test('hands each slot to one holder, and finds those that nobody holds', (t) => {
  const { dir } = openScene(t)
  const first = claimSlot(dir)
  const second = claimSlot(dir)
  assert.deepEqual([first.worker, second.worker], ['w0', 'w1'])
  assert.deepEqual(claimAbandonedSlots(dir), [])
  first.release()
  const [abandoned] = claimAbandonedSlots(dir)
  assert.equal(abandoned?.worker, 'w0')
  abandoned?.release()
  assert.equal(claimSlot(dir).worker, 'w0')
})

test('counts a line that comes after its end once, also when it was put off', async (t) => {
  const { open, meter } = openScene(t)
  const journal = open()
  await journal.close()
  let written = 0
  journal.append(
    () => null,
    () => (written += 1),
  )
  assert.equal(written, 0)
  journal.append(close('late'), () => (written += 1))
  const dropped = meter.samples().find((sample) => sample.metric === 'journalDropped')
  assert.deepEqual([written, dropped?.value], [1, 1])
})
