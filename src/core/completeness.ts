// Whether every forwarded call is on record. Must stay true: the parts add up to the whole, so what
// is not accounted for shows as lost.

export interface Completeness {
  /** Opened in the journals since the beginning. */
  readonly forwarded: number
  readonly recorded: number
  /** Running, or in the journals or in a worker's memory and not stored yet. */
  readonly pending: number
  /** Put aside because they could not be stored; `weir journal replay` tries again. */
  readonly dead: number
  readonly lost: number
}

export interface CompletenessFigures {
  /** As far as the journals have been read. */
  readonly forwarded: number
  readonly recorded: number
  readonly dead: number
  /** Opened and not closed, as far as the journals have been read. */
  readonly open: number
  /** Opened in what has not been read yet. */
  readonly unread: number
  /** Forwarded after the last line that a disk took. */
  readonly unwritten: number
  /** Without a line on a disk so far: one waits in memory, or is still to come. */
  readonly waiting: number
  /** Opened and not closed for ever: the close line was dropped. */
  readonly unclosed: number
}

export function toCompleteness(figures: CompletenessFigures): Completeness {
  const { recorded, dead } = figures
  const forwarded = figures.forwarded + figures.unread + figures.unwritten
  const onDisk = figures.open + figures.unread
  // Below zero where a journal was removed by hand and its calls were recorded again.
  const missing = Math.max(0, forwarded - recorded - dead - onDisk)
  const possible = onDisk + Math.min(figures.waiting, missing)
  const unclosed = Math.min(figures.unclosed, possible)
  const pending = possible - unclosed
  return { forwarded, recorded, pending, dead, lost: missing + onDisk - pending }
}

/** Whether the disk takes the journals of all workers, as the console and alerts report it. */
export interface JournalHealth {
  /** Null while the disk takes every worker's lines. */
  readonly refusal: JournalRefusal | null
  /** Calls without a line on the disk, which may still get one. */
  readonly waiting: number
}

export interface JournalRefusal {
  /** Of the worker whose lines have waited longest. */
  readonly since: number
  /** What the disk answered, such as ENOSPC. */
  readonly reason: string
}
