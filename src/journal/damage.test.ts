import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import {
  closed,
  openJournalScene,
  opened,
  readAll,
  written,
} from '../../test/fakes/journal-scene.ts'
import { nodeDisk } from './disk.ts'
import type { JournalDisk } from './disk.ts'
import { openJournalReader } from './reader.ts'

const LF = 10

/** Nobody cuts the power here. */
const unsynced: JournalDisk = {
  ...nodeDisk,
  sync: (_, done) => done(null),
  syncDirectory: (_, done) => done(null),
}

test('passes over a torn tail once another segment follows, and counts it', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  await open().close()
  appendFileSync(segments()[0] as string, 'deadbeef {"n":3,"k":"clo')
  await open().close()
  const { words, damagedLines, missingLines } = await readAll(dir)
  assert.deepEqual(words, ['start', 'end', 'start', 'end'])
  assert.deepEqual([damagedLines, missingLines], [1, 0])
})

test('passes over a line with a flipped byte, and counts it as damaged and missing', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  const journal = open()
  for (const id of ['one', 'two', 'three']) journal.append(opened(id))
  await journal.close()
  const [file] = segments() as [string]
  writeFileSync(file, readFileSync(file, 'latin1').replace('"id":"two"', '"id":"tw0"'), 'latin1')
  const { words, damagedLines, missingLines, forwarded } = await readAll(dir)
  assert.deepEqual(words, ['start', 'open one', 'open three', 'end'])
  // The call of the damaged line is known to have been, since the next line counts it.
  assert.deepEqual([damagedLines, missingLines, forwarded], [1, 1, 3])
})

test('cut at any byte, it keeps every line before the cut and goes on behind it', async (t) => {
  const { dir, open, segments, bytes } = openJournalScene(t)
  const journal = open()
  for (let count = 0; count < 8; count++) {
    journal.append(opened(`c${count}`))
    if (count % 4 === 3) journal.append(closed(`c${count}`))
  }
  await journal.close()
  const whole = bytes()
  const { words: all } = await readAll(dir)
  const [file] = segments() as [string]
  let lines = 0
  for (let cut = 0; cut <= whole.length; cut++) {
    rmSync(join(dir, 'w0'), { recursive: true })
    mkdirSync(join(dir, 'w0'))
    writeFileSync(file, whole.subarray(0, cut))
    await open({ disk: unsynced }).close()
    // A line that lacks its line feed and nothing else is whole.
    const isWhole = cut === 0 || whole[cut - 1] === LF || whole[cut] === LF
    if (whole[cut] === LF) lines++
    const read = await readAll(dir)
    const place = `cut at ${cut}`
    assert.deepEqual(read.words, [...all.slice(0, lines), 'start', 'end'], place)
    assert.equal(read.damagedLines, isWhole ? 0 : 1, place)
    // The number of a line that is gone is used again, unless the segment is named after it.
    const missing = lines > 0 ? 0 : 1
    assert.deepEqual([read.missingLines, read.unreadLines.length], [missing, 0], place)
    const calls = all.slice(0, lines).filter((word) => word.startsWith('open')).length
    assert.equal(read.forwarded, calls, place)
  }
})

test('a flipped bit in any byte of a line costs this line, and at most the next', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  const journal = open()
  for (const id of ['a', 'b', 'c']) journal.append(opened(id))
  await journal.close()
  const [file] = segments() as [string]
  const whole = readFileSync(file)
  const start = whole.indexOf(LF, whole.indexOf('"id":"a"')) + 1
  const end = whole.indexOf(LF, start)
  for (let at = start; at <= end; at++) {
    const flipped = Buffer.from(whole)
    flipped[at] = (flipped[at] as number) ^ (1 << (at % 8))
    writeFileSync(file, flipped)
    const read = await readAll(dir)
    const place = `byte ${at - start}`
    // Without its line feed it is one with the next.
    const kept = at === end ? [] : ['open c']
    assert.deepEqual(read.words, ['start', 'open a', ...kept, 'end'], place)
    assert.equal(read.damagedLines, 1, place)
    assert.deepEqual([read.missingLines, read.forwarded], [at === end ? 2 : 1, 3], place)
  }
})

test('reads past any length of bytes without a line', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  await open().close()
  appendFileSync(segments()[0] as string, Buffer.alloc(3_000_000))
  const journal = open()
  await written(journal, closed('after'))
  await journal.close()
  const { words, damagedLines } = await readAll(dir)
  assert.deepEqual(words, ['start', 'end', 'start', 'close after', 'end'])
  assert.ok(damagedLines > 0)
})

test('a segment without a whole line is left alone by the next process, also when it is empty', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  const first = open()
  first.append(opened('a'))
  await first.close()
  writeFileSync(join(dir, 'w0', '0000000000000004.jsonl'), '')
  await open().close()
  assert.equal(segments().length, 3)
  writeFileSync(join(dir, 'w0', '0000000000000007.jsonl'), 'torn')
  const third = open()
  third.append(opened('b'))
  await third.close()
  assert.equal(segments().length, 5)
  const { words, lines, forwarded, cursors } = await readAll(dir)
  assert.deepEqual(words, ['start', 'open a', 'end', 'start', 'end', 'start', 'open b', 'end'])
  assert.deepEqual(
    lines.map((line) => line.sequence),
    [1, 2, 3, 5, 6, 8, 9, 10],
  )
  assert.deepEqual([forwarded, cursors[0]?.forwarded], [2, 2])
})

test('reads every line of a process that follows one whose stored lines a power cut took', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  await open().close()
  const first = open()
  first.append(opened('a'))
  await first.close()
  const { cursors } = await readAll(dir)
  truncateSync(segments().at(-1) as string, 0)
  // Its lines are as long as those that were there.
  const second = open()
  second.append(opened('b'))
  await second.close()
  const { words, forwarded } = await readAll(dir, cursors)
  assert.deepEqual(words.slice(-3), ['start', 'open b', 'end'])
  assert.equal(forwarded, 1)
})

test('keeps its counts where the reader has removed all but a segment without a line', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  const journal = open()
  journal.append(opened('a'))
  await journal.close()
  writeFileSync(join(dir, 'w0', '0000000000000004.jsonl'), '')
  const reader = openJournalReader({ dir })
  const batch = await reader.read([], 100)
  await reader.acknowledge(batch.cursors)
  assert.equal(segments().length, 2)
  const next = open()
  next.append(opened('b'))
  await next.close()
  const read = await readAll(dir, batch.cursors)
  assert.deepEqual([read.words, read.forwarded], [['start', 'open b', 'end'], 1])
  assert.equal(read.cursors[0]?.forwarded, 2)
})
