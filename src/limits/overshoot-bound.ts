// How much can be spent beyond a blocking budget's limit, if no call costs more than the most
// expensive one of the period. On one machine, and on several nodes while something is free: by the
// calls that are out now. Must stay true: since nothing was free once, no figure is lower than what
// is spent beyond the limit in the end, if calls reserve about the usual cost.

import type { LeasedMoney } from '../core/budget-state.ts'
import type { Money } from '../core/money.ts'
import { PLENTY_PARTS } from './fast-path.ts'

export interface OutstandingCalls {
  readonly limit: Money
  /** Read after the leases: a call that settles in between counts twice rather than not at all. */
  readonly spent: Money
  /** The cost of the most expensive call. */
  readonly largest: Money
  /** The average cost of a call; 0 where none is known. */
  readonly usual: Money
  readonly running: number
  /** Null where there is one node. */
  readonly leases: LeasedMoney | null
}

/**
 * Every amount that is not on record can be reserved by calls that cost the most, at the price of
 * the usual: those that run, those that ended, and those still to come from leases and from what is
 * free. A cost that comes on record takes as much out of it as it adds to `spent`, or more. So the
 * figure only falls, also where leases are given back and taken again, or calls cost less.
 */
export function overshootBound(calls: OutstandingCalls): Money {
  const { limit, spent, largest, usual, leases } = calls
  const running = BigInt(calls.running) * largest
  if (leases === null) return running
  const { leased, reserved, ended } = leases
  const [most, average] = usual > 0n && largest > usual ? [largest, usual] : [1n, 1n]
  const atWorst = (amount: Money): Money => (amount * most + average - 1n) / average
  // Less than the usual was reserved for some of them.
  const runningMore = atLeastZero(running - atWorst(reserved - ended))
  if (!wasFullyLeased(calls, leases)) return atWorst(reserved) - reserved + runningMore
  // While the limit is not reached on record, one call more passes than there is money for.
  const left = spent < limit ? limit - spent + usual : 0n
  const coming = atLeastZero((left > leased ? left : leased) - reserved)
  const unasked = coming / BigInt(PLENTY_PARTS)
  return atLeastZero(spent + atWorst(reserved + coming + unasked) + runningMore - limit)
}

/** Something may be free again since, and be taken again: the nodes have used all of it once. */
function wasFullyLeased({ limit, spent }: OutstandingCalls, leases: LeasedMoney): boolean {
  const { leased, fullyLeasedLimit } = leases
  return spent + leased >= limit || (fullyLeasedLimit !== null && fullyLeasedLimit >= limit)
}

function atLeastZero(amount: Money): Money {
  return amount > 0n ? amount : 0n
}
