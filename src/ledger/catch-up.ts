// Progress messages while the ledger stores a backlog; none for one that is cleared in a moment.

import type { Clock } from '../core/clock.ts'

/** Below it a start is fast enough to need no message. */
export const CATCH_UP_BYTES_MIN = 8_388_608
/** Traffic continues meanwhile, so the rest is seldom zero. */
export const CAUGHT_UP_BYTES_MAX = 1_048_576
const SAY_MS = 3000
const MB = 1_000_000

export interface CatchUp {
  /** Receives how much is left; the first call decides whether there are messages at all. */
  readonly look: (lagBytes: number) => void
}

export function createCatchUp(options: {
  readonly clock: Clock
  readonly say: (line: string) => void
}): CatchUp {
  const { clock, say } = options
  let startBytes: number | null = null
  let startedAt = 0
  let saidAt = 0
  let isOver = false

  return {
    look(lagBytes) {
      const now = clock.monotonic()
      if (startBytes === null) {
        startBytes = lagBytes
        startedAt = now
        isOver = lagBytes < CATCH_UP_BYTES_MIN
        if (!isOver) say(`storing the journals: ${toMegabytes(lagBytes)} wait`)
        saidAt = now
        return
      }
      if (isOver) return
      const elapsedMs = now - startedAt
      if (lagBytes <= CAUGHT_UP_BYTES_MAX) {
        isOver = true
        say(`the journals are stored: ${toMegabytes(startBytes)} in ${toSeconds(elapsedMs)}`)
        return
      }
      if (now - saidAt < SAY_MS) return
      saidAt = now
      // New calls can leave more than there was at first.
      const done = Math.max(0, startBytes - lagBytes)
      const percent = Math.floor((100 * done) / startBytes)
      const left = done === 0 ? '' : `, about ${toSeconds((elapsedMs * lagBytes) / done)} left`
      say(`storing the journals: ${percent} % of ${toMegabytes(startBytes)}${left}`)
    },
  }
}

function toMegabytes(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`
}

function toSeconds(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
