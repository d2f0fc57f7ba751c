// The age of the oldest of some journal lines: how far the ledger is behind, in time.

import type { JournalBatch, JournalEntry } from '../journal/journal.ts'

/** Null when no line has a time. */
export function findOldest({ lines }: Pick<JournalBatch, 'lines'>): number | null {
  let oldest: number | null = null
  for (const { entry } of lines) {
    const at = toTime(entry)
    if (at !== null && (oldest === null || at < oldest)) oldest = at
  }
  return oldest
}

function toTime(entry: JournalEntry): number | null {
  switch (entry.kind) {
    case 'open':
      return entry.opening.startedAt
    case 'held':
    case 'close':
      return entry.event.endedAt
    case 'start':
    case 'end':
      return null
  }
}
