// The state of all workers' journals in one answer, for the console and for alerts.

import type { JournalHealth } from '../core/completeness.ts'
import { readJournalCounts } from './read-journal-counts.ts'

/** `dir` has the journals of all workers. */
export async function readJournalHealth(dir: string): Promise<JournalHealth> {
  const counts = await readJournalCounts(dir)
  const refusals = counts.flatMap(({ refusing }) => (refusing === null ? [] : [refusing]))
  return {
    refusal: refusals.toSorted((one, other) => one.since - other.since)[0] ?? null,
    waiting: counts.reduce((sum, { waiting }) => sum + waiting, 0),
  }
}
