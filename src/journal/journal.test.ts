import assert from 'node:assert/strict'
import { appendFileSync, truncateSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'

import fc from 'fast-check'

import {
  closed,
  openJournalScene,
  opened,
  readAll,
  written,
} from '../../test/fakes/journal-scene.ts'
import { sampleEvent, sampleOpening } from '../../test/fakes/usage-samples.ts'
import { NO_LAG } from './journal.ts'
import type { JournalCursor, JournalEntry } from './journal.ts'
import { openJournalReader } from './reader.ts'

test('reads back what was written, in order, money included', async (t) => {
  const { dir, open } = openJournalScene(t)
  const journal = open()
  const opening = sampleOpening({ dims: { team: 'a "quoted", ünïcode\n' } })
  const billing = { cost: 4_200_000n, marketCost: 10n ** 18n, isByok: false, generationId: 'gen_x' }
  const slow = sampleEvent({ id: opening.id })
  const event = sampleEvent({ id: opening.id, billing })
  journal.append({ kind: 'open', opening })
  journal.append({ kind: 'held', event: slow })
  journal.append({ kind: 'close', event })
  await journal.close()
  const { lines, damagedLines, missingLines } = await readAll(dir)
  assert.deepEqual(
    lines.map((line) => line.entry),
    [
      { kind: 'start' },
      { kind: 'open', opening },
      { kind: 'held', event: slow },
      { kind: 'close', event },
      { kind: 'end' },
    ],
  )
  assert.deepEqual([damagedLines, missingLines], [0, 0])
})

test('keeps every name that a call can carry', async (t) => {
  const { dir, open } = openJournalScene(t)
  const anyText = fc.string({ unit: 'binary', maxLength: 40 })
  const anyName = fc.option(anyText, { nil: null })
  // Lone surrogates have no bytes; a caller's bytes never make one.
  const isText = (text: string | null): boolean => text === null || text.isWellFormed()
  const anyCall = fc
    .record({
      keyId: anyName,
      provider: anyText,
      operation: anyName,
      model: anyName,
      dims: fc.dictionary(anyText, anyText, { maxKeys: 4, noNullPrototype: true }),
      toolCalls: fc.dictionary(anyText, fc.nat(), { maxKeys: 3, noNullPrototype: true }),
      violation: anyText,
    })
    .filter(({ dims, toolCalls, ...names }) =>
      [...Object.values(names), ...Object.entries(dims).flat(), ...Object.keys(toolCalls)].every(
        isText,
      ),
    )
  const samples = fc.sample(anyCall, { numRuns: 200, seed: 20_260_304 })
  const journal = open()
  const expected: JournalEntry[] = []
  for (const { model, violation, toolCalls, ...names } of samples) {
    const opening = sampleOpening(names)
    const event = sampleEvent({ ...opening, model, violation, toolCalls })
    expected.push({ kind: 'open', opening }, { kind: 'close', event })
  }
  for (const entry of expected) journal.append(entry)
  await journal.close()
  const { lines, unreadLines, damagedLines } = await readAll(dir)
  assert.deepEqual([unreadLines, damagedLines], [[], 0])
  assert.deepEqual(
    lines.slice(1, -1).map((line) => line.entry),
    expected,
  )
})

test('reports that a line is written only when a reader can see it', async (t) => {
  for (const fsync of ['always', 'interval', 'never'] as const) {
    const { dir, open } = openJournalScene(t)
    const journal = open({ fsync })
    await written(journal, closed('one'))
    assert.deepEqual((await readAll(dir)).words, ['start', 'close one'])
    await journal.close()
  }
})

test('makes an entry when its line is written, and puts behind it what is appended meanwhile', async (t) => {
  const { dir, open } = openJournalScene(t)
  const journal = open()
  const confirmed: string[] = []
  const source = (): JournalEntry => {
    journal.append(closed('late'), () => confirmed.push('late'))
    return closed('first')
  }
  journal.append(source, () => confirmed.push('first'))
  await written(journal, closed('soon'))
  await written(journal, closed('last'))
  assert.deepEqual(confirmed, ['first', 'late'])
  const { words, missingLines } = await readAll(dir)
  const ids = ['first', 'soon', 'late', 'last'].map((id) => `close ${id}`)
  assert.deepEqual([words, missingLines], [['start', ...ids], 0])
  await journal.close()
})

test('goes on from a cursor, waits for an unfinished line, and reads on while it is written', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  const journal = open()
  await written(journal, closed('one'))
  const first = await readAll(dir)
  const [file] = segments() as [string]
  appendFileSync(file, '0badc0de {"n":3,"k":')
  assert.deepEqual((await readAll(dir, first.cursors)).cursors, [])
  truncateSync(file, first.cursors[0]?.offset)
  await written(journal, closed('two'))
  assert.deepEqual((await readAll(dir, first.cursors)).words, ['close two'])
  await journal.close()
})

