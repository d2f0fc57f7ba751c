// The calls open in the journal: a drain ends when the last is closed there. A record can come
// after its response, since a compressed body is decoded beside the caller's path.

export class OpenCalls {
  /** From now on answers say that the connection ends. */
  isDraining = false
  /** Connections end with their call, announced or not. */
  isEnding = false
  #count = 0
  #settle: (() => void) | null = null

  opened(): void {
    this.#count++
  }

  closed(): void {
    this.#count--
    if (this.#count === 0) this.#settle?.()
  }

  async whenNone(): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>((resolve) => {
      this.#settle = resolve
    })
  }
}
