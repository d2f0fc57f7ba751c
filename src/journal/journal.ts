// The durable queue between the proxy and the ledger, on local disk. This file is its door: what
// the proxy appends to and what the ledger reads from. The files' format, limits and crash story
// are in format.ts.

import type { CallOpening, UsageEvent } from '../core/usage-event.ts'

export type JournalEntry =
  /**
   * A process began to write here: whatever it finds open before this line died with its process.
   */
  | { readonly kind: 'start' }
  /** A request is about to be forwarded. */
  | { readonly kind: 'open'; readonly opening: CallOpening }
  /**
   * A call ended, and its tokens are still being counted: its close follows, unless the process
   * dies first.
   */
  | { readonly kind: 'held'; readonly event: UsageEvent }
  /** A call ended, or was denied; a denied call has no open line. */
  | { readonly kind: 'close'; readonly event: UsageEvent }
  /** The process ended cleanly: nothing is open after this line. */
  | { readonly kind: 'end' }

/** An entry, or what makes it: called once, when the line is written. */
export type JournalEntrySource = JournalEntry | (() => JournalEntry)

export interface JournalWriter {
  /**
   * Takes the entry and returns at once. Lines of one turn are made and written together at its
   * end, where an entry that takes work to make is best made: its code is warm after the first.
   * `written` runs when the line has reached the operating system, or when that failed and the line
   * waits in memory or was dropped: it never fails and is never left out.
   */
  append(source: JournalEntrySource, written?: () => void): void
  /** Why lines wait in memory, in a sentence; null while the disk takes them. */
  fault(): string | null
  /** Writes what waits, syncs it to the disk and ends the journal cleanly. */
  close(): Promise<void>
}

/** A place in one worker's journal: everything before it has been stored. */
export interface JournalCursor {
  readonly worker: string
  readonly segment: number
  readonly offset: number
  /** The sequence number of the last line before this place; 0 at the beginning. */
  readonly sequence: number
  /** The calls that were opened before this place, those included whose lines were lost. */
  readonly forwarded: number
}

export interface JournalLine {
  readonly worker: string
  readonly sequence: number
  readonly entry: JournalEntry
}

/** A whole line that is not understood here: a newer Weir wrote it, or one with a defect. */
export interface UnreadLine {
  readonly worker: string
  readonly sequence: number
  /** Its JSON, as it stands. */
  readonly text: string
  readonly reason: string
}

export interface JournalBatch {
  readonly lines: readonly JournalLine[]
  /** One for each worker's journal that was read further. */
  readonly cursors: readonly JournalCursor[]
  /** Lines that did not match their checksum; they were passed over. */
  readonly damagedLines: number
  readonly unreadLines: readonly UnreadLine[]
  /** Sequence numbers that never came: lines that were damaged or lost. */
  readonly missingLines: number
  /** Calls that were opened between the old places and the new ones, lost lines included. */
  readonly forwarded: number
  /** True when more is waiting than this batch could take. */
  readonly hasMore: boolean
}

/** What lies behind the given places. */
export interface JournalLag {
  readonly bytes: number
  /** Calls whose open line is among it, lost lines included. */
  readonly calls: number
}

export interface JournalReader {
  /** Reads on from the given places, over all workers' journals, up to a limit of lines. */
  read(cursors: readonly JournalCursor[], linesMax: number): Promise<JournalBatch>
  /** Removes the segments that lie wholly before the given places. */
  acknowledge(cursors: readonly JournalCursor[]): Promise<void>
  lag(cursors: readonly JournalCursor[]): Promise<JournalLag>
  close(): Promise<void>
}
