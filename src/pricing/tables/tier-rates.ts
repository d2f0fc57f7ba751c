// Rates of one service tier or region as those of another, unit by unit, by what a list charges in
// both. Must stay true: rounded half-even once, and a unit without a known ratio is left out.

import { scaleRate, WHOLE_UNITS } from './price-table.ts'
import type { Rate, RateFactor, Rates, TokenUnit } from './price-table.ts'

/** What a list charges for the same model in two tiers. */
export interface TierRatio {
  readonly from: Rates
  readonly to: Rates
}

export function toOtherTier(rates: Rates, ratio: TierRatio): Rates {
  const tokens: Partial<Record<TokenUnit, Rate>> = {}
  for (const [unit, rate] of Object.entries(rates.tokens) as [TokenUnit, Rate][]) {
    const listed = findListed(unit, ratio)
    if (listed !== null) tokens[unit] = scaleByList(rate, listed)
  }
  const toolCalls = Object.entries(rates.toolCalls).map(([kind, rate]) => {
    const from = ownRate(ratio.from.toolCalls, kind)
    return [kind, scaleFee(rate, from, ownRate(ratio.to.toolCalls, kind))] as const
  })
  const { request } = rates
  return {
    tokens,
    toolCalls: Object.fromEntries(toolCalls),
    request: request === null ? null : scaleFee(request, ratio.from.request, ratio.to.request),
    isFree: rates.isFree,
  }
}

interface ListedRates {
  readonly from: Rate
  readonly to: Rate
}

/** Of the unit, or else of the whole that it is charged as. */
function findListed(unit: TokenUnit, ratio: TierRatio): ListedRates | null {
  let at: TokenUnit | undefined = unit
  for (; at !== undefined; at = WHOLE_UNITS[at]) {
    const from = ratio.from.tokens[at]
    if (from === undefined) continue
    const to = ratio.to.tokens[at]
    // In that tier the list charges it as the whole: left out, it is charged so here, too.
    if (to === undefined) return null
    if (from.base > 0n) return { from, to }
  }
  return null
}

function scaleByList(rate: Rate, { from, to }: ListedRates): Rate {
  const factor = { numerator: to.base, denominator: from.base }
  const steps = rate.steps.map((step) => {
    const own = findStepFactor(step.aboveInput, { from, to }) ?? factor
    return { ...step, rate: scaleRate({ base: step.rate, steps: [] }, own).base }
  })
  return { base: scaleRate({ base: rate.base, steps: [] }, factor).base, steps }
}

function findStepFactor(aboveInput: number, { from, to }: ListedRates): RateFactor | null {
  const at = (rate: Rate): bigint | undefined =>
    rate.steps.find((step) => step.aboveInput === aboveInput)?.rate
  const [denominator, numerator] = [at(from), at(to)]
  if (denominator === undefined || numerator === undefined || denominator === 0n) return null
  return { numerator, denominator }
}

/** A tier does not change a fee unless the list says so. */
function scaleFee(rate: Rate, from: Rate | null, to: Rate | null): Rate {
  return from === null || to === null || from.base === 0n ? rate : scaleByList(rate, { from, to })
}

function ownRate(rates: Rates['toolCalls'], kind: string): Rate | null {
  return Object.hasOwn(rates, kind) ? (rates[kind] ?? null) : null
}
