// Opens the usage store for `weir rollups rebuild`, also while Weir runs on it.

import type { Clock } from '../../core/clock.ts'
import type { RebuildReport } from '../../store/usage/usage-upkeep.ts'
import { openLedgerStore } from '../../store/open-store.ts'
import { openDataDir } from '../../backup/data-dir.ts'

export type { RebuildReport } from '../../store/usage/usage-upkeep.ts'

export interface RebuildOptions {
  readonly dataDir: string
  readonly clock: Clock
  readonly isTrial: boolean
  readonly onProgress: (records: number) => void
}

export async function rebuildRollups(options: RebuildOptions): Promise<RebuildReport> {
  const { dataDir, clock, isTrial, onProgress } = options
  openDataDir(dataDir)
  const store = await openLedgerStore({ dataDir, clock })
  try {
    return await store.usage.upkeep.rebuildRollups({ isTrial, onProgress })
  } finally {
    await store.close()
  }
}
