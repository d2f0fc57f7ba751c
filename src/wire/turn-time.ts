// How long a worker's readers may work in one turn of the event loop, all together. Must stay true:
// it is one time per turn, as a socket can bring thirty pieces in one, and however many wait, they
// share it by turns.

const TURN_MS = 3

/** A clock that never runs backwards. */
interface Ticking {
  monotonic(): number
}

/** A small part of what is left to do; false once nothing is. */
export type Work = () => boolean

export class TurnTime {
  readonly #clock: Ticking
  readonly #turnMs: number
  #isBegun = false
  #until = 0
  /** The one that has waited longest is first. */
  readonly #waiting: Work[] = []

  constructor(clock: Ticking, turnMs = TURN_MS) {
    this.#clock = clock
    this.#turnMs = turnMs
  }

  /** False: what is left waits for a later turn. The first call of a turn starts the time. */
  hasLeft(): boolean {
    const now = this.#clock.monotonic()
    if (!this.#isBegun) {
      this.#isBegun = true
      this.#until = now + this.#turnMs
      setImmediate(() => {
        this.#isBegun = false
      })
    }
    return now < this.#until
  }

  /** Does the work in later turns, part by part, among others' that wait. */
  later(work: Work): void {
    if (this.#waiting.push(work) === 1) setImmediate(() => this.#continue())
  }

  #continue(): void {
    do {
      const work = this.#waiting[0] as Work
      const hasMore = work()
      this.#waiting.shift()
      if (hasMore) this.#waiting.push(work)
    } while (this.#waiting.length > 0 && this.hasLeft())
    if (this.#waiting.length > 0) setImmediate(() => this.#continue())
  }
}
