// How much can be spent beyond a blocking budget's limit by the calls that are out, if each costs
// as much as the most expensive one of the period. On one machine: its running calls. With several
// nodes also what they have leased, as far as it is more than what is still free.

import type { LeasedMoney } from '../core/budget-state.ts'
import type { Money } from '../core/money.ts'
import { PLENTY_PARTS } from './fast-path.ts'

export interface OutstandingCalls {
  readonly limit: Money
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
 * Each running call costs the most at worst, beyond what is reserved for it. Money that is reserved
 * for ended calls, or leased and not reserved, becomes calls of the usual cost by estimate and of
 * the largest at worst; workers may pass a sixteenth more without asking. While anything is free,
 * one call more may pass. What calls on record have cost beyond the limit already is in it.
 */
export function overshootBound(calls: OutstandingCalls): Money {
  const { limit, spent, largest, usual, leases } = calls
  const running = BigInt(calls.running) * largest
  if (leases === null) return running
  const { leased, reserved, ended } = leases
  const [most, average] = usual > 0n && largest > usual ? [largest, usual] : [1n, 1n]
  const runningMore = running - (reserved - ended)
  const endedMore = (ended * most) / average - ended
  const unused = atLeastZero(leased - reserved)
  const parts = BigInt(PLENTY_PARTS)
  const unusedMore = (unused * (parts + 1n) * most) / (parts * average) - unused
  // Below zero once costs on record were higher than what had been reserved for them.
  const free = limit - spent - leased
  const lastCall = free > 0n ? largest : 0n
  return atLeastZero(runningMore) + endedMore + atLeastZero(unusedMore + lastCall - free)
}

function atLeastZero(amount: Money): Money {
  return amount > 0n ? amount : 0n
}
