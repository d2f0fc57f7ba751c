// One call as the limiter sees it, in the limiter's own words.

export interface LimitedCall {
  readonly id: string
  readonly keyId: string
  readonly rpm: number | null
  readonly maxParallel: number | null
  readonly providerId: string
  readonly dims: Readonly<Record<string, string>>
  /** False for what costs nothing by its nature, and so is expected to. */
  readonly isPaid: boolean
  /** Null where it is not known beforehand. */
  readonly requestBytes: number | null
  /**
   * The model, as far as it stands in the path or in what has come of the body: a call whose model
   * comes later, or in a compressed body, is not counted under the budgets of models while it runs,
   * only when it has ended.
   */
  findModel(): string | null
  findOutputMax(): number | null
}
