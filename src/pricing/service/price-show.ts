// What a model costs at a moment, by tier, and by which price; without one, similar names.

import { nearestWord } from '../../core/nearest-word.ts'
import type { PriceRule, RuleRates } from '../../core/price-rule.ts'
import type { CostSource } from '../../core/usage-record.ts'
import type { PriceCatalog } from '../book/price-book.ts'
import { isUnknown } from '../book/price-table.ts'
import type { PriceHours } from '../book/price-table.ts'
import { toRuleRates } from '../book/rate-text.ts'
import { findSourceDifferences } from '../book/source-differences.ts'
import type { SourceDifference } from '../book/source-differences.ts'

export interface ShownPrice {
  readonly tier: string
  readonly source: CostSource
  readonly version: string
  readonly sinceMs: number | null
  /** Set where it is in force at some hours of the UTC day only. */
  readonly hours: PriceHours | null
  /** The list's name, or the pattern of the rule, that matched the model. */
  readonly matched: string
  /** It comes from this rule, or was multiplied by it. */
  readonly rule: PriceRule | null
  readonly isFree: boolean
  readonly rates: RuleRates
  /** Where the listed price is from; empty for the operator's own rates. */
  readonly sources: readonly string[]
  readonly differences: readonly SourceDifference[]
}

export interface PriceSubject {
  readonly provider: string
  readonly model: string
  readonly atMs: number
}

/** The standard tier first. Empty where the model has no price. */
export function showPrices(
  book: PriceCatalog,
  rules: readonly PriceRule[],
  subject: PriceSubject,
): readonly ShownPrice[] {
  // Lists also name models whose price is unknown.
  const known = book.list(subject).filter(({ entry }) => !isUnknown(entry.rates))
  return known.map(({ tier, entry, fromMs, hours, matched }) => ({
    tier,
    source: entry.source,
    version: entry.version,
    sinceMs: fromMs,
    hours,
    matched,
    rule: rules.find(({ id }) => entry.version.startsWith(`override ${id}@`)) ?? null,
    isFree: entry.rates.isFree,
    rates: toRuleRates(entry.rates),
    sources: entry.origin?.sources ?? [],
    differences: findSourceDifferences(entry),
  }))
}

const NEAR_MAX = 5

/** Models of the provider whose names are like it: mistyped, or a part of one another. */
export function findNearModels(
  book: PriceCatalog,
  { provider, model }: Pick<PriceSubject, 'provider' | 'model'>,
): readonly string[] {
  const name = model.toLowerCase()
  const names = new Set(
    book
      .listModels()
      .filter((each) => each.provider === provider)
      .map((each) => each.model),
  )
  const nearest = nearestWord(name, [...names])
  const related = [...names]
    .filter((each) => each !== nearest && (each.includes(name) || name.includes(each)))
    .toSorted((left, right) => right.length - left.length)
  return [...(nearest === null ? [] : [nearest]), ...related].slice(0, NEAR_MAX)
}
