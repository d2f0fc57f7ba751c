// The signals to the program: what ends it, and what makes it read its configuration again.

import { isatty } from 'node:tty'

import { systemClock } from '../core/clock.ts'

/** One Ctrl-C can reach us twice, from the terminal and from npm. */
const INSIST_AFTER_MS = 1000

export interface Signals {
  /** Resolves at the first signal to end, or when the launcher that started us is gone. */
  readonly stopped: Promise<void>
  /** Resolves at the second: its sender will not wait for running calls. */
  readonly insisted: Promise<void>
  /** Runs at each SIGHUP; one that came before is not forgotten. */
  readonly onReload: (reload: () => void) => void
}

export function listenForSignals(): Signals {
  const stop = Promise.withResolvers<void>()
  const insist = Promise.withResolvers<void>()
  let firstAt: number | null = null
  const onSignal = (): void => {
    const now = systemClock.monotonic()
    firstAt ??= now
    stop.resolve()
    if (now - firstAt > INSIST_AFTER_MS) insist.resolve()
  }
  let isReloadMissed = false
  let reload = (): void => {
    isReloadMissed = true
  }
  const hadTerminal = isatty(0)
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', () => {
    // The same signal reports a closed terminal: then we are to end.
    if (hadTerminal && !isatty(0)) onSignal()
    else reload()
  })
  process.once('disconnect', () => stop.resolve())
  return {
    stopped: stop.promise,
    insisted: insist.promise,
    onReload: (use) => {
      reload = use
      if (isReloadMissed) use()
    },
  }
}
