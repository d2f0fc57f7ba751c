// How long the readers of a worker work in one turn of the event loop, all of them together. Must
// stay true: it is one time for the whole turn. A socket brings up to thirty pieces in a turn, and
// time for each of them would add up to a wait that the other streams feel.

const TURN_MS = 3

/** Tells time that never runs backwards. */
interface Ticking {
  monotonic(): number
}

/** One for each worker. */
export class TurnTime {
  readonly #clock: Ticking
  #isBegun = false
  #until = 0

  constructor(clock: Ticking) {
    this.#clock = clock
  }

  /** False: what is left to read waits for a later turn. The first who asks begins the time. */
  hasLeft(): boolean {
    const now = this.#clock.monotonic()
    if (!this.#isBegun) {
      this.#isBegun = true
      this.#until = now + TURN_MS
      setImmediate(() => {
        this.#isBegun = false
      })
    }
    return now < this.#until
  }
}
