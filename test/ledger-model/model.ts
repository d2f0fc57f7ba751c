// What must be on record, worked out from the journal lines that reached the disk, without any of
// the ledger's code.

import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { WrittenLine } from './crash-disk.ts'

export type ModelEntry =
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'open'; readonly id: string }
  /** `isReadable` is false for lines of a newer Weir. */
  | {
      readonly kind: 'held' | 'close'
      readonly id: string
      readonly event: UsageEvent
      readonly isReadable: boolean
    }

export interface ModelLine {
  readonly entry: ModelEntry
  readonly place: WrittenLine
  isDamaged: boolean
}

export type Outcome =
  | { readonly kind: 'recorded'; readonly event: UsageEvent }
  | { readonly kind: 'interrupted' }
  /** Its worker lives, or nobody has found out yet that it does not. */
  | { readonly kind: 'open' }
  /** Its close cannot be read by this Weir. */
  | { readonly kind: 'dead'; readonly event: UsageEvent }

/** One worker's journal, over all its lives. */
export class ModelJournal {
  readonly lines: ModelLine[] = []

  add(entry: ModelEntry, place: WrittenLine): void {
    this.lines.push({ entry, place, isDamaged: false })
  }

  /** By call, from the first line on; only calls of which a line is left. */
  outcomes(): Map<string, Outcome> {
    const outcomes = new Map<string, Outcome>()
    const running = new Map<string, UsageEvent | null>()
    for (const { entry, isDamaged } of this.readLines()) {
      if (isDamaged) continue
      switch (entry.kind) {
        case 'open':
          running.set(entry.id, null)
          outcomes.set(entry.id, { kind: 'open' })
          break
        case 'held':
          if (entry.isReadable) {
            running.set(entry.id, entry.event)
            outcomes.set(entry.id, { kind: 'open' })
          }
          break
        case 'close':
          running.delete(entry.id)
          outcomes.set(entry.id, {
            kind: entry.isReadable ? 'recorded' : 'dead',
            event: entry.event,
          })
          break
        case 'start':
        case 'end':
          for (const [id, event] of running) {
            outcomes.set(id, event === null ? { kind: 'interrupted' } : { kind: 'recorded', event })
          }
          running.clear()
          break
      }
    }
    return outcomes
  }

  /** All that a reader can see at this moment. */
  readLines(): readonly ModelLine[] {
    return this.lines.at(-1)?.place.isTorn === true ? this.lines.slice(0, -1) : this.lines
  }

  /**
   * Calls that were opened; of these, those whose open line is damaged, and those whose line is not
   * read yet.
   */
  opened(): { readonly all: number; readonly damaged: number; readonly unread: number } {
    const isOpen = ({ entry }: ModelLine): boolean => entry.kind === 'open'
    const opens = this.lines.filter(isOpen)
    return {
      all: opens.length,
      damaged: opens.filter(({ isDamaged }) => isDamaged).length,
      unread: opens.length - this.readLines().filter(isOpen).length,
    }
  }
}
