// What one provider's file of corrections may contain. A part that is left out corrects nothing.

import type { UnitPriceRule, CorrectedModel, RegionTiers, TierPrice } from '../correction.ts'

export type ProviderCorrections = Additions & (CorrectedModels | { readonly models?: never })

interface CorrectedModels {
  /** The day of the price data that they were last compared with; newer data replaces them. */
  readonly against: string
  readonly models: readonly CorrectedModel[]
}

interface Additions {
  /** As the provider's reader names the served tier. */
  readonly tiers?: Readonly<Record<string, TierPrice>>
  readonly perUnit?: readonly UnitPriceRule[]
  /** Which tier the region of a call stands for, `*` being any other; null: none. */
  readonly regions?: RegionTiers
}
