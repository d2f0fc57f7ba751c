// What a call under a budget usually costs, to estimate running calls.

import type { UsualCall } from '../core/budget-state.ts'
import { divideHalfEven } from '../core/money.ts'
import type { BudgetSpend } from '../store/ledger/budget-states.ts'

/** With fewer calls in a period, the period before it says more. */
export const USUAL_CALLS_MIN = 20

/** Null where no call is known. */
export function toUsualCall(now: BudgetSpend, before: BudgetSpend | undefined): UsualCall | null {
  if (before !== undefined && before.calls > 0 && now.calls < USUAL_CALLS_MIN)
    return average(before)
  return now.calls === 0 ? null : average(now)
}

function average({ spent, calls, requestBytes, outputTokens }: BudgetSpend): UsualCall {
  return {
    cost: divideHalfEven(spent, BigInt(calls)),
    requestBytes: requestBytes / calls,
    outputTokens: outputTokens / calls,
  }
}
