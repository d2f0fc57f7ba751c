// When a failed delivery is tried again: soon at first, then less and less often, for a day.

const FIRST_PAUSE_MS = 1000
const PAUSE_MS_MAX = 3_600_000
/** Targets that failed together are not retried together. */
const JITTER = 0.2
/** The pauses add up to a day and some minutes: 1 s doubled to 2048 s, then 23 hours. */
export const ATTEMPTS_MAX = 36

/** Null when that attempt was the last. */
export function retryPauseMs(attempts: number, random: () => number): number | null {
  if (attempts >= ATTEMPTS_MAX) return null
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), PAUSE_MS_MAX)
  return Math.round(pause * (1 + JITTER * random()))
}
