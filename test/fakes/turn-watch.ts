// How long this thread works in one turn of its event loop. Others use the machine too, and a turn in which
// they had the processor takes long by the clock: so of the clock's time and the processor's time the
// shorter one counts. The latter alone will not do, since some systems count it in steps of milliseconds.

import { systemClock } from '../../src/core/clock.ts'

export interface TurnWatch {
  /** Returns the longest turn since it was opened, in milliseconds. */
  close(): number
}

export function openTurnWatch(): TurnWatch {
  let longestMs = 0
  let before = now()
  let handle = setImmediate(look)
  function note(): void {
    const after = now()
    const ms = Math.min(after.clockMs - before.clockMs, after.threadMs - before.threadMs)
    longestMs = Math.max(longestMs, ms)
    before = after
  }
  function look(): void {
    note()
    handle = setImmediate(look)
  }
  return {
    close: () => {
      clearImmediate(handle)
      note()
      return longestMs
    },
  }
}

function now(): { clockMs: number; threadMs: number } {
  const { user, system } = process.threadCpuUsage()
  return { clockMs: systemClock.monotonic(), threadMs: (user + system) / 1000 }
}
