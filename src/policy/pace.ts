// Until when more has to come of a body or message. Must stay true: single bytes do not renew the
// time of what is kept, as it takes memory from other calls.

export interface PaceServices {
  readonly limits: { readonly bodyTimeoutMs: number }
  readonly deadlines: { until(limitMs: number): number }
}

export class Pace {
  readonly #services: PaceServices
  /** What has to come for a time to begin again. */
  readonly #bytesMin: number
  #freshBytes = 0
  #dueUntil = Infinity

  constructor(services: PaceServices, bytesMin: number) {
    this.#services = services
    this.#bytesMin = bytesMin
  }

  /** Some came, and more has to: the first time of all begins as well. */
  came(bytes: number): void {
    this.#freshBytes += bytes
    if (this.#dueUntil === Infinity || this.#freshBytes >= this.#bytesMin) this.restart()
  }

  restart(): void {
    const { deadlines, limits } = this.#services
    this.#freshBytes = 0
    this.#dueUntil = deadlines.until(limits.bodyTimeoutMs)
  }

  /** Nothing has to come, for now. */
  stop(): void {
    this.#dueUntil = Infinity
  }

  isOverdue(nowMs: number): boolean {
    return nowMs >= this.#dueUntil
  }
}
