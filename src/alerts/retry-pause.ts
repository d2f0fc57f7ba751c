// When a delivery that failed is tried again: at first soon, then ever more seldom, for a day.

const FIRST_PAUSE_MS = 1000
const PAUSE_MS_MAX = 3_600_000
/** Targets that failed together do not come back together. */
const JITTER = 0.2
/** The pauses before the last of them add up to a day and some minutes: 1 s doubled to 2048 s, then 23 hours. */
export const ATTEMPTS_MAX = 36

/** The time until the next attempt, so many having been made; null when there shall be no other. */
export function retryPauseMs(attempts: number, random: () => number): number | null {
  if (attempts >= ATTEMPTS_MAX) return null
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), PAUSE_MS_MAX)
  return Math.round(pause * (1 + JITTER * random()))
}