test('counts lines and calls on after a restart, and shows a start line for each life', async (t) => {
  const { dir, open } = openJournalScene(t)
  for (const id of ['one', 'two', 'three']) {
    const journal = open()
    journal.append(opened(id))
    await journal.close()
  }
  const { lines, missingLines, forwarded, cursors, words } = await readAll(dir)
  const life = (id: string): string[] => ['start', `open ${id}`, 'end']
  assert.deepEqual(words, ['one', 'two', 'three'].flatMap(life))
  assert.deepEqual(
    lines.map((line) => line.sequence),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  assert.deepEqual([missingLines, forwarded], [0, 3])
  const [cursor] = cursors as [JournalCursor]
  assert.deepEqual([cursor.sequence, cursor.forwarded], [9, 3])
})

test('begins a new segment when one is full, and removes what has been stored', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  const journal = open({ segmentBytesMax: 2000 })
  for (let count = 0; count < 20; count++) await written(journal, closed(`c${count}`))
  await journal.close()
  assert.ok(segments().length > 3)
  const reader = openJournalReader({ dir })
  const batch = await readAll(dir)
  assert.equal(batch.lines.length, 22)
  assert.deepEqual(await reader.lag(batch.cursors), NO_LAG)
  assert.ok((await reader.lag([])).bytes > 4000)
  await reader.acknowledge(batch.cursors)
  assert.equal(segments().length, 1)
  const again = open()
  again.append(closed('later'))
  await again.close()
  const next = await readAll(dir, batch.cursors)
  assert.deepEqual([next.words, next.missingLines], [['start', 'close later', 'end'], 0])
})

test('begins a new segment when one is old, with the lines that come then', async (t) => {
  const { dir, open, segments } = openJournalScene(t)
  let now = 5000
  const clock = { now: () => 0, monotonic: () => now }
  const journal = open({ segmentSecondsMax: 60, clock })
  await written(journal, closed('one'))
  now += 59_999
  await written(journal, closed('two'))
  assert.equal(segments().length, 1)
  now += 1
  assert.equal(segments().length, 1)
  await written(journal, closed('three'))
  now += 60_000
  await journal.close()
  assert.deepEqual(
    segments().map((file) => basename(file)),
    ['0000000000000001.jsonl', '0000000000000004.jsonl', '0000000000000005.jsonl'],
  )
  const { words, missingLines } = await readAll(dir)
  assert.deepEqual(words, ['start', 'close one', 'close two', 'close three', 'end'])
  assert.equal(missingLines, 0)
})

test('counts a line that comes after its end as dropped, and makes its entry all the same', async (t) => {
  const { open, counted } = openJournalScene(t)
  const journal = open()
  await journal.close()
  let made = 0
  let confirmed = 0
  const source = (): JournalEntry => {
    made += 1
    return closed('late')
  }
  journal.append(source, () => (confirmed += 1))
  journal.append(closed('later'), () => (confirmed += 1))
  assert.deepEqual([made, confirmed, counted('journalDropped')], [1, 2, 2])
})
