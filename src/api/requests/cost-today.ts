// What a recorded call costs by today's prices.

import { formatMoney } from '../../core/money.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { quoteUse } from '../../pricing/tables/explain.ts'
import type { PriceTables } from '../../pricing/tables/price-tables.ts'
import type { CostTodayAnswer } from '../contract.ts'

export function toCostToday(
  { event, cost: recorded }: UsageRecord,
  priceTables: PriceTables,
): CostTodayAnswer {
  const { cost, source, priceVersion } = quoteUse(event, priceTables)
  return {
    cost_usd: cost === null ? null : formatMoney(cost),
    source,
    price_version: priceVersion,
    is_same: cost === recorded.amount && source === recorded.source,
  }
}

/** Of a cost that was stated, or is free by its nature: no price has a part in it. */
export function toSameCost({ cost }: UsageRecord): CostTodayAnswer {
  const { amount, source, priceVersion } = cost
  return {
    cost_usd: amount === null ? null : formatMoney(amount),
    source,
    price_version: priceVersion,
    is_same: true,
  }
}
