// Regular work of a ledger on its own node: settles calls of dead workers, and checkpoints the
// settings' log.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type { Config } from '../config/config.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import { settleAbandonedJournals } from './abandoned-journals.ts'
import { CAUGHT_UP_BYTES_MAX } from './catch-up.ts'
import type { Chore } from './chores.ts'
import type { Ledger, LedgerStatus } from './ledger.ts'

export interface LedgerChoreOptions {
  readonly config: Config
  readonly ledger: {
    openWorkers: Ledger['openWorkers']
    status(): Pick<LedgerStatus, 'lastError'>
  }
  readonly settings: Pick<SettingsStore, 'checkpoint'>
  readonly clock: Clock
  readonly meter: Meter
}

const ABANDONED_MS = 10_000
const CHECKPOINT_MS = 2000

export function listLedgerChores(options: LedgerChoreOptions): readonly Chore[] {
  const { config, ledger, settings, clock, meter } = options
  return [
    { everyMs: CHECKPOINT_MS, work: () => settings.checkpoint() },
    {
      everyMs: ABANDONED_MS,
      work: async () => {
        // Each time leaves a segment: while the ledger stores nothing, they would pile up.
        if (ledger.status().lastError !== null) return
        await settleAbandonedJournals(config, { workers: ledger.openWorkers(), clock, meter })
      },
    },
  ]
}

/** Whether this node's journals are as good as stored. */
export function isCaughtUp({
  lastError,
  lagBytes,
  completeness,
}: Pick<LedgerStatus, 'lastError' | 'lagBytes' | 'completeness'>): boolean {
  return lastError === null && completeness !== null && lagBytes <= CAUGHT_UP_BYTES_MAX
}
