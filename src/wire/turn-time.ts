// How long a worker's readers may work in one turn of the event loop, all together. Must stay true:
// it is one time per turn, as a socket can bring thirty pieces in one.

const TURN_MS = 3

/** A clock that never runs backwards. */
interface Ticking {
  monotonic(): number
}

export class TurnTime {
  readonly #clock: Ticking
  readonly #turnMs: number
  #isBegun = false
  #until = 0

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
}
