// How quickly the live calls follow each other. Must stay true: a demo that is left running for
// days does not bury the company's own days under its calls.

export const CALLERS = 4

/** While it is new and watched: about two calls per second from all callers. */
const BRISK_MS = 600_000
const BRISK_PAUSE_MS = 1200
/** Then about one in six seconds. */
const CALM_PAUSE_MS = 24_000

/** How long a caller waits between two calls, on average. */
export function paceOf(passedMs: number): number {
  return passedMs < BRISK_MS ? BRISK_PAUSE_MS : CALM_PAUSE_MS
}
