// Opens a store that another process may have locked: retries until it is free and reports why.
// Must stay true: a fault that does not pass by itself is thrown at once.

import { setTimeout as pause } from 'node:timers/promises'

import type { Clock } from '../core/clock.ts'
import { StoreBusy } from './store-busy.ts'

export interface PatienceOptions {
  readonly clock: Clock
  /** Gives up with the last reason. */
  readonly signal: AbortSignal
  /** Receives the reason for waiting, in a sentence: at once, then now and again. */
  readonly tell: (reason: string) => void
  readonly pauseMs?: number
}

/** An engine itself may wait for seconds at each try. */
const PAUSE_MS = 250
const TELL_AGAIN_MS = 30_000

export async function openPatiently<Opened>(
  open: () => Promise<Opened>,
  { clock, signal, tell, pauseMs = PAUSE_MS }: PatienceOptions,
): Promise<Opened> {
  let saidAt = -Infinity
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StoreBusy) || signal.aborted) throw error
      const now = clock.monotonic()
      if (now - saidAt >= TELL_AGAIN_MS) {
        saidAt = now
        tell(`${error.message} It is tried again until it is free.`)
      }
    }
    await pause(pauseMs)
  }
}
