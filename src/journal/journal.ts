// The durable queue between the proxy and the ledger, on local disk. This file is its door: what the
// proxy appends to and what the ledger reads from. The files' format, limits and crash story are told
// in format.ts.

import type { CallOpening, UsageEvent } from '../core/usage-event.ts'

export type JournalEntry =
  /** A process began to write here: whatever it finds open before this line died with its process. */
  | { readonly kind: 'start' }
  /** A request is about to be forwarded. */
  | { readonly kind: 'open'; readonly opening: CallOpening }
  /** A call ended, or was denied; a denied call has no open line. */
  | { readonly kind: 'close'; readonly event: UsageEvent }
  /** The process ended in good order: nothing is open after this line. */
  | { readonly kind: 'end' }

/** An entry, or what makes it: called once, when the line is written. Null: there is none, it will be appended later. */
export type JournalEntrySource = JournalEntry | (() => JournalEntry | null)

export interface JournalWriter {
  /**
   * Takes the entry and returns at once. Lines of one turn are made and written together at its end, where
   * an entry that takes work to make is best made: its code is warm after the first. `written` runs when the line has reached the operating system,
   * or when that failed and the line waits in memory: it never fails and, where there is a line, is never left out.
   */
  append(source: JournalEntrySource, written?: () => void): void
  /** Why lines wait in memory, in a sentence; null while the disk takes them. */
  fault(): string | null
  /** Writes what waits, syncs it to the disk and ends the journal in good order. */
  close(): Promise<void>
}

/** A place in one worker's journal: everything before it has been stored. */
export interface JournalCursor {
  readonly worker: string
  readonly segment: number
  readonly offset: number
  /** The sequence number of the last line before this place; 0 at the beginning. */
  readonly sequence: number
}

export interface JournalLine {
  readonly worker: string
  readonly sequence: number
  readonly entry: JournalEntry
}

export interface JournalBatch {
  readonly lines: readonly JournalLine[]
  /** One for each worker's journal that was read further. */
  readonly cursors: readonly JournalCursor[]
  /** Lines that did not match their checksum; they were passed over. */
  readonly damagedLines: number
  /** Sequence numbers that never came: lines that were damaged or lost. */
  readonly missingLines: number
  /** True when more is waiting than this batch could hold. */
  readonly hasMore: boolean
}

export interface JournalReader {
  /** Reads on from the given places, over all workers' journals, up to a limit of lines. */
  read(cursors: readonly JournalCursor[], linesMax: number): Promise<JournalBatch>
  /** Removes the segments that lie wholly before the given places. */
  acknowledge(cursors: readonly JournalCursor[]): Promise<void>
  /** Bytes after the given places. */
  lag(cursors: readonly JournalCursor[]): Promise<number>
  close(): Promise<void>
}
