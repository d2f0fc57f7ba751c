// Why the calls of a key are refused, and what whoever administers it can do.

import type { KEY_STATUSES } from '../../core/api-key.ts'
import type { BudgetState } from '../../core/budget-state.ts'
import { describeUsedUp, toResetTime } from '../../limits/limit-refusal.ts'

/** In the shape of budgets, for what finds those that cover a call or a key. */
export type UsedUp = Pick<BudgetState['budget'], 'id' | 'scope' | 'each' | 'member'> & {
  readonly state: BudgetState
}

export const LIFE_REASONS: Readonly<Record<(typeof KEY_STATUSES)[number], string | null>> = {
  active: null,
  paused: 'The key is paused: its calls are refused until it is resumed.',
  expired: 'The key has expired. Set a later expiry to let its calls in.',
  revoked: 'The key was revoked, which is final. Make a new one.',
}
export function describeWayOut(state: BudgetState): string {
  return `${describeUsedUp(state)} It resets at ${toResetTime(state)}; raise its limit to let calls in before.`
}
