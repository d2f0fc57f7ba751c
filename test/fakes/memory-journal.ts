// Journals in memory, for tests of their readers: an offset is an index, a line is ten bytes, and
// reading is as lazy as on disk.

import { NO_LAG } from '../../src/journal/journal.ts'
import type {
  JournalBatch,
  JournalCursor,
  JournalEntry,
  JournalLag,
  JournalLine,
  JournalReader,
  UnreadLine,
} from '../../src/journal/journal.ts'

/** A line of an unknown kind. */
export interface UnreadEntry {
  readonly kind: 'unread'
  readonly text: string
  readonly reason: string
}

const LINE_BYTES = 10

export class MemoryJournal implements JournalReader {
  readonly lines = new Map<string, (JournalEntry | UnreadEntry)[]>()
  acknowledged: readonly JournalCursor[] = []

  append(worker: string, ...entries: readonly (JournalEntry | UnreadEntry)[]): void {
    this.lines.set(worker, [...(this.lines.get(worker) ?? []), ...entries])
  }

  async read(cursors: readonly JournalCursor[], linesMax: number): Promise<JournalBatch> {
    const lines: JournalLine[] = []
    const unreadLines: UnreadLine[] = []
    const moved: JournalCursor[] = []
    let forwarded = 0
    let hasMore = false
    for (const [worker, entries] of this.lines) {
      const from = cursors.find((cursor) => cursor.worker === worker)?.offset ?? 0
      const fresh = entries.slice(from, from + linesMax - lines.length - unreadLines.length)
      const offset = from + fresh.length
      for (const [index, entry] of fresh.entries()) {
        const sequence = from + index + 1
        if (entry.kind === 'unread') {
          unreadLines.push({ worker, sequence, text: entry.text, reason: entry.reason })
        } else lines.push({ worker, sequence, entry })
      }
      const opened = countOpened(entries.slice(0, offset))
      forwarded += countOpened(fresh)
      const place = { worker, segment: 1, offset, sequence: offset, forwarded: opened }
      if (fresh.length > 0) moved.push(place)
      hasMore ||= offset < entries.length
    }
    const damage = { damagedLines: 0, missingLines: 0 }
    return { lines, unreadLines, cursors: moved, ...damage, forwarded, hasMore }
  }

  async acknowledge(cursors: readonly JournalCursor[]): Promise<void> {
    this.acknowledged = cursors
  }

  async lag(cursors: readonly JournalCursor[]): Promise<JournalLag> {
    let bytes = 0
    let calls = 0
    for (const [worker, entries] of this.lines) {
      const from = cursors.find((cursor) => cursor.worker === worker)?.offset ?? 0
      const waiting = entries.slice(from)
      bytes += waiting.length * LINE_BYTES
      calls += countOpened(waiting)
    }
    return { ...NO_LAG, bytes, calls }
  }

  async close(): Promise<void> {}
}

function countOpened(entries: readonly { readonly kind: string }[]): number {
  return entries.filter((entry) => entry.kind === 'open').length
}
