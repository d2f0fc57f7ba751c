import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import {
  closed,
  openJournalScene,
  opened,
  readAll,
  words,
  written,
} from '../../test/fakes/journal-scene.ts'
import type { JournalScene } from '../../test/fakes/journal-scene.ts'
import { lineRoom, writeLine } from './format.ts'
import { NO_LAG } from './journal.ts'
import type { JournalCursor } from './journal.ts'
import { BATCH_BYTES_MAX, openJournalReader } from './reader.ts'

/** One life with these calls. */
async function write({ open }: JournalScene, ids: readonly string[], worker = 'w0'): Promise<void> {
  const journal = open({ worker })
  for (const id of ids) await written(journal, opened(id))
  await journal.close()
}

const life = (ids: readonly string[]): string[] => [
  'start',
  ...ids.map((id) => `open ${id}`),
  'end',
]

test('reads no more lines than asked for and goes on where it stopped', async (t) => {
  const scene = openJournalScene(t)
  await write(
    scene,
    Array.from({ length: 10 }, (_, at) => `c${at}`),
  )
  const reader = openJournalReader(scene)
  const seen: number[] = []
  let cursors: readonly JournalCursor[] = []
  let forwarded = 0
  for (;;) {
    const batch = await reader.read(cursors, 5)
    seen.push(...batch.lines.map((line) => line.sequence))
    forwarded += batch.forwarded
    if (batch.cursors.length > 0) cursors = batch.cursors
    if (!batch.hasMore) break
    assert.equal(batch.lines.length, 5)
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 12 }, (_, at) => at + 1),
  )
  assert.deepEqual([forwarded, cursors[0]?.forwarded], [10, 10])
})

test('gives every worker its share of a batch, and what one leaves to the others', async (t) => {
  const scene = openJournalScene(t)
  await write(
    scene,
    Array.from({ length: 50 }, (_, at) => `c${at}`),
    'w0',
  )
  await write(scene, ['rare'], 'w1')
  await write(
    scene,
    Array.from({ length: 50 }, (_, at) => `d${at}`),
    'w2',
  )
  const batch = await openJournalReader(scene).read([], 30)
  const count = (worker: string): number =>
    batch.lines.filter((line) => line.worker === worker).length
  assert.deepEqual([count('w0'), count('w1'), count('w2')], [13, 3, 13])
  assert.equal(batch.hasMore, true)
  assert.deepEqual(
    batch.cursors.map((cursor) => cursor.worker),
    ['w0', 'w1', 'w2'],
  )
})

test('reads one line where one is asked for, also with several workers', async (t) => {
  const scene = openJournalScene(t)
  for (const worker of ['w0', 'w1', 'w2']) await write(scene, ['a', 'b'], worker)
  const batch = await openJournalReader(scene).read([], 1)
  assert.deepEqual([batch.lines.length, batch.cursors.length, batch.hasMore], [1, 1, true])
})

test('reads no more bytes than a batch may take', async (t) => {
  const scene = openJournalScene(t)
  const journal = scene.open({ segmentBytesMax: 10_000_000, bufferBytesMax: 100_000_000 })
  const filler = 'x'.repeat(60_000)
  for (let count = 0; count < 1000; count++) journal.append(opened(`${count}-${filler}`))
  await journal.close()
  const reader = openJournalReader(scene)
  const first = await reader.read([], 100_000)
  assert.equal(first.hasMore, true)
  const { bytes, calls } = await reader.lag(first.cursors)
  const [cursor] = first.cursors as [JournalCursor]
  assert.equal(calls, 1000 - cursor.forwarded)
  const whole = (await reader.lag([])).bytes
  assert.ok(whole - bytes >= BATCH_BYTES_MAX && whole - bytes < BATCH_BYTES_MAX + 65_536)
  const second = await reader.read(first.cursors, 100_000)
  assert.equal(first.lines.length + second.lines.length, 1002)
  assert.equal(second.hasMore, false)
})

test('reports how many bytes and calls wait, also while a line is being written', async (t) => {
  const scene = openJournalScene(t)
  const reader = openJournalReader(scene)
  assert.deepEqual(await reader.lag([]), NO_LAG)
  await write(scene, ['a'])
  const { cursors } = await readAll(scene.dir)
  await write(scene, ['b', 'c'])
  await write(scene, ['d'], 'w1')
  const [, newest] = scene.segments() as [string, string]
  const { bytes } = await reader.lag(cursors)
  writeFileSync(newest, '0badc0de {"n":', { flag: 'a' })
  assert.deepEqual(await reader.lag(cursors), { ...NO_LAG, bytes: bytes + 14, calls: 3 })
})

