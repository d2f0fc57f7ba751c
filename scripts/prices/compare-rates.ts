// Compares what a source says about a model's price in one tier with ours. Must stay true: only
// what the source says is compared, and a unit without a rate of ours costs what its whole does.

import type { ModelPrice } from '../../src/pricing/data/model-price.ts'
import { toRates } from '../../src/pricing/data/genai-rates.ts'
import { WHOLE_UNITS } from '../../src/pricing/tables/price-table.ts'
import type { Rate, Rates, TokenUnit } from '../../src/pricing/tables/price-table.ts'

export type UnitVerdict = 'equal' | 'missing' | 'different'

/** By unit as price data names it: `cache_read_mtok`. */
export function compareRates(
  said: ModelPrice,
  ours: Rates,
  isStandard: boolean,
): ReadonlyMap<string, UnitVerdict> {
  const verdicts = new Map<string, UnitVerdict>()
  for (const [unit, price] of Object.entries(said)) {
    const own = toRates({ [unit]: price }).tokens
    for (const [kind, rate] of Object.entries(own) as [TokenUnit, Rate][]) {
      verdicts.set(unit, compareUnit(kind, rate, { ours, isStandard }))
    }
  }
  return verdicts
}

function compareUnit(
  unit: TokenUnit,
  said: Rate,
  { ours, isStandard }: { readonly ours: Rates; readonly isStandard: boolean },
): UnitVerdict {
  const own = ours.tokens[unit]
  const charged = own ?? findWhole(unit, ours)
  if (charged !== undefined && isSame(said, charged, isStandard)) return 'equal'
  return own === undefined ? 'missing' : 'different'
}

function findWhole(unit: TokenUnit, { tokens }: Rates): Rate | undefined {
  const whole = WHOLE_UNITS[unit]
  return whole === undefined ? undefined : (tokens[whole] ?? findWhole(whole, { tokens } as Rates))
}

// A map without steps in a tier leaves them out, rather than says that there are none. One source
// counts from 200,000 tokens on and another above 200,000.
function isSame(said: Rate, ours: Rate, isStandard: boolean): boolean {
  if (said.base !== ours.base) return false
  if (!isStandard && said.steps.length === 0) return true
  const toText = ({ steps, base }: Rate): string =>
    steps
      .filter(({ rate }) => rate !== base)
      .map(({ aboveInput, rate }) => `${Math.round(aboveInput / 1000)}k ${rate}`)
      .join()
  return toText(said) === toText(ours)
}
