// The durable queue on local disk between the proxy, which appends, and the ledger, which reads.
// The files' format, limits and behaviour in a crash are in format.ts.

import type { CallOpening, UsageEvent } from '../core/usage-event.ts'

export type JournalEntry =
  /** A process began to write here: whatever was open before this line died with its process. */
  | { readonly kind: 'start' }
  | { readonly kind: 'open'; readonly opening: CallOpening }
  /** A call ended but its tokens are being counted: its close follows unless the process dies. */
  | { readonly kind: 'held'; readonly event: UsageEvent }
  /** A call ended, or was denied; a denied call has no open line. */
  | { readonly kind: 'close'; readonly event: UsageEvent }
  /** The process ended cleanly: nothing is open after this line. */
  | { readonly kind: 'end' }

/** An entry, or a function called once to make it when the line is written. */
export type JournalEntrySource = JournalEntry | (() => JournalEntry)

/** What calls do while the disk does not take their lines. */
export type OnFull = 'go-on' | 'refuse'

/**
 * Why a call must not be forwarded, with `refuse`: its open line waits in memory, and a close must
 * follow; or it was dropped, and the call was never opened.
 */
export type OpenRefusal = 'waiting' | 'dropped'

export type Written = (refusal?: OpenRefusal) => void

export interface JournalLog {
  error(details: object, message: string): void
  warn(details: object, message: string): void
}

export interface JournalWriter {
  /**
   * Returns at once; a turn's lines are made and written together at its end, while that code is
   * warm. `written` always runs: when the system has the line, or it waits in memory or was
   * dropped.
   */
  append(source: JournalEntrySource, written?: Written): void
  /** False while no call may be opened: with `refuse`, when the disk does not take lines. */
  canOpen(): boolean
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
  /** The number of the last line before this place; 0 at the beginning. */
  readonly sequence: number
  /** Calls opened before this place, including those whose lines were lost. */
  readonly forwarded: number
}

export interface JournalLine {
  readonly worker: string
  readonly sequence: number
  readonly entry: JournalEntry
}

/** A whole line that is not understood here: by a newer Weir, or one with a defect. */
export interface UnreadLine {
  readonly worker: string
  readonly sequence: number
  readonly text: string
  readonly reason: string
}

export interface JournalBatch {
  readonly lines: readonly JournalLine[]
  /** One per worker's journal that was read further. */
  readonly cursors: readonly JournalCursor[]
  /** Lines that did not match their checksum and were skipped. */
  readonly damagedLines: number
  readonly unreadLines: readonly UnreadLine[]
  /** Sequence numbers that never came: lines that were damaged or lost. */
  readonly missingLines: number
  /** Calls opened between the old places and the new ones, including lost lines. */
  readonly forwarded: number
  readonly hasMore: boolean
}

export interface JournalLag {
  readonly bytes: number
  /** Calls whose open line is among it, including lost lines. */
  readonly calls: number
  /** Calls behind the last line: the disk did not take what came after it. */
  readonly unwritten: number
  /** Calls without a line on the disk that may still get one. */
  readonly waiting: number
  /** Calls with an open line that will not be closed: their close line was dropped. */
  readonly unclosed: number
}

export const NO_LAG: JournalLag = { bytes: 0, calls: 0, unwritten: 0, waiting: 0, unclosed: 0 }

export interface JournalReader {
  read(cursors: readonly JournalCursor[], linesMax: number): Promise<JournalBatch>
  /** Removes the segments that are entirely before the given places. */
  acknowledge(cursors: readonly JournalCursor[]): Promise<void>
  lag(cursors: readonly JournalCursor[]): Promise<JournalLag>
  close(): Promise<void>
}
