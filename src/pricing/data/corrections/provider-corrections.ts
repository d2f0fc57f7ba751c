// What one provider's file of corrections may contain: models with their own prices, what its
// service tiers cost, and its fees per unit. A part that is left out corrects nothing.

import type { UnitPriceRule, CorrectedModel, TierPrice } from '../correction.ts'

export interface ProviderCorrections {
  readonly models?: readonly CorrectedModel[]
  /** By the tier that was served, as the provider's reader names it. */
  readonly tiers?: Readonly<Record<string, TierPrice>>
  readonly perUnit?: readonly UnitPriceRule[]
}
