// Calls of a killed process become `interrupted` when a process writes a start line in its place.
// Where none follows, these two lines are written here, while no other process has the place.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import { claimAbandonedSlots } from '../journal/slots.ts'
import { openJournalWriter } from '../journal/writer.ts'
import type { Config } from '../config/config.ts'
import { journalDir } from '../journal/journal-dir.ts'

export interface AbandonedOptions {
  /** All when left out. */
  readonly workers?: readonly string[]
  readonly clock: Clock
  readonly meter: Meter
}

/** Returns the workers whose journals were settled. */
export async function settleAbandonedJournals(
  config: Config,
  { workers, clock, meter }: AbandonedOptions,
): Promise<readonly string[]> {
  if (workers?.length === 0) return []
  const dir = journalDir(config.dataDir)
  const slots = claimAbandonedSlots(dir, workers)
  for (const slot of slots) {
    try {
      const { worker } = slot
      await openJournalWriter({ dir, worker, ...config.journal, clock, meter }).close()
    } finally {
      slot.release()
    }
  }
  return slots.map(({ worker }) => worker)
}
