// What a model has cost, costs, and is known to cost, tier by tier, for the API and the command
// line.

import type { ModelPrice, PriceHistory, PricePeriod } from '../contract.ts'
import { isUnknown } from '../../pricing/tables/price-table.ts'
import type { PriceEntry } from '../../pricing/tables/price-table.ts'
import { toRuleRates } from '../../pricing/tables/rate-text.ts'
import { findSourceDifferences } from '../../pricing/tables/source-differences.ts'
import type { PriceCatalog } from '../../pricing/service/configured-tables.ts'
import { findNearModels } from '../../pricing/service/near-models.ts'
import { formatHours, toDifferenceAnswer, toRateAnswers } from './price-rows.ts'

export interface PriceSubject {
  readonly provider: string
  readonly model: string
}

export function toHistory(
  priceTables: PriceCatalog,
  { provider, model }: PriceSubject,
  atMs: number,
): PriceHistory {
  const periods = priceTables
    .listPeriods({ provider, model, atMs })
    .filter(({ entry }) => !isUnknown(entry.rates))
    .map(({ tier, entry, fromMs, hours, matched, isCurrent }): PricePeriod => ({
      tier,
      source: entry.source,
      price_version: entry.version,
      since: toSince(fromMs),
      hours: hours === null ? null : formatHours(hours),
      matched,
      rule: RULE_VERSION.exec(entry.version)?.[1] ?? null,
      is_free: entry.rates.isFree,
      is_current: isCurrent,
      rates: toRateAnswers(toRuleRates(entry.rates)),
      ...toOrigin(entry),
    }))
  const isPriced = periods.some((period) => period.is_current)
  const near = isPriced ? [] : findNearModels(priceTables, { provider, model })
  return { provider, model, periods, near_models: [...near] }
}

export function toOrigin(entry: PriceEntry): Pick<ModelPrice, 'sources' | 'differs'> {
  const sources = [...(entry.origin?.sources ?? [])]
  return { sources, differs: findSourceDifferences(entry).map(toDifferenceAnswer) }
}

/** The price version of a rule begins with its id. */
const RULE_VERSION = /^override (\S+)@/

/** A rule without a date has always been in force. */
export function toSince(fromMs: number | null): string | null {
  return fromMs === null || fromMs <= 0 ? null : new Date(fromMs).toISOString()
}
