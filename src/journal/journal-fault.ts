// Whether a disk refuses the journal of a worker, in a sentence for operators: the workers know
// themselves, other processes read it here.

import { readJournalCounts } from './read-journal-counts.ts'

/** Null while all disks take lines. */
export async function readJournalFault(dir: string): Promise<string | null> {
  const counts = await readJournalCounts(dir)
  const refusals = counts.flatMap(({ refusing }) => (refusing === null ? [] : [refusing]))
  const [first] = refusals.toSorted((a, b) => a.since - b.since)
  if (first === undefined) return null
  const since = new Date(first.since).toISOString()
  const dropped = counts.reduce((sum, worker) => sum + worker.dropped, 0)
  const workers = refusals.length === 1 ? 'one worker' : `${refusals.length} workers`
  return `The disk does not take the journal of ${workers} (${first.reason}, since ${since}); ${dropped} lines were dropped.`
}
