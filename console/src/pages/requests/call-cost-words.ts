// What a call cost, for one line. Must stay true: an unknown cost is never shown as an amount, an
// estimate is marked, and an amount is shown to its last digit.

import type { RequestRow } from '../../../../src/api/contract.ts'
import { formatExactUsd } from '../../data/format-usd.ts'

/**
 * exact      as it was charged
 * estimated  a good guess, for the reason given
 * unpriced   not known
 * elsewhere  charged to the caller's own key at the provider, or paid by a subscription
 * free       nothing was charged
 * denied     nothing was sent
 */
export type CostKind = 'exact' | 'estimated' | 'unpriced' | 'elsewhere' | 'free' | 'denied'

export interface CallCost {
  readonly kind: CostKind
  readonly text: string
  /** Why; null where there is nothing to add. */
  readonly reason: string | null
}

type CostFacts = Pick<RequestRow, 'status' | 'source' | 'cost_usd' | 'market_cost_usd' | 'usage'>

const ESTIMATES: Partial<Readonly<Record<RequestRow['usage'], string>>> = {
  estimated: 'Estimated: the tokens were counted from the text.',
  partial: 'Estimated: only a part of the usage is known, as where the call ended early.',
}

export function toCallCost(call: CostFacts): CallCost {
  const { status, source, cost_usd: cost } = call
  if (status === 'denied')
    return {
      kind: 'denied',
      text: 'no cost',
      reason: 'Weir refused it: nothing was sent and nothing is charged.',
    }
  if (source === 'unpriced' || cost === null) {
    return { kind: 'unpriced', text: 'unpriced', reason: 'Its cost is not known yet.' }
  }
  if (source === 'byok-zero') return toOwnKeyCost(call)
  if (source === 'plan') return toPlanCost(call)
  if (source === 'free') return { kind: 'free', text: 'free', reason: 'Not charged.' }
  const isComputed = source === 'price-book' || source === 'override'
  const reason = isComputed ? (ESTIMATES[call.usage] ?? null) : null
  const amount = formatExactUsd(cost)
  if (reason === null) return { kind: 'exact', text: amount, reason }
  return { kind: 'estimated', text: `≈ ${amount}`, reason }
}

function toOwnKeyCost(call: CostFacts): CallCost {
  return {
    kind: 'elsewhere',
    text: 'own key',
    reason: `Charged to the caller's own key.${toWorth(call)}`,
  }
}

function toPlanCost(call: CostFacts): CallCost {
  return { kind: 'elsewhere', text: 'plan', reason: `Paid by a subscription.${toWorth(call)}` }
}

function toWorth({ market_cost_usd: market }: CostFacts): string {
  return market === null ? '' : ` The list price is ${formatExactUsd(market)}.`
}
