import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'

import { EMPTY } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { closed, opened, written } from '../../../test/fakes/journal-scene.ts'
import { sampleEvent } from '../../../test/fakes/usage-samples.ts'
import { openLedgerStore } from '../../store/open-store.ts'
import { createMeter } from '../../app/meter.ts'
import { systemClock } from '../../core/clock.ts'
import { writeLine } from '../../journal/format.ts'
import { openJournalReader } from '../../journal/reader.ts'
import { openJournalWriter } from '../../journal/writer.ts'

interface Summary {
  readonly store_fault: string | null
  readonly workers: readonly Readonly<Record<string, number | string | null>>[]
  readonly segments: readonly Readonly<Record<string, number | string | null>>[]
  readonly odd_lines: readonly {
    readonly kind: string
    readonly file: string
    readonly offset: number
  }[]
}

interface Scene extends CommandLine {
  readonly dir: string
  readonly files: () => string[]
}

/** Two workers: w0 with a call of each kind and a segment more, w1 with one that is closed. */
async function openScene(t: TestContext): Promise<Scene> {
  const line = createCommandLine(t)
  const dir = path.join(line.dataDir, 'journal')
  const options = {
    dir,
    fsync: 'never',
    fsyncIntervalMs: 100,
    segmentBytesMax: 1_000_000,
    segmentSecondsMax: 3600,
    bufferBytesMax: 1_000_000,
    meter: createMeter(),
  } as const
  const first = openJournalWriter({ ...options, worker: 'w0' })
  await written(first, opened('died'))
  await first.close()
  const second = openJournalWriter({ ...options, worker: 'w0' })
  t.after(() => second.close())
  await written(second, opened('running'))
  await written(second, opened('counted'))
  await written(second, { kind: 'held', event: sampleEvent({ id: 'counted' }) })
  const other = openJournalWriter({ ...options, worker: 'w1' })
  await written(other, opened('done'))
  await written(other, closed('done'))
  await other.close()
  const files = (): string[] =>
    readdirSync(path.join(dir, 'w0')).map((name) => path.join(dir, 'w0', name))
  return { ...line, dir, files }
}

/** As the ledger does, up to so many lines. */
async function storePlaces({ dataDir, dir }: Scene, linesMax: number): Promise<void> {
  const { cursors } = await openJournalReader({ dir }).read([], linesMax)
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  await store.writeBatch({ ...EMPTY, cursors })
  await store.close()
}

test('counts segments, lines and calls, works without a store, and makes none', async (t) => {
  const { json, weir, dataDir } = await openScene(t)
  const { workers, segments, odd_lines, store_fault } = await json<Summary>('journal', 'inspect')
  const { bytes: _, ...w0 } = workers[0] ?? {}
  assert.deepEqual(w0, {
    worker: 'w0',
    segments: 2,
    lines: 7,
    stored_lines: null,
    forwarded: 3,
    open_lines: 3,
    held_lines: 1,
    close_lines: 0,
    open_calls: 2,
    held_calls: 1,
    damaged_lines: 0,
    unread_lines: 0,
    missing_lines: 0,
  })
  assert.deepEqual([workers[1]?.['worker'], workers[1]?.['open_calls']], ['w1', 0])
  assert.deepEqual(
    segments.map(({ file, first_sequence, lines }) => [file, first_sequence, lines]),
    [
      ['w0/0000000000000001.jsonl', 1, 3],
      ['w0/0000000000000004.jsonl', 4, 4],
      ['w1/0000000000000001.jsonl', 1, 4],
    ],
  )
  assert.deepEqual(odd_lines, [])
  assert.match(store_fault ?? '', /no usage store yet/)
  assert.ok(!existsSync(path.join(dataDir, 'usage.db')))
  const { out } = await weir('journal', 'inspect')
  assert.match(out, /^WORKER +SEGMENTS/)
  assert.match(out, /w0 +2 /)
  assert.match(out, /How much is stored could not be determined/)
})

