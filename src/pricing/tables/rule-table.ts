// The operator's rules, ready for lookup: those that match a model, most specific first. Must stay
// true: an exact name comes before any pattern, then the pattern with the most literal characters,
// and only then the newer rule.

import { assert } from '../../core/assert.ts'
import type { PriceRule } from '../../core/price-rule.ts'
import { STANDARD_TIER_NAMES } from '../data/corrections.ts'
import { isGlobMatch } from './model-source.ts'
import { STANDARD_TIER } from './price-table.ts'
import type { PriceEntry, RateFactor } from './price-table.ts'
import { fromRuleRates, parseFactor } from './rate-text.ts'

export interface RateRule {
  readonly rule: PriceRule
  readonly tier: string
  readonly entry: PriceEntry
}

export interface FactorRule {
  readonly rule: PriceRule
  readonly tier: string | null
  readonly factor: RateFactor
  /** Begins the version of a price multiplied by it. */
  readonly label: string
}

export interface ModelRules {
  readonly rates: readonly RateRule[]
  readonly factors: readonly FactorRule[]
}

export interface RuleTable {
  /** Takes the name in lower case. Null where no rule matches. */
  rulesFor(provider: string, model: string): ModelRules | null
}

interface RankedRule {
  readonly rule: PriceRule
  readonly parts: readonly string[]
  readonly literals: number
}

/** Ties keep the given order. */
export function createRuleTable(rules: readonly PriceRule[]): RuleTable {
  const byProvider = Map.groupBy(rules.map(toRanked).toSorted(compareRanks), ({ rule }) => {
    return rule.provider
  })
  const rates = new Map<PriceRule, RateRule>()
  const factors = new Map<PriceRule, FactorRule>()
  for (const rule of rules) {
    if (rule.price.kind === 'rates') rates.set(rule, toRateRule(rule))
    else factors.set(rule, toFactorRule(rule, rule.price.factor))
  }
  return {
    rulesFor(provider, model) {
      const fitting = (byProvider.get(provider) ?? []).filter(({ parts }) => {
        return isGlobMatch(parts, model)
      })
      if (fitting.length === 0) return null
      return {
        rates: fitting.flatMap(({ rule }) => rates.get(rule) ?? []),
        factors: fitting.flatMap(({ rule }) => factors.get(rule) ?? []),
      }
    },
  }
}

function toRanked(rule: PriceRule): RankedRule {
  const parts = rule.model.toLowerCase().split('*')
  const isExact = parts.length === 1
  const literals = parts.reduce((sum, part) => sum + part.length, 0)
  return { rule, parts, literals: isExact ? Infinity : literals }
}

function compareRanks(left: RankedRule, right: RankedRule): number {
  if (left.literals !== right.literals) return left.literals > right.literals ? -1 : 1
  const tiers = Number(isOfAllTiers(left.rule)) - Number(isOfAllTiers(right.rule))
  if (tiers !== 0) return tiers
  const from = right.rule.effectiveFrom - left.rule.effectiveFrom
  return from === 0 ? right.rule.createdAt - left.rule.createdAt : from
}

/** A rule about one tier is more specific; rates without a tier are for the standard one. */
function isOfAllTiers({ tier, price }: PriceRule): boolean {
  return tier === null && price.kind === 'multiplier'
}

/** For one of the names of a call's tier. */
export function findRule<Rule extends RateRule | FactorRule>(
  rules: readonly Rule[],
  tiers: readonly string[],
  atMs: number,
): Rule | null {
  for (const each of rules) {
    const { rule, tier } = each
    if (rule.effectiveFrom <= atMs && (tier === null || tiers.includes(tier))) return each
  }
  return null
}

/** Providers have several words for the standard tier. */
export function toTier(served: string | null): string {
  return served === null || STANDARD_TIER_NAMES.has(served) ? STANDARD_TIER : served
}

function toRateRule(rule: PriceRule): RateRule {
  const rates = rule.price.kind === 'rates' ? fromRuleRates(rule.price.rates) : null
  assert(rates !== null, `rates of price rule ${rule.id}`)
  const entry = { rates, source: 'override', version: toLabel(rule) } as const
  return { rule, tier: toTier(rule.tier), entry }
}

function toFactorRule(rule: PriceRule, text: string): FactorRule {
  const factor = parseFactor(text)
  assert(factor !== null, `factor of price rule ${rule.id}`)
  const tier = rule.tier === null ? null : toTier(rule.tier)
  return { rule, tier, factor, label: toLabel(rule) }
}

function toLabel({ id, effectiveFrom }: PriceRule): string {
  return `override ${id}@${new Date(effectiveFrom).toISOString().replace('T00:00:00.000Z', '')}`
}
