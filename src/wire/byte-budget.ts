// How much memory what waits may take together in one worker: bodies for a policy, messages for
// the tap.

export class ByteBudget {
  #bytesLeft: number

  constructor(bytesMax: number) {
    this.#bytesLeft = bytesMax
  }

  /** False, and nothing taken, when not enough is left. */
  take(bytes: number): boolean {
    if (bytes > this.#bytesLeft) return false
    this.#bytesLeft -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#bytesLeft += bytes
  }
}
