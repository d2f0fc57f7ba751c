// What the ledger's thread does now and then beside its rounds: old calls are removed, and calls of workers that died
// without a successor are settled. Must stay true: a chore that fails is told and tried again later; the ledger goes on.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type { Ledger, LedgerStatus } from '../ledger/ledger.ts'
import type { UsageUpkeep } from '../store/usage/usage-upkeep.ts'
import { settleAbandonedJournals } from './abandoned-journals.ts'
import type { Config } from './config.ts'
import { createCautiousClock, removeOldRecords } from './retention.ts'

export interface ChoreOptions {
  readonly config: Config
  readonly ledger: {
    openWorkers: Ledger['openWorkers']
    status(): Pick<LedgerStatus, 'lastError'>
  }
  readonly upkeep: UsageUpkeep
  readonly clock: Clock
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
}

export interface Chores {
  /** Resolves when none is under way. */
  close(): Promise<void>
}

const ABANDONED_MS = 10_000
const RETENTION_MS = 3_600_000

export function openChores(options: ChoreOptions): Chores {
  const { config, ledger, upkeep, clock, meter, warn } = options
  const stop = new AbortController()
  const { signal } = stop
  const cautiousClock = createCautiousClock(clock)
  const chores = [
    repeat(RETENTION_MS, signal, async () => {
      const days = config.retention.events
      await removeOldRecords({ upkeep, days, clock: cautiousClock, meter, signal })
    }),
    repeat(ABANDONED_MS, signal, async () => {
      // Each time leaves a segment: while the ledger stores nothing, they would only gather.
      if (ledger.status().lastError !== null) return
      await settleAbandonedJournals(config, { workers: ledger.openWorkers(), clock, meter })
    }),
  ]

  /** At once, and again so long after each end; returns the function that waits for the last. */
  function repeat(everyMs: number, until: AbortSignal, work: () => Promise<void>) {
    let running: Promise<void> = Promise.resolve()
    const turn = async (): Promise<void> => {
      try {
        await work()
      } catch (error) {
        warn({ err: error }, 'a chore of the ledger failed; it is tried again later')
      }
      if (until.aborted) return
      const timer = setTimeout(begin, everyMs)
      timer.unref()
      until.addEventListener('abort', () => clearTimeout(timer), { once: true })
    }
    const begin = (): void => {
      running = turn()
    }
    begin()
    return () => running
  }

  return {
    async close() {
      stop.abort()
      for (const ended of chores) await ended()
    },
  }
}