test('tells which lines are stored already', async (t) => {
  const scene = await openScene(t)
  await storePlaces(scene, 8)
  const { workers, segments } = await scene.json<Summary>('journal', 'inspect')
  assert.deepEqual(
    workers.map(({ stored_lines }) => stored_lines),
    [4, 4],
  )
  assert.deepEqual(
    segments.map(({ stored_lines }) => stored_lines),
    [3, 1, 4],
  )
  const one = await scene.json<Summary>('journal', 'inspect', '--worker', 'w1')
  assert.deepEqual(
    one.workers.map(({ worker }) => worker),
    ['w1'],
  )
})

test('shows damaged, unread and missing lines with file and offset, up to a limit', async (t) => {
  const { json, weir, files } = await openScene(t)
  const [first, second] = files() as [string, string]
  const text = readFileSync(first, 'utf8')
  const at = text.indexOf('\n') + 1
  writeFileSync(first, text.replace('"id":"died"', '"id":"dIed"'))
  const buffer = Buffer.alloc(1000)
  appendFileSync(second, buffer.subarray(0, writeLine('{"n":12,"k":"?"}', buffer, 0)))
  appendFileSync(second, 'unfinished')
  const { workers, odd_lines, segments } = await json<Summary>('journal', 'inspect')
  const { damaged_lines, unread_lines, missing_lines } = workers[0] ?? {}
  assert.deepEqual([damaged_lines, unread_lines, missing_lines], [1, 1, 5])
  assert.deepEqual(
    odd_lines.map(({ kind, file }) => [kind, file]),
    [
      ['damaged', 'w0/0000000000000001.jsonl'],
      ['gap', 'w0/0000000000000001.jsonl'],
      ['gap', 'w0/0000000000000004.jsonl'],
      ['unread', 'w0/0000000000000004.jsonl'],
    ],
  )
  assert.equal(odd_lines[0]?.offset, at)
  assert.equal(segments[1]?.['unfinished_bytes'], 10)
  const few = await json<Summary>('journal', 'inspect', '--limit', '1')
  assert.deepEqual([few.odd_lines.length, few.segments.length], [1, 2])
  const { out } = await weir('journal', 'inspect', '--limit', '1')
  assert.match(out, /1 older segments are not listed/)
  assert.match(out, /damaged +w0\/0000000000000001\.jsonl +\d+ /)
})

test('prints the lines of one call', async (t) => {
  const scene = await openScene(t)
  await storePlaces(scene, 1000)
  const { weir, json } = scene
  const { lines } = await json<{
    lines: readonly { state: string; stored: boolean; line: { k: string } }[]
  }>('journal', 'inspect', '--call', 'counted')
  assert.deepEqual(
    lines.map(({ state, stored, line }) => [state, stored, line.k]),
    [
      ['whole', true, 'open'],
      ['whole', true, 'held'],
    ],
  )
  const { out } = await weir('journal', 'inspect', '--call', 'counted')
  assert.match(out, /^w0\/0000000000000004\.jsonl, byte \d+: whole, stored\n\{\n {2}"n": 6,/)
})

test('says so where there is no journal yet', async (t) => {
  const { weir, json } = createCommandLine(t)
  const { code, out } = await weir('journal', 'inspect')
  assert.equal(code, 0)
  assert.match(out, /^No journal in .* yet: weir start writes one/)
  assert.deepEqual((await json<Summary>('journal', 'inspect')).workers, [])
})

const REFUSED: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  [
    'an unknown worker',
    ['--worker', 'w9'],
    1,
    /no journal of a worker "w9"\.\nThere are: w0, w1\./,
  ],
  ['an unknown call', ['--call', 'none'], 1, /have no line of none\.\n.*weir explain none/],
  ['an id that is none', ['--call', '"'], 2, /letters, digits and hyphens/],
  ['a limit of nothing', ['--limit', '0'], 2, /whole number from 1 to 10000/],
  ['a limit that is no number', ['--limit', 'all'], 2, /whole number from 1 to 10000/],
  ['an option that is none', ['--segment', '1'], 2, /no option --segment/],
]

describe('journal inspect refuses', () => {
  for (const [name, options, expected, message] of REFUSED) {
    test(name, async (t) => {
      const { weir } = await openScene(t)
      const { code, err } = await weir('journal', 'inspect', ...options)
      assert.equal(code, expected)
      assert.match(err, message)
    })
  }
})
