// What one provider's file of corrections may contain. A part that is left out corrects nothing.

import type { UnitPriceRule, CorrectedModel, TierPrice } from '../correction.ts'

export interface ProviderCorrections {
  readonly models?: readonly CorrectedModel[]
  /** As the provider's reader names the served tier. */
  readonly tiers?: Readonly<Record<string, TierPrice>>
  readonly perUnit?: readonly UnitPriceRule[]
}
