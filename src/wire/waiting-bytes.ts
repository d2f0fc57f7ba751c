// How many bytes wait for one reader: some are its own, and beyond them a worker's readers share
// some. Must stay true: what was taken of the shared bytes is given back once.

import type { ByteBudget } from './byte-budget.ts'

/** A reader's own: what waits of nearly every body. */
export const OWN_BYTES = 8_388_608

export class WaitingBytes {
  readonly #shared: ByteBudget | null
  #bytes = 0

  /** `shared` is null where a reader has only its own. */
  constructor(shared: ByteBudget | null) {
    this.#shared = shared
  }

  /** False, and nothing added, where there is no room. */
  add(bytes: number): boolean {
    const more = beyond(this.#bytes + bytes) - beyond(this.#bytes)
    if (more > 0 && this.#shared?.take(more) !== true) return false
    this.#bytes += bytes
    return true
  }

  remove(bytes: number): void {
    const less = beyond(this.#bytes) - beyond(this.#bytes - bytes)
    if (less > 0) this.#shared?.giveBack(less)
    this.#bytes -= bytes
  }

  clear(): void {
    this.remove(this.#bytes)
  }
}

function beyond(bytes: number): number {
  return Math.max(0, bytes - OWN_BYTES)
}
