// A key's running calls, and when those of the last minute were granted. Must stay true: no minute
// has more calls than the key may make, and a refused call gets the exact time to wait.

export const WINDOW_MS = 60_000
/** Times outside the window are removed at once when there are this many. */
const PASSED_MAX = 1024

export class KeyUse {
  running = 0
  /** On the monotonic clock, ascending; those before `#from` are outside the window. */
  #times: number[] = []
  #from = 0

  /** How long until another call may be granted; 0 when it may now. */
  waitMs(rpm: number, nowMs: number): number {
    this.#pass(nowMs)
    const granted = this.#times.length - this.#from
    if (granted < rpm) return 0
    // A lowered limit may be overdrawn: then more than one has to leave the window.
    const last = this.#times[this.#from + granted - rpm]
    // With a limit of zero, waiting does not help.
    return last === undefined ? WINDOW_MS : last + WINDOW_MS - nowMs
  }

  /** Null where the key's calls in a minute are not counted. */
  reserve(nowMs: number | null): void {
    this.running++
    if (nowMs !== null) this.#times.push(nowMs)
  }

  release(): void {
    this.running--
  }

  /** A call that was granted then was not made after all. */
  takeBack(grantedAt: number): void {
    const at = this.#times.lastIndexOf(grantedAt)
    if (at >= this.#from) this.#times.splice(at, 1)
  }

  isIdle(nowMs: number): boolean {
    this.#pass(nowMs)
    return this.running === 0 && this.#from === this.#times.length
  }

  #pass(nowMs: number): void {
    const times = this.#times
    while (this.#from < times.length && (times[this.#from] as number) + WINDOW_MS <= nowMs) {
      this.#from++
    }
    if (this.#from < PASSED_MAX && this.#from < times.length) return
    this.#times = times.slice(this.#from)
    this.#from = 0
  }
}
