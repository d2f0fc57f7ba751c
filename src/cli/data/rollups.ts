// Opens the usage store for `weir rollups rebuild`, also while Weir runs on it.

import type { Clock } from '../../core/clock.ts'
import type { RebuildReport } from '../../store/usage/usage-upkeep.ts'
import { openLedgerStore } from '../../store/open-store.ts'
import { openDataDir } from '../../backup/data-dir.ts'
import type { StoreLocation } from '../../config/store-locations.ts'

export type { RebuildReport } from '../../store/usage/usage-upkeep.ts'

export interface RebuildOptions {
  readonly place: StoreLocation
  readonly clock: Clock
  readonly isTrial: boolean
  readonly onProgress: (records: number) => void
}

export async function rebuildRollups(options: RebuildOptions): Promise<RebuildReport> {
  const { place, clock, isTrial, onProgress } = options
  if (place.url === null) openDataDir(place.dataDir)
  const store = await openLedgerStore({ ...place, clock, hasJournals: false })
  try {
    return await store.usage.upkeep.rebuildRollups({ isTrial, onProgress })
  } finally {
    await store.close()
  }
}
