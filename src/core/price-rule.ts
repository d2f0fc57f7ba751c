// What an operator says about prices: rates of their own, or a factor on the listed ones. Must stay true: a rule
// is never altered, only replaced by another with an id of its own; what it priced can be explained for ever.

/** A price in USD as a decimal text; a step replaces it for the whole call above so many input tokens. */
export type RuleRate =
  | string
  | {
      readonly base: string
      readonly steps: readonly { readonly above: number; readonly rate: string }[]
    }

/**
 * By unit. Tokens, in USD a million: `input`, `output`, `cache_read`, `cache_write_5m`, `cache_write_1h`, `input_audio`,
 * `input_image`, `reasoning`, `output_audio`, `output_image`. In USD apiece: `request`, due once a call, and what
 * calls count by kind, such as `web_search` or `image`.
 */
export type RuleRates = Readonly<Record<string, RuleRate>>

export type RulePrice =
  | { readonly kind: 'rates'; readonly rates: RuleRates }
  /** On the listed price, whatever that is at the time; `0.8` for a discount of a fifth. */
  | { readonly kind: 'multiplier'; readonly factor: string }

export interface PriceRule {
  /** `price_…`; part of the price version of what the rule prices. */
  readonly id: string
  readonly provider: string
  /** In lower case; `*` stands for any characters. The longest that fits a model decides. */
  readonly model: string
  /** The service tier it is about. Null: the ordinary one; of a multiplier: all of them. */
  readonly tier: string | null
  /** Calls that ended before it are priced as if the rule were not there. */
  readonly effectiveFrom: number
  readonly price: RulePrice
  readonly note: string | null
  readonly createdAt: number
}

export type NewPriceRule = Omit<PriceRule, 'id' | 'createdAt'>