test('passes over what is not a worker’s, or not there', async (t) => {
  const scene = openJournalScene(t)
  const { dir } = scene
  const reader = openJournalReader({ dir: join(dir, 'nowhere') })
  assert.deepEqual((await reader.read([], 10)).lines, [])
  await reader.acknowledge([{ worker: 'w9', segment: 5, offset: 0, sequence: 4, forwarded: 0 }])
  await write(scene, ['a'])
  mkdirSync(join(dir, 'lost+found'))
  mkdirSync(join(dir, 'w0.old'))
  writeFileSync(join(dir, 'w0.old', '0000000000000001.jsonl'), scene.bytes())
  writeFileSync(join(dir, 'w5'), 'a file')
  writeFileSync(join(dir, 'w0', 'notes.txt'), 'a file')
  // Listed, and gone when it is opened.
  symlinkSync(join(dir, 'gone'), join(dir, 'w0', '0000000000000002.jsonl'))
  const read = await readAll(dir)
  assert.deepEqual([read.words, read.forwarded], [life(['a']), 1])
})

test('puts lines aside that it does not understand, and goes on behind them', async (t) => {
  const scene = openJournalScene(t)
  await write(scene, ['a'])
  const texts = ['{"n":4,"f":1,"k":"pause"}', '{"what":1}', '{"n":6,"f":3,"k":"open","o":{}}']
  const buffer = Buffer.alloc(texts.reduce((sum, text) => sum + lineRoom(text), 0))
  let end = 0
  for (const text of texts) end = writeLine(text, buffer, end)
  writeFileSync(scene.segments()[0] as string, buffer.subarray(0, end), { flag: 'a' })
  await write(scene, ['b'])
  const read = await readAll(scene.dir)
  assert.deepEqual(read.words, [...life(['a']), ...life(['b'])])
  assert.deepEqual(
    read.unreadLines.map(({ worker, sequence, text }) => [worker, sequence, text]),
    texts.map((text, at) => ['w0', 4 + at, text]),
  )
  assert.deepEqual([read.missingLines, read.damagedLines, read.forwarded], [0, 0, 4])
})

test('reads a journal that was started again from its beginning, and removes none of it unread', async (t) => {
  const scene = openJournalScene(t)
  const { dir, segments } = scene
  for (const id of ['a', 'b', 'c', 'd']) await write(scene, [id])
  const { cursors } = await readAll(dir)
  rmSync(join(dir, 'w0'), { recursive: true })
  await write(scene, ['e', 'f'])
  const reader = openJournalReader({ dir })
  await reader.acknowledge(cursors)
  assert.equal(segments().length, 1)
  assert.deepEqual((await reader.lag(cursors)).calls, 2)
  const read = await readAll(dir, cursors)
  assert.deepEqual([read.words, read.forwarded], [life(['e', 'f']), 2])
  assert.deepEqual([read.missingLines, read.cursors[0]?.forwarded], [0, 2])
  const next = await readAll(dir, read.cursors)
  assert.deepEqual([next.words, next.cursors], [[], []])
})

test('reads a journal from its beginning that has grown past the stored place', async (t) => {
  const scene = openJournalScene(t)
  const { dir } = scene
  await write(scene, ['a'])
  const { cursors } = await readAll(dir)
  rmSync(join(dir, 'w0'), { recursive: true })
  const ids = ['somewhat-longer', 'b', 'c']
  await write(scene, ids)
  const read = await readAll(dir, cursors)
  assert.deepEqual([read.words, read.forwarded], [life(ids), 3])
  assert.deepEqual([read.damagedLines, read.missingLines], [0, 0])
})

