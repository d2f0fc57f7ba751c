// What a worker lets through without asking while all budgets of a call have plenty. Must stay
// true: all workers together let through at most a sixteenth of what was free at the last update. A
// budget can be overdrawn by that much, if the limit bank gives the rest away meanwhile.

import { usedOf } from '../core/budget-state.ts'
import type { Money } from '../core/money.ts'
import type { ExpectedCost, LimitedBudget } from './limit-bank.ts'

/** This fraction of what is free is shared out evenly. */
export const PLENTY_PARTS = 16
/** Reports on their way to the limit bank. Above this it is behind, and is asked instead. */
export const UNCONFIRMED_MAX = 4096

export class FastPath {
  #workers = 1
  #count = 0
  /** Not yet confirmed by the limit bank, oldest first; `#count` is the number of the last. */
  #unconfirmed: (readonly ExpectedCost[])[] = []
  readonly #granted = new Map<string, Money>()

  /** `reports`: how many of this worker's calls the reserved sums include. */
  updated(workers: number, reports: number): void {
    this.#workers = Math.max(1, workers)
    this.#unconfirmed = this.#unconfirmed.slice(reports - (this.#count - this.#unconfirmed.length))
    this.#granted.clear()
    for (const budgets of this.#unconfirmed) this.#add(budgets)
  }

  /** Takes this worker's share of each budget, where all have plenty. */
  take(
    budgets: readonly ExpectedCost[],
    stateOf: (id: string) => LimitedBudget,
    nowMs: number,
  ): boolean {
    if (this.#unconfirmed.length >= UNCONFIRMED_MAX) return false
    const parts = BigInt(PLENTY_PARTS * this.#workers)
    for (const { id, expected } of budgets) {
      const free = freeOf(stateOf(id), nowMs)
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

/** Where nodes share a budget, a new period begins with new leases. */
function freeOf(state: LimitedBudget, nowMs: number): Money {
  const { budget, span, reserved, room } = state
  const isOver = nowMs >= span.endMs
  if (room !== undefined) return isOver ? 0n : room
  return budget.limit - (isOver ? 0n : usedOf(state)) - reserved
}
