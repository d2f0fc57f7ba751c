// Token counts of one call. `input` and `output` are whole figures; every other member is a part
// of one of them, so the tokens of a call are always input + output and nothing is added twice.

export interface TokenCounts {
  /** All input tokens: cached reads and cache writes included. */
  readonly input: number
  /** All output tokens: reasoning included. */
  readonly output: number
  /** Parts of `input`. */
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly inputAudio: number
  readonly inputImage: number
  /** Parts of `output`. */
  readonly reasoning: number
  readonly outputAudio: number
  readonly outputImage: number
}

export const ZERO_TOKENS: TokenCounts = Object.freeze({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  inputAudio: 0,
  inputImage: 0,
  reasoning: 0,
  outputAudio: 0,
  outputImage: 0,
})

export function createTokenCounts(parts: Partial<TokenCounts>): TokenCounts {
  return { ...ZERO_TOKENS, ...parts }
}

export function totalTokens(counts: TokenCounts): number {
  return counts.input + counts.output
}
