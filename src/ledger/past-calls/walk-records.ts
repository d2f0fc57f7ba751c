// Goes through stored calls, oldest first, to change them step by step: a run that is killed leaves
// whole steps, and the next goes on with the rest.

import { setImmediate } from 'node:timers/promises'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { RequestFilter } from '../../store/usage/request-log.ts'
import type { UsageUpkeep } from '../../store/usage/usage-upkeep.ts'

export interface WalkOptions {
  readonly upkeep: Pick<UsageUpkeep, 'readRecords'>
  readonly filter: RequestFilter
  readonly onProgress?: (looked: number) => void
  /** Calls read and changed in one step. */
  readonly stepRecordsMax?: number
}

const STEP_RECORDS_MAX = 2000

export async function walkRecords(
  { upkeep, filter, onProgress, stepRecordsMax: rowsMax = STEP_RECORDS_MAX }: WalkOptions,
  step: (records: readonly UsageRecord[]) => Promise<void>,
): Promise<void> {
  let after: string | null = null
  let looked = 0
  for (;;) {
    const records: readonly UsageRecord[] = await upkeep.readRecords(filter, { after, rowsMax })
    const last = records.at(-1)
    if (last === undefined) return
    after = last.event.id
    await step(records)
    looked += records.length
    onProgress?.(looked)
    // Stores answer without leaving the thread: other work on it needs a turn.
    await setImmediate()
  }
}
