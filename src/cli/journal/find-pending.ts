// A call that is not on record yet: it may be in a journal, or open.

import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { toUsageLocation } from '../../config/store-locations.ts'
import { journalDir } from '../../journal/journal-dir.ts'
import type { JournalCursor } from '../../journal/journal.ts'
import { openJournalReader } from '../../journal/reader.ts'
import { openLedgerStoreToRead } from '../../store/open-store.ts'

export type PendingCall = 'running' | 'ended'

const BATCH_LINES_MAX = 5000
const SEARCH_LINES_MAX = 500_000

/** Null where it is neither. */
export async function findPending(config: Config, id: string): Promise<PendingCall | null> {
  const store = await openLedgerStoreToRead({ ...toUsageLocation(config), isBookOnly: true })
  if (store === null) return null
  try {
    const { cursors, openCalls } = await store.progress.readState()
    const open = openCalls.find(({ opening }) => opening.id === id)
    const known = open === undefined ? null : open.uncounted === undefined ? 'running' : 'ended'
    const dir = journalDir(config.dataDir)
    return existsSync(dir) ? ((await searchJournals(dir, cursors, id)) ?? known) : known
  } finally {
    await store.close()
  }
}

/** Null where no journal has the call. */
async function searchJournals(
  dir: string,
  cursors: readonly JournalCursor[],
  id: string,
): Promise<PendingCall | null> {
  const reader = openJournalReader({ dir })
  const places = new Map(cursors.map((each) => [each.worker, each]))
  let found: PendingCall | null = null
  try {
    for (let lines = 0; lines < SEARCH_LINES_MAX; lines += BATCH_LINES_MAX) {
      const batch = await reader.read([...places.values()], BATCH_LINES_MAX)
      for (const { entry } of batch.lines) {
        if (entry.kind === 'open' && entry.opening.id === id) found = 'running'
        else if ((entry.kind === 'close' || entry.kind === 'held') && entry.event.id === id) {
          return 'ended'
        }
      }
      for (const cursor of batch.cursors) places.set(cursor.worker, cursor)
      if (!batch.hasMore) break
    }
    return found
  } finally {
    await reader.close()
  }
}
