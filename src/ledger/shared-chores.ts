// Regular work on what all nodes share: removes old calls and looks for unusual spend. On SQLite
// the ledger does it; on PostgreSQL, the leader of the nodes.

import { assert } from '../core/assert.ts'
import type { Clock } from '../core/clock.ts'
import { parseMoney } from '../core/money.ts'
import type { Money } from '../core/money.ts'
import type { Meter } from '../core/telemetry.ts'
import type { Config } from '../config/config.ts'
import { toConsoleUrl } from '../config/sign-in-settings.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { checkAnomalies } from './anomaly-check.ts'
import type { Chore } from './chores.ts'
import { createCautiousClock, removeOldRecords } from './retention.ts'

export interface SharedChoreOptions {
  readonly config: Config
  readonly store: Pick<LedgerStore, 'progress' | 'usage'>
  readonly clock: Clock
  readonly meter: Meter
  /** A day summed too early would stay wrong: calls waiting in a journal may belong to it. */
  readonly isCaughtUp: () => boolean | Promise<boolean>
}

const RETENTION_MS = 3_600_000
const ANOMALY_MS = 3_600_000
/** By then most of what waited in the journals at the start is stored. */
const ANOMALY_FIRST_MS = 60_000

export function listSharedChores(options: SharedChoreOptions): readonly Chore[] {
  const { config, store, clock, meter, isCaughtUp } = options
  const cautiousClock = createCautiousClock(clock)
  return [
    {
      everyMs: RETENTION_MS,
      work: (signal) => {
        const { upkeep } = store.usage
        const days = config.retention.events
        return removeOldRecords({ upkeep, days, clock: cautiousClock, meter, signal })
      },
    },
    {
      everyMs: ANOMALY_MS,
      firstMs: ANOMALY_FIRST_MS,
      work: async (signal) => {
        if (!config.alerts.anomalies || !(await isCaughtUp())) return
        const consoleUrl = toConsoleUrl(config)
        await checkAnomalies({ store, clock, floor: toFloor(config), consoleUrl, signal })
      },
    },
  ]
}

function toFloor({ alerts }: Config): Money {
  const floor = parseMoney(alerts.anomalyMinUsd)
  assert(floor !== null, 'the configuration contains a whole number')
  return floor
}
