// Journals in memory, for tests of whoever reads them: an offset is an index, a line is ten bytes, and
// reading is as lazy as on disk.

import type { JournalCursor, JournalEntry, JournalReader } from '../../src/journal/journal.ts'

export class MemoryJournal implements JournalReader {
  readonly lines = new Map<string, JournalEntry[]>()
  acknowledged: readonly JournalCursor[] = []

  append(worker: string, ...entries: readonly JournalEntry[]): void {
    this.lines.set(worker, [...(this.lines.get(worker) ?? []), ...entries])
  }

  async read(cursors: readonly JournalCursor[], linesMax: number) {
    const batch = []
    const moved: JournalCursor[] = []
    let hasMore = false
    for (const [worker, entries] of this.lines) {
      const from = cursors.find((cursor) => cursor.worker === worker)?.offset ?? 0
      const fresh = entries.slice(from, from + linesMax - batch.length)
      const offset = from + fresh.length
      for (const [index, entry] of fresh.entries()) {
        batch.push({ worker, sequence: from + index + 1, entry })
      }
      if (fresh.length > 0) moved.push({ worker, segment: 1, offset, sequence: offset })
      hasMore ||= offset < entries.length
    }
    return { lines: batch, cursors: moved, damagedLines: 0, missingLines: 0, hasMore }
  }

  async acknowledge(cursors: readonly JournalCursor[]): Promise<void> {
    this.acknowledged = cursors
  }

  async lag(cursors: readonly JournalCursor[]): Promise<number> {
    let lines = 0
    for (const entries of this.lines.values()) lines += entries.length
    for (const cursor of cursors) lines -= cursor.offset
    return lines * 10
  }

  async close(): Promise<void> {}
}
