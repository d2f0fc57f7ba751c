// The loop from journal to usage store: rounds one after the other, a pause when nothing waits, a
// growing one while something fails. Must stay true: the loop survives whatever a round throws.

import { setImmediate } from 'node:timers/promises'
import { Round } from './round.ts'
import type { RoundFigures, RoundOptions } from './round.ts'
import type { LedgerStand } from './read-completeness.ts'

export type { LedgerLog } from './report-batch.ts'

export interface LedgerOptions extends RoundOptions {
  /** The pause between reads when nothing more is waiting. */
  readonly intervalMs: number
  /** What it grows to while little comes: to some stores small batches cost several times more. */
  readonly intervalMsMax?: number
}

export interface LedgerStatus extends RoundFigures {
  /** The last failure in a sentence; null after a round that succeeded. */
  readonly lastError: string | null
}

export interface Ledger {
  status(): LedgerStatus
  /** Null until the store was first read. */
  stand(): LedgerStand | null
  /** Workers with open calls, as far as the journals have been stored. */
  openWorkers(): readonly string[]
  /**
   * Stores what is in the journals, if possible, then ends. Reader and store stay open. While the
   * store fails, it is tried again for `retryMs` (0).
   */
  close(retryMs?: number): Promise<void>
}

/** A round with as many records is worth its transaction. */
const RECORDS_WORTHWHILE = 500
const RETRY_PAUSE_MIN_MS = 100
/** A store that is back is used so soon; trying costs it nothing. */
const RETRY_PAUSE_MAX_MS = 5000
/** At the end there is no time for long ones. */
const LAST_RETRY_PAUSE_MS = 250

/** Returns at once, even if the store is unavailable: it retries, and no line is lost. */
export function openLedger(options: LedgerOptions): Ledger {
  const { meter, log, clock, intervalMs, intervalMsMax = intervalMs } = options
  const round = new Round(options)
  let isClosing = false
  let retryUntil = -Infinity
  let endPause = (): void => {}
  let failures = 0
  let lastError: string | null = null
  let pauseMs = intervalMs

  // One of the three places where errors are caught: whatever failed, the loop continues.
  async function tryRound(): Promise<{ readonly hasMore: boolean; readonly pauseMs: number }> {
    try {
      const before = round.figures().recordsStored
      const hasMore = await round.run()
      failures = 0
      lastError = null
      const hasMany = round.figures().recordsStored - before >= RECORDS_WORTHWHILE
      pauseMs = hasMany || hasMore ? intervalMs : Math.min(pauseMs * 2, intervalMsMax)
      return { hasMore, pauseMs }
    } catch (error) {
      const retryMs = retryPauseMs(failures)
      failures += 1
      lastError = error instanceof Error ? error.message : String(error)
      meter.add('ledgerFailures', 1)
      const details = { err: error, failures, pauseMs: retryMs }
      log?.error(details, 'The usage could not be stored; trying again.')
      return { hasMore: false, pauseMs: retryMs }
    }
  }

  async function loop(): Promise<void> {
    for (;;) {
      // A round that began before closing may have read before the last lines were written.
      const isLast = isClosing
      const next = await tryRound()
      if (next.hasMore) await setImmediate()
      else if (isLast && (lastError === null || clock.monotonic() >= retryUntil)) return
      else if (isLast) await pause(Math.min(next.pauseMs, LAST_RETRY_PAUSE_MS))
      else if (!isClosing) await pause(next.pauseMs)
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const ended = loop()
  return {
    status: () => ({ lastError, ...round.figures() }),
    stand: () => round.stand(),
    openWorkers: () => round.openWorkers(),
    async close(retryMs = 0) {
      isClosing = true
      retryUntil = clock.monotonic() + retryMs
      endPause()
      await ended
    },
  }
}

/** 100 ms, then twice as long each time, up to 5 s. */
export function retryPauseMs(failuresBefore: number): number {
  return Math.min(RETRY_PAUSE_MIN_MS * 2 ** failuresBefore, RETRY_PAUSE_MAX_MS)
}
