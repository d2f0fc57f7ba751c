// What one node may have reserved of one budget at once, the reserved included. Must stay true: it
// is never more than the database has it, so what is being given back is not used meanwhile, and
// what was reserved for calls that are in `spent` has left it.

import type { Money } from '../../core/money.ts'
import { PLENTY_PARTS } from '../fast-path.ts'

/** A node that has not used a budget for so long gives back what it has of it. */
export const IDLE_MS = 2000
/** A node that was refused does not ask again for so long: others give back within a second. */
export const EMPTY_MS = 100

export interface Kept {
  readonly keep: Money
  readonly isActive: boolean
}

export class BudgetLease {
  /** The period that it is for. */
  readonly startMs: number
  /** When a call last needed it, on the monotonic clock. */
  usedAt = -Infinity
  /** Until then nothing is free. */
  emptyUntil = -Infinity
  /** What the workers were last sent as free for calls without asking. */
  offered: Money = 0n
  #amount: Money = 0n
  /** What was free at the last answer: when little of it is left, more is asked for. */
  #freeBefore: Money = 0n
  /** Settled since the question that is under way. */
  #settled: Money = 0n

  constructor(startMs: number) {
    this.startMs = startMs
  }

  get amount(): Money {
    return this.#amount
  }

  room(reserved: Money): Money {
    return this.#amount - reserved
  }

  /** Little is left of what it began with; a few calls are asked for one by one. */
  isLow(reserved: Money, expected: Money): boolean {
    return this.room(reserved) * 4n < this.#freeBefore && this.#freeBefore > expected * 8n
  }

  /** These calls are in `spent`: from now on the database counts them there. */
  settle(expected: Money): void {
    this.#amount -= expected
    this.#settled += expected
  }

  /** A question is about to be sent: returns what is kept, and gives up the rest at once. */
  begin(reserved: Money, nowMs: number): Kept {
    const isActive = nowMs - this.usedAt < IDLE_MS
    const free = this.#amount > reserved ? this.#amount - reserved : 0n
    // Workers may let calls through that they have not reported yet.
    const passing = this.offered / BigInt(PLENTY_PARTS)
    const wanted = isActive ? free / 2n : 0n
    const unused = wanted > passing ? wanted : passing
    const keep = reserved + (unused < free ? unused : free)
    this.#amount = keep
    this.#settled = 0n
    return { keep, isActive }
  }

  /** The answer is there; without one, what was kept is all that is certain. */
  end(amount: Money | null, reserved: Money): void {
    if (amount === null) return
    this.#amount = amount - this.#settled
    this.#freeBefore = this.room(reserved)
  }
}
