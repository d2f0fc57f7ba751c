// What a worker lets through by itself while every budget that covers a call has plenty: asking
// would only cost time. Must stay true: of what was free at the last update, all workers together
// let through a sixteenth before the next one. By so much a budget can be overdrawn at the most, if
// the limit bank gives the rest away meanwhile.

import type { Money } from '../core/money.ts'
import type { ExpectedCost, LimitedBudget } from './limit-bank.ts'

/** Of what is free, one of so many parts is shared out evenly. */
export const PLENTY_PARTS = 16
/**
 * Reports that are on their way to the limit bank. Where there are more it is behind, and is asked.
 */
export const UNCONFIRMED_MAX = 4096

export class FastPath {
  #workers = 1
  /** How many calls were ever let through here. */
  #count = 0
  /**
   * Those that the limit bank has not confirmed yet, the oldest first; `#count` is the number of
   * the last.
   */
  #unconfirmed: (readonly ExpectedCost[])[] = []
  /** What they are expected to cost, by budget. */
  readonly #granted = new Map<string, Money>()

  /** `reports` is how many of this worker's calls are in what the states say is reserved. */
  updated(workers: number, reports: number): void {
    this.#workers = Math.max(1, workers)
    this.#unconfirmed = this.#unconfirmed.slice(reports - (this.#count - this.#unconfirmed.length))
    this.#granted.clear()
    for (const budgets of this.#unconfirmed) this.#add(budgets)
  }

  /** Takes this worker's share of each, where all have plenty. */
  take(
    budgets: readonly ExpectedCost[],
    stateOf: (id: string) => LimitedBudget,
    nowMs: number,
  ): boolean {
    if (this.#unconfirmed.length >= UNCONFIRMED_MAX) return false
    const parts = BigInt(PLENTY_PARTS * this.#workers)
    for (const { id, expected } of budgets) {
      const { budget, span, spent, reserved } = stateOf(id)
      const free = budget.limit - (nowMs < span.endMs ? spent : 0n) - reserved
      if (((this.#granted.get(id) ?? 0n) + expected) * parts >= free) return false
    }
    this.#count++
    this.#unconfirmed.push(budgets)
    this.#add(budgets)
    return true
  }

  #add(budgets: readonly ExpectedCost[]): void {
    for (const { id, expected } of budgets) {
      this.#granted.set(id, (this.#granted.get(id) ?? 0n) + expected)
    }
  }
}
