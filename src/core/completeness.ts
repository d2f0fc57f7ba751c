// Whether every forwarded call is on record. Must stay true: the parts add up to the whole, so what
// is not accounted for shows as lost.

export interface Completeness {
  /** Opened in the journals since the beginning. */
  readonly forwarded: number
  readonly recorded: number
  /** Running, or in the journals and not stored yet. */
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
}

export function toCompleteness(figures: CompletenessFigures): Completeness {
  const { recorded, dead, open, unread } = figures
  const forwarded = figures.forwarded + unread
  const pending = open + unread
  // Below zero where a journal was removed by hand and its calls were recorded again.
  const lost = Math.max(0, forwarded - recorded - pending - dead)
  return { forwarded, recorded, pending, dead, lost }
}
