// An operator's price rule: their own rates, or a factor on listed prices. A rule is never altered,
// only replaced under a new id, so what it priced can always be explained.

/** A price in USD as a decimal text; a step replaces it for a whole call with more input tokens. */
export type RuleRate =
  | string
  | {
      readonly base: string
      readonly steps: readonly { readonly above: number; readonly rate: string }[]
    }

/**
 * By unit. Tokens, in USD per million: `input`, `output`, `cache_read`, `cache_read_audio`,
 * `cache_read_image`, `cache_write_5m`, `cache_write_1h`, `input_audio`, `input_image`,
 * `reasoning`, `output_audio`, `output_image`. In USD per unit: `request`, charged once per call,
 * and what calls count by kind, such as `web_search` or `image`.
 */
export type RuleRates = Readonly<Record<string, RuleRate>>

export type RulePrice =
  | { readonly kind: 'rates'; readonly rates: RuleRates }
  /** On the listed price at the time; `0.8` for a discount of 20 %. */
  | { readonly kind: 'multiplier'; readonly factor: string }

export interface PriceRule {
  /** `price_…`; part of the price version of what the rule prices. */
  readonly id: string
  readonly provider: string
  /** In lower case; `*` matches any characters. The longest that matches a model decides. */
  readonly model: string
  /** The service tier it applies to. Null: the standard one; for a multiplier: all of them. */
  readonly tier: string | null
  /** Calls that ended before it are priced as if the rule were not there. */
  readonly effectiveFrom: number
  readonly price: RulePrice
  readonly note: string | null
  readonly createdAt: number
}

export type NewPriceRule = Omit<PriceRule, 'id' | 'createdAt'>
