// Where the sources of a listed price differ: what another one says, beside what is charged. Shown
// to people, and never computed with.

import type { RuleRates } from '../../core/price-rule.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { PriceTables } from './price-tables.ts'
import { versionsOf } from './price.ts'
import type { PriceEntry } from './price-table.ts'
import { modelsOf } from './priced-parts.ts'
import { toRuleRates } from './rate-text.ts'

export interface SourceDifference {
  readonly source: string
  /** What it says, by unit. */
  readonly rates: RuleRates
  /** What the listed price has instead; without units that it has no rate of their own for. */
  readonly listed: RuleRates
}

export function findSourceDifferences({
  rates: charged,
  origin,
}: PriceEntry): readonly SourceDifference[] {
  if (origin === undefined || origin.others.length === 0) return []
  // An operator's factor is on all that is charged, and no source knows of it.
  const listed = toRuleRates(origin.listed ?? charged)
  return origin.others.map(({ source, rates }) => {
    const same = Object.entries(listed).filter(([unit]) => Object.hasOwn(rates, unit))
    return { source, rates, listed: Object.fromEntries(same) }
  })
}

export interface CallDifference extends SourceDifference {
  readonly model: string
}

/**
 * Only of the prices behind the cost; one that the price tables no longer have is not known about.
 */
export function findCallDifferences(
  { event, cost }: UsageRecord,
  priceTables: PriceTables,
): readonly CallDifference[] {
  const used = versionsOf(cost.priceVersion)
  if (used.length === 0) return []
  const { provider, serviceTier, endedAt: atMs } = event
  const region = event.region ?? null
  return modelsOf(event).flatMap((model) => {
    if (model === null) return []
    const entry = priceTables.find({ provider, model, serviceTier, region, atMs })
    if (entry === null || !used.includes(entry.version)) return []
    return findSourceDifferences(entry).map((difference) => ({ model, ...difference }))
  })
}
