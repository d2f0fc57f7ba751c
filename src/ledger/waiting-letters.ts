// Dead letters whose lines the ledger has not passed yet. Must stay true: a replay leaves them
// alone, since they are not counted yet and the ledger will reach them again.

import { existsSync } from 'node:fs'

import { openJournalReader } from '../journal/reader.ts'
import type { LedgerState } from '../store/ledger/ledger-progress.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { readLetters } from './dead-letter-file.ts'

const SCAN_LINES = 5000

/** Finds letters of a ledger that died before it wrote the batch. */
export async function findWaiting(
  paths: readonly string[],
  state: LedgerState,
  dataDir: string,
): Promise<ReadonlySet<string>> {
  const sequences = new Map(state.cursors.map(({ worker, sequence }) => [worker, sequence]))
  const doubtful = new Set<string>()
  for (const path of paths) {
    for await (const letter of readLetters(path)) {
      if (typeof letter === 'string') continue
      if (letter.sequence > (sequences.get(letter.worker) ?? 0)) doubtful.add(toPlaceName(letter))
    }
  }
  const waiting = new Set<string>()
  if (doubtful.size === 0 || !existsSync(journalDir(dataDir))) return waiting
  const reader = openJournalReader({ dir: journalDir(dataDir) })
  const cursors = new Map(state.cursors.map((cursor) => [cursor.worker, cursor]))
  for (let hasMore = true; hasMore;) {
    const batch = await reader.read([...cursors.values()], SCAN_LINES)
    for (const line of [...batch.lines, ...batch.unreadLines]) {
      if (doubtful.has(toPlaceName(line))) waiting.add(toPlaceName(line))
    }
    for (const cursor of batch.cursors) cursors.set(cursor.worker, cursor)
    hasMore = batch.hasMore && batch.cursors.length > 0
  }
  await reader.close()
  return waiting
}

export function toPlaceName({ worker, sequence }: { worker: string; sequence: number }): string {
  return `${worker} ${sequence}`
}
