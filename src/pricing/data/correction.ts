// Corrections to the bundled prices, as the bundle carries them. A figure is written as the
// provider's page has it (per million tokens, thousand pages, hour), and is converted to a rate in
// one place only.

import type { MatchLogic, ModelPrice } from './model-price.ts'

/** USD for one, or for `per`: audio at 0.006 a minute is `{ usd: 0.006, per: 60_000 }` (ms). */
export type UnitPrice = number | { readonly usd: number; readonly per: number }

/** By the kind of `UsageEvent.toolCalls`: `{ image: 0.04 }`. */
export type UnitPrices = Readonly<Record<string, UnitPrice>>

/** In the bundle's units: `input_mtok`, `cache_write_1h_mtok`, `input_audio_hours`, ... */
export type CorrectedRates = ModelPrice

/** Those for some hours follow the one they are an exception to, with their own start day. */
export interface CorrectedPrice {
  /** The first (UTC) day on which it is in force: `2026-08-17`. Left out: always. */
  readonly from?: string
  /** Of the UTC day, the end not included: `{ start: '00:30', end: '16:30' }`. */
  readonly hours?: { readonly start: string; readonly end: string }
  readonly prices: CorrectedRates
  readonly perUnit?: UnitPrices
  /** Token rates in full, before TIER_PERCENT; unit prices stay unless they are named here. */
  readonly tiers?: Readonly<Record<string, CorrectedRates>>
}

/**
 * A model whose price changed and which has a tier with rates of its own:
 *
 *     {
 *       id: 'sketch-1',
 *       match: { starts_with: 'sketch-1' },
 *       against: '2026-03-02',
 *       prices: [
 *         { prices: { input_mtok: 2, output_mtok: 8 }, perUnit: { image: 0.04 } },
 *         {
 *           from: '2026-03-01',
 *           prices: { input_mtok: 1, output_mtok: 4 },
 *           perUnit: { image: 0.02 },
 *           tiers: { priority: { input_mtok: 1.75, output_mtok: 7 } },
 *         },
 *       ],
 *     }
 */
export interface CorrectedModel {
  readonly id: string
  readonly match: MatchLogic
  /** The day of the price data that it corrects; newer data comes first, unless it has the same. */
  readonly against: string
  /** Null: free; with empty rates: unknown. */
  readonly prices: readonly CorrectedPrice[] | null
}

/** As in the bundle or the corrections, with `*` for any characters. */
export type ModelIds = readonly string[]

/** The token rates as a percentage of the standard. */
export interface TierRule {
  readonly models: ModelIds
  readonly percent: number
  /** Units of the bundle with an unchanged price in this tier, such as `cache_read_mtok`. */
  readonly except?: readonly string[]
}

/**
 * A tier that is more expensive for some models, and one that does not make cached reads cheaper:
 *
 *     priority: [
 *       { models: ['sketch-1', 'sketch-1-mini'], percent: 175 },
 *       { models: ['sketch-2*'], percent: 200 },
 *     ],
 *     batch: [{ models: ['*'], percent: 50, except: ['cache_read_mtok'] }],
 *
 * A percentage for all models of the provider, or rules of which the first that names the model
 * decides. A model that no rule names has no price in this tier.
 */
export type TierPrice = number | readonly TierRule[]

/** `{ global: null, '*': 'regional' }`: any region but one has prices of its own. */
export type RegionTiers = Readonly<Record<string, string | null>>

/** Fees for many models besides their tokens; a model's own prices take precedence. */
export interface UnitPriceRule {
  readonly kind: string
  readonly price: UnitPrice
  /** Left out: all of the provider's. */
  readonly models?: ModelIds
}

/** The factor on the input rate for longer cache writes of models with this in their id. */
export interface HourWrites {
  readonly idPart: string
  readonly factor: number
}

/** A part that is left out corrects nothing. */
export interface ProviderCorrections {
  readonly models?: readonly CorrectedModel[]
  /** As the provider's reader names the served tier. */
  readonly tiers?: Readonly<Record<string, TierPrice>>
  readonly perUnit?: readonly UnitPriceRule[]
  /** Which tier the region of a call stands for, `*` being any other; null: none. */
  readonly regions?: RegionTiers
  readonly hourWrites?: HourWrites
}

export interface BundledCorrections {
  readonly version: number
  /** By our provider ids. */
  readonly providers: Readonly<Record<string, ProviderCorrections>>
}
