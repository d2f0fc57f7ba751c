// The form in which price data comes, as genai-prices writes it: which names a model has, and USD
// by unit (`input_mtok`, `web_searches_kcount`).

export type MatchLogic =
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string }
  | { readonly or: readonly MatchLogic[] }
  | { readonly and: readonly MatchLogic[] }

/** A step replaces the base for the whole call when its input is longer. */
export interface SteppedPrice {
  readonly base: number
  readonly tiers: readonly { readonly start: number; readonly price: number }[]
}

export type ModelPrice = Readonly<Record<string, number | SteppedPrice | undefined>>
