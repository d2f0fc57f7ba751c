// A journal on disk in a temporary directory, for tests of its writer and its reader.

import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

import { createMeter } from '../../src/app/meter.ts'
import type { MetricName } from '../../src/core/telemetry.ts'
import type {
  JournalBatch,
  JournalCursor,
  JournalEntry,
  JournalWriter,
} from '../../src/journal/journal.ts'
import { openJournalReader } from '../../src/journal/reader.ts'
import { openJournalWriter } from '../../src/journal/writer.ts'
import type { JournalWriterOptions } from '../../src/journal/writer-options.ts'
import { sampleEvent, sampleOpening } from './usage-samples.ts'

export interface JournalScene {
  readonly dir: string
  readonly open: (options?: Partial<JournalWriterOptions>) => JournalWriter
  /** What was counted under this name. */
  readonly counted: (metric: MetricName) => number
  /** The segments' files, oldest first. */
  readonly segments: (worker?: string) => string[]
  readonly bytes: () => Buffer
}

export function openJournalScene(t: TestContext): JournalScene {
  const dir = mkdtempSync(join(tmpdir(), 'weir-journal-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const meter = createMeter()
  const segments = (worker = 'w0'): string[] =>
    readdirSync(join(dir, worker))
      .filter((name) => name.endsWith('.jsonl'))
      .toSorted()
      .map((name) => join(dir, worker, name))
  return {
    dir,
    open: (options = {}) =>
      openJournalWriter({
        dir,
        worker: 'w0',
        fsync: 'interval',
        fsyncIntervalMs: 10,
        segmentBytesMax: 1_000_000,
        segmentSecondsMax: 3600,
        bufferBytesMax: 1_000_000,
        meter,
        ...options,
      }),
    counted: (metric) => {
      const samples = meter.samples().filter((sample) => sample.metric === metric)
      return samples.reduce((sum, sample) => sum + sample.value, 0)
    },
    segments,
    bytes: () => Buffer.concat(segments().map((file) => readFileSync(file))),
  }
}

export function opened(id: string): JournalEntry {
  return { kind: 'open', opening: sampleOpening({ id }) }
}

export function closed(id: string): JournalEntry {
  return { kind: 'close', event: sampleEvent({ id }) }
}

/** Resolves when the line was written, or waits in memory. */
export function written(journal: JournalWriter, entry: JournalEntry): Promise<void> {
  return new Promise((resolve) => journal.append(entry, () => resolve()))
}

/** One word an entry: its kind, and of which call. */
export function words(entries: readonly JournalEntry[]): string[] {
  return entries.map((entry) => {
    switch (entry.kind) {
      case 'open':
        return `open ${entry.opening.id}`
      case 'held':
      case 'close':
        return `${entry.kind} ${entry.event.id}`
      case 'start':
      case 'end':
        return entry.kind
    }
  })
}

export interface ReadAll extends JournalBatch {
  readonly words: readonly string[]
}

export async function readAll(
  dir: string,
  cursors: readonly JournalCursor[] = [],
): Promise<ReadAll> {
  const batch = await openJournalReader({ dir }).read(cursors, 100_000)
  return { ...batch, words: words(batch.lines.map((line) => line.entry)) }
}
