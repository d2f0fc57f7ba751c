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

/** The published files leave out the constraint's type. */
export interface GenaiCondition {
  readonly constraint?:
    | Partial<Record<'start_date' | 'start_time' | 'end_time', string>>
    | undefined
  readonly prices: ModelPrice
}

export interface Period {
  /** The first day, and the first after it. */
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/** What differs from the ordinary prices in a service tier. */
export interface TierVariant extends Period {
  readonly tier: string
  readonly prices: ModelPrice
  /** Where it is from, if not from where the model is. */
  readonly source?: string | undefined
}

/** What another source says about a model, where it says something else. */
export interface OtherFigures extends Period {
  readonly tier: string
  readonly source: string
  readonly prices: ModelPrice
}

export interface GenaiModel {
  readonly id: string
  readonly match: MatchLogic
  readonly prices: ModelPrice | readonly GenaiCondition[]
  /** Of several for the same tier, unit and moment, the first applies. */
  readonly variants?: readonly TierVariant[] | undefined
  readonly source?: string | undefined
  readonly others?: readonly OtherFigures[] | undefined
}

export interface GenaiProvider {
  readonly id: string
  readonly models: readonly GenaiModel[]
}

export function toConditions(prices: GenaiModel['prices']): readonly GenaiCondition[] {
  return isList(prices) ? prices : [{ prices }]
}

function isList(prices: GenaiModel['prices']): prices is readonly GenaiCondition[] {
  return Array.isArray(prices)
}
