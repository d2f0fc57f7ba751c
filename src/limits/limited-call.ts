// One call as the limiter sees it, in the limiter's own words.

export interface LimitedCall {
  readonly id: string
  readonly keyId: string
  readonly rpm: number | null
  readonly maxParallel: number | null
  readonly providerId: string
  readonly dims: Readonly<Record<string, string>>
  /** A subscription pays for it: budgets neither count nor block it. */
  readonly isPlan?: boolean
  /** False for what is free by its nature, and so is expected to cost nothing. */
  readonly isPaid: boolean
  /** Weir knows what kind of call it is. */
  readonly isKnown: boolean
  /** Null where it is not known in advance. */
  readonly requestBytes: number | null
  /** From the path or the body so far. Null: budgets of models count the call only at its end. */
  findModel(): string | null
  findOutputMax(): number | null
}