test('counts no call twice that a power cut took after it was stored, and every new one', async (t) => {
  const scene = openJournalScene(t)
  const { dir, segments } = scene
  await write(scene, ['a', 'b', 'c', 'd'])
  const { cursors } = await readAll(dir)
  const [file] = segments() as [string]
  truncateSync(file, scene.bytes().indexOf('"id":"c"') + 5)
  await write(scene, ['e'])
  const reader = openJournalReader({ dir })
  const seen: string[] = []
  let forwarded = 0
  let places: readonly JournalCursor[] = cursors
  for (;;) {
    const batch = await reader.read(places, 2)
    seen.push(...words(batch.lines.map((line) => line.entry)))
    forwarded += batch.forwarded
    assert.equal(batch.missingLines, 0)
    if (batch.cursors.length > 0) places = batch.cursors
    await reader.acknowledge(places)
    if (!batch.hasMore) break
  }
  assert.deepEqual(seen, ['start', 'open a', 'open b', ...life(['e'])])
  // The new call is the third of these lines, and the fifth of all: the counts file knows.
  assert.deepEqual([forwarded, places[0]?.forwarded], [1, 5])
  await write(scene, ['f'])
  assert.equal((await reader.read(places, 100)).forwarded, 1)
})

test('counts no call twice where a power cut left zeros in place of stored lines', async (t) => {
  const scene = openJournalScene(t)
  const { dir, segments } = scene
  await write(scene, ['a', 'b', 'c'])
  const { cursors } = await readAll(dir)
  const [file] = segments() as [string]
  truncateSync(file, scene.bytes().indexOf('"id":"c"') + 5)
  truncateSync(file, 4096)
  await write(scene, ['d'])
  const batch = await openJournalReader({ dir }).read(cursors, 100)
  assert.deepEqual(words(batch.lines.map((line) => line.entry)), [
    'start',
    'open a',
    'open b',
    ...life(['d']),
  ])
  assert.deepEqual([batch.forwarded, batch.cursors[0]?.forwarded], [1, 4])
})

test('counts what it never saw where segments were removed unread', async (t) => {
  const scene = openJournalScene(t)
  const { dir, segments } = scene
  await write(scene, ['a'])
  const { cursors } = await readAll(dir)
  await write(scene, ['b', 'c'])
  await write(scene, ['d'])
  for (const file of segments().slice(0, 2)) rmSync(file)
  const read = await readAll(dir, cursors)
  assert.deepEqual([read.words, read.missingLines, read.forwarded], [life(['d']), 4, 3])
})

test('does not guess how many calls there were before the first segment it finds', async (t) => {
  const scene = openJournalScene(t)
  await write(scene, ['a', 'b'])
  await write(scene, ['c'])
  rmSync(scene.segments()[0] as string)
  const read = await readAll(scene.dir)
  assert.deepEqual([read.words, read.forwarded], [life(['c']), 1])
  assert.deepEqual([read.missingLines, read.cursors[0]?.forwarded], [0, 3])
})

test('reads lines of an older Weir, and counts from 0 behind them', async (t) => {
  const scene = openJournalScene(t)
  mkdirSync(join(scene.dir, 'w0'))
  const texts = ['{"n":1,"k":"start"}', '{"n":2,"k":"end"}']
  const buffer = Buffer.alloc(1000)
  let end = 0
  for (const text of texts) end = writeLine(text, buffer, end)
  writeFileSync(join(scene.dir, 'w0', '0000000000000001.jsonl'), buffer.subarray(0, end))
  const old = await readAll(scene.dir)
  assert.deepEqual([old.words, old.forwarded], [['start', 'end'], 0])
  await write(scene, ['a'])
  const read = await readAll(scene.dir, old.cursors)
  assert.deepEqual([read.words, read.forwarded, read.missingLines], [life(['a']), 1, 0])
})

test('keeps files that are not its own', async (t) => {
  const scene = openJournalScene(t)
  for (const id of ['a', 'b']) await write(scene, [id])
  writeFileSync(join(scene.dir, 'w0', 'notes.txt'), 'a file')
  const reader = openJournalReader(scene)
  const { cursors } = await reader.read([], 100)
  await reader.acknowledge(cursors)
  await reader.acknowledge(cursors)
  assert.deepEqual(readdirSync(join(scene.dir, 'w0')).toSorted(), [
    '0000000000000004.jsonl',
    'counts',
    'notes.txt',
  ])
})

test('gives a denied call, which was never opened, no part in the count', async (t) => {
  const scene = openJournalScene(t)
  const journal = scene.open()
  await written(journal, closed('denied'))
  await journal.close()
  assert.equal((await readAll(scene.dir)).forwarded, 0)
})
