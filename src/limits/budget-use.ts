// One blocking budget at the limit bank: what is spent, and what calls the ledger does not know yet
// are expected to cost. Must stay true: an ended call's expected cost is kept until its real one is
// in `spent`, or it is among those of unknown cost, so that nothing looks free in between.

import { spanOf } from '../core/budget.ts'
import { usedOf } from '../core/budget-state.ts'
import type { BudgetState } from '../core/budget-state.ts'
import type { Clock } from '../core/clock.ts'
import type { Money } from '../core/money.ts'

/** Calls that have ended and are not known to be in `spent`. */
interface Settling {
  endedAt: number
  /** On the monotonic clock: any report from then on settles them. */
  settledAt: number
  expected: Money
}

/** While no report comes they pile up: above this the oldest are merged, and settled a bit late. */
export const SETTLING_MAX = 1024

export class BudgetUse {
  state: BudgetState
  running = 0
  reserved: Money = 0n
  /** Of `reserved`, what is for calls that have ended. */
  ended: Money = 0n
  /** In ascending order of their end. */
  readonly #settling: Settling[] = []

  constructor(state: BudgetState) {
    this.state = state
  }

  /** Until the ledger reports a new period, nothing is spent in it. */
  stateAt(nowMs: number): BudgetState {
    const { state } = this
    if (nowMs < state.span.endMs) return state
    return { ...state, span: spanOf(state.budget.period, nowMs), spent: 0n, unpriced: 0 }
  }

  isUsedUp(nowMs: number): boolean {
    return usedOf(this.stateAt(nowMs)) >= this.state.budget.limit
  }

  hasRoom(nowMs: number): boolean {
    return usedOf(this.stateAt(nowMs)) + this.reserved < this.state.budget.limit
  }

  get isInUse(): boolean {
    return this.running > 0 || this.reserved !== 0n
  }

  reserve(expected: Money): void {
    this.running++
    this.reserved += expected
  }

  /** The call was not made after all. */
  cancel(expected: Money): void {
    this.running--
    this.reserved -= expected
  }

  end(ended: Readonly<Settling>): void {
    this.running--
    this.ended += ended.expected
    const settling = this.#settling
    let at = settling.length
    // Workers report their calls a little out of order.
    while (at > 0 && (settling[at - 1] as Settling).endedAt > ended.endedAt) at--
    const before = settling[at - 1]
    if (before?.endedAt === ended.endedAt && before.settledAt === ended.settledAt) {
      before.expected += ended.expected
    } else {
      settling.splice(at, 0, { ...ended })
    }
    if (settling.length > SETTLING_MAX) this.#join()
  }

  /** Calls that ended before `completeUntil` are in the state. Returns what they had reserved. */
  settle(completeUntil: number, clock: Clock): Money {
    const before = this.reserved
    const settling = this.#settling
    const [nowMs, passedMs] = [clock.now(), clock.monotonic()]
    let kept = 0
    for (const entry of settling) {
      if (entry.endedAt < completeUntil || entry.settledAt <= passedMs) {
        this.reserved -= entry.expected
        this.ended -= entry.expected
      } else {
        // Nothing has ended in the future: if so the clock was set back, and reports use the new
        // time.
        entry.endedAt = Math.min(entry.endedAt, nowMs)
        settling[kept++] = entry
      }
    }
    settling.length = kept
    return before - this.reserved
  }

  #join(): void {
    const [oldest, next] = this.#settling.splice(0, 2) as [Settling, Settling]
    const settledAt = Math.max(oldest.settledAt, next.settledAt)
    const expected = oldest.expected + next.expected
    this.#settling.unshift({ endedAt: next.endedAt, settledAt, expected })
  }
}
