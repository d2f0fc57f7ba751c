// Price rules, and how one is shown.

import type { PriceRule as ShownRule } from '../../../client/weir-client.js'
import type { PriceRule, RulePrice, RuleRate } from '../../core/price-rule.ts'
import type { Api } from '../api.ts'
import { tokenUnitOf } from '../../pricing/tables/rate-text.ts'
import { formatMoment } from '../table.ts'

export function readRules(api: Api): Promise<readonly ShownRule[]> {
  return api.list('/v1/prices/rules')
}

export function toRulePrice(rule: Pick<ShownRule, 'rates' | 'multiplier'>): RulePrice {
  const { rates, multiplier } = rule
  return rates === null
    ? { kind: 'multiplier', factor: multiplier ?? '1' }
    : { kind: 'rates', rates }
}

/** `input 2.5, output 10 USD / million; web_search 0.01 USD each`, or `× 0.8`. */
export function describePrice({ price }: Pick<PriceRule, 'price'>): string {
  if (price.kind === 'multiplier') return `× ${price.factor}`
  const rates = Object.entries(price.rates)
  const tokens = rates.filter(([unit]) => tokenUnitOf(unit) !== undefined)
  const perUnit = rates.filter(([unit]) => tokenUnitOf(unit) === undefined)
  const list = (some: typeof rates): string =>
    some.map(([unit, rate]) => `${unit} ${describeRate(rate)}`).join(', ')
  return [
    ...(tokens.length > 0 ? [`${list(tokens)} USD / million`] : []),
    ...(perUnit.length > 0 ? [`${list(perUnit)} USD each`] : []),
  ].join('; ')
}

export function describeRate(rate: RuleRate): string {
  if (typeof rate === 'string') return rate
  const steps = rate.steps.map((step) => `${step.rate} above ${step.above} input tokens`)
  return `${rate.base} (${steps.join(', ')})`
}

/** A rule of the file without a date has always been in force. */
export function describeSince(fromMs: number): string {
  return fromMs <= 0 ? 'always' : formatMoment(fromMs)
}

/** A factor without a tier applies to all tiers. */
export function describeTier({ tier, price }: Pick<PriceRule, 'tier' | 'price'>): string {
  return tier ?? (price.kind === 'multiplier' ? 'all' : 'standard')
}
