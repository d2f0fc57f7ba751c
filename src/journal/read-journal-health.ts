// The state of all workers' journals in one answer, for the console and for alerts.

import type { JournalHealth } from '../core/completeness.ts'
import { readJournalCounts } from './read-journal-counts.ts'

/** `dir` has the journals of all workers. */
export async function readJournalHealth(dir: string): Promise<JournalHealth> {
  const counts = await readJournalCounts(dir)
  return mergeHealth(counts.map(({ refusing: refusal, waiting }) => ({ refusal, waiting })))
}

/** Since when the first of them refuses, and what waits in all. */
export function mergeHealth(parts: readonly JournalHealth[]): JournalHealth {
  const refusals = parts.flatMap(({ refusal }) => (refusal === null ? [] : [refusal]))
  return {
    refusal: refusals.toSorted((one, other) => one.since - other.since)[0] ?? null,
    waiting: parts.reduce((sum, { waiting }) => sum + waiting, 0),
  }
}
