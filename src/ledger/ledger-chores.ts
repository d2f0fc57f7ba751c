// Regular work beside the rounds: removes old calls, settles calls of dead workers, checkpoints the
// settings' log and looks for unusual spend. Must stay true: a chore that fails is logged and tried
// again later, and the ledger continues.

import { assert } from '../core/assert.ts'
import type { Clock } from '../core/clock.ts'
import { parseMoney } from '../core/money.ts'
import type { Money } from '../core/money.ts'
import type { Meter } from '../core/telemetry.ts'
import { checkAnomalies } from './anomaly-check.ts'
import type { Ledger, LedgerStatus } from './ledger.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import type { LedgerStore } from '../store/ledger/ledger-store.ts'
import { settleAbandonedJournals } from './abandoned-journals.ts'
import { CAUGHT_UP_BYTES_MAX } from './catch-up.ts'
import type { Config } from '../config/config.ts'
import { toConsoleUrl } from '../config/sign-in-settings.ts'
import { createCautiousClock, removeOldRecords } from './retention.ts'

export interface ChoreOptions {
  readonly config: Config
  readonly ledger: {
    openWorkers: Ledger['openWorkers']
    status(): Pick<LedgerStatus, 'lastError' | 'lagBytes' | 'completeness'>
  }
  readonly store: Pick<LedgerStore, 'book' | 'usage'>
  readonly settings: Pick<SettingsStore, 'checkpoint'>
  readonly clock: Clock
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
}

interface Pace {
  readonly everyMs: number
  readonly firstMs?: number
}

export interface Chores {
  /** Resolves when none is running. */
  close(): Promise<void>
}

const ABANDONED_MS = 10_000
const RETENTION_MS = 3_600_000
const CHECKPOINT_MS = 2000
const ANOMALY_MS = 3_600_000
/** By then most of what waited in the journals at the start is stored. */
const ANOMALY_FIRST_MS = 60_000

export function openChores(options: ChoreOptions): Chores {
  const { config, ledger, store, settings, clock, meter, warn } = options
  const stop = new AbortController()
  const { signal } = stop
  const cautiousClock = createCautiousClock(clock)
  const chores = [
    repeat({ everyMs: RETENTION_MS }, async () => {
      const days = config.retention.events
      await removeOldRecords({
        upkeep: store.usage.upkeep,
        days,
        clock: cautiousClock,
        meter,
        signal,
      })
    }),
    repeat({ everyMs: CHECKPOINT_MS }, () => settings.checkpoint()),
    repeat({ everyMs: ABANDONED_MS }, async () => {
      // Each time leaves a segment: while the ledger stores nothing, they would pile up.
      if (ledger.status().lastError !== null) return
      await settleAbandonedJournals(config, { workers: ledger.openWorkers(), clock, meter })
    }),
    repeat({ everyMs: ANOMALY_MS, firstMs: ANOMALY_FIRST_MS }, async () => {
      if (!config.alerts.anomalies || !isCaughtUp(ledger.status())) return
      const consoleUrl = toConsoleUrl(config)
      await checkAnomalies({ store, clock, floor: toFloor(config), consoleUrl, signal })
    }),
  ]

  /** Runs after `firstMs`, then `everyMs` after each end; the returned function awaits the last. */
  function repeat({ everyMs, firstMs = 0 }: Pace, work: () => Promise<void>) {
    let running: Promise<void> = Promise.resolve()
    const turn = async (): Promise<void> => {
      try {
        await work()
      } catch (error) {
        warn({ err: error }, 'a chore of the ledger failed; it is tried again later')
      }
      if (!signal.aborted) beginIn(everyMs)
    }
    let timer: NodeJS.Timeout | undefined
    const beginIn = (ms: number): void => {
      timer = setTimeout(begin, ms)
      timer.unref()
    }
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    const begin = (): void => {
      running = turn()
    }
    if (firstMs === 0) begin()
    else beginIn(firstMs)
    return () => running
  }

  return {
    async close() {
      stop.abort()
      for (const ended of chores) await ended()
    },
  }
}

/** A day summed too early would stay wrong: calls waiting in the journals may belong to it. */
function isCaughtUp({
  lastError,
  lagBytes,
  completeness,
}: ReturnType<ChoreOptions['ledger']['status']>): boolean {
  return lastError === null && completeness !== null && lagBytes <= CAUGHT_UP_BYTES_MAX
}

function toFloor({ alerts }: Config): Money {
  const floor = parseMoney(alerts.anomalyMinUsd)
  assert(floor !== null, 'the configuration contains a whole number')
  return floor
}
