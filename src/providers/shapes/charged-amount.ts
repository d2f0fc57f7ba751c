// What a provider charged. Must stay true: zero is a real price, and what is no amount is absent.

import { parseMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { ReportedBilling } from '../../core/usage-event.ts'

/** A negative charge would hide other costs; no provider is known to report one. */
export function toChargedAmount(value: unknown): Money | null {
  const amount = parseMoney(value)
  return amount !== null && amount >= 0n ? amount : null
}

/** For a provider that reports a cost and nothing else about money. */
export function toStatedBilling(cost: Money): ReportedBilling {
  return { cost, marketCost: null, isByok: null, generationId: null, statedBy: 'provider' }
}
