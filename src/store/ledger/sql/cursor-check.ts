// Guards a node's cursors against a process of the node that has not quite ended: its last batch
// may be committed after this process has read where to go on. Must stay true: a batch is stored
// only where the one before it ended, or the calls it counts as forwarded would be counted twice.

import type { Sql } from '../../sql/sql.ts'
import { StoreBusy } from '../../store-busy.ts'
import type { StoredCursor } from '../ledger-progress.ts'
import type { LedgerOwner } from '../ledger-owner.ts'
import { readCursors } from './journal-state.ts'

export interface CursorCheck {
  /** What the ledger continues from: what it read at the start, or after a batch that failed. */
  learn(cursors: readonly StoredCursor[]): void
  read(sql: Sql): Promise<readonly StoredCursor[]>
  /** Throws where a cursor that the batch moves is elsewhere than this process left it. */
  require(stored: readonly StoredCursor[], moved: readonly StoredCursor[]): void
  /** After a batch: it was stored, or it is not known whether it was. */
  follow(moved: readonly StoredCursor[]): void
  doubt(): void
}

export function createCursorCheck(owner: LedgerOwner): CursorCheck {
  // Null until the ledger has read its state: who only adds a batch, such as a replay, has none.
  let known: Map<string, StoredCursor> | null = null
  let isInDoubt = true

  return {
    learn(cursors) {
      // The state is read for its tally, too: that must not hide that a cursor has moved.
      if (!isInDoubt) return
      known = new Map(cursors.map((cursor) => [cursor.worker, cursor]))
      isInDoubt = false
    },
    read: (sql) => readCursors(sql, owner),
    require(stored, moved) {
      if (known === null) return
      const byWorker = new Map(stored.map((cursor) => [cursor.worker, cursor]))
      const isElsewhere = ({ worker }: StoredCursor): boolean =>
        !isSame(byWorker.get(worker), known?.get(worker))
      if (!moved.some(isElsewhere)) return
      throw new StoreBusy('Another process of this node has stored calls meanwhile.', {
        hint: 'It is read again by itself. Run one ledger for a data directory.',
      })
    },
    follow(moved) {
      for (const cursor of moved) known?.set(cursor.worker, cursor)
    },
    doubt() {
      isInDoubt = true
    },
  }
}

function isSame(one: StoredCursor | undefined, other: StoredCursor | undefined): boolean {
  return (
    one?.segment === other?.segment &&
    one?.offset === other?.offset &&
    one?.sequence === other?.sequence
  )
}
