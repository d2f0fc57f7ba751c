// Token counts of one call. `input` and `output` are whole figures; every other member is a part of
// one of them, so a call's tokens are input + output.

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
  /** Parts of `cacheRead`. Few calls have any, so they are absent where there are none. */
  readonly cacheReadAudio?: number
  readonly cacheReadImage?: number
}

/** Written out: objects of one shape are written to the journal three times as fast. */
export function createTokenCounts(parts: Partial<TokenCounts>): TokenCounts {
  return {
    input: parts.input ?? 0,
    output: parts.output ?? 0,
    cacheRead: parts.cacheRead ?? 0,
    cacheWrite5m: parts.cacheWrite5m ?? 0,
    cacheWrite1h: parts.cacheWrite1h ?? 0,
    inputAudio: parts.inputAudio ?? 0,
    inputImage: parts.inputImage ?? 0,
    reasoning: parts.reasoning ?? 0,
    outputAudio: parts.outputAudio ?? 0,
    outputImage: parts.outputImage ?? 0,
    ...toCachedParts(parts.cacheReadAudio, parts.cacheReadImage),
  }
}

/** Kept where they are not zero, also where they cannot be read. */
export function toCachedParts(
  cacheReadAudio = 0,
  cacheReadImage = 0,
): Pick<TokenCounts, 'cacheReadAudio' | 'cacheReadImage'> {
  if (cacheReadAudio === 0 && cacheReadImage === 0) return NO_PARTS
  return {
    ...(cacheReadAudio === 0 ? {} : { cacheReadAudio }),
    ...(cacheReadImage === 0 ? {} : { cacheReadImage }),
  }
}

const NO_PARTS = Object.freeze({})

export function totalTokens(counts: TokenCounts): number {
  return counts.input + counts.output
}

export function addTokenCounts(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite5m: one.cacheWrite5m + other.cacheWrite5m,
    cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
    inputAudio: one.inputAudio + other.inputAudio,
    inputImage: one.inputImage + other.inputImage,
    reasoning: one.reasoning + other.reasoning,
    outputAudio: one.outputAudio + other.outputAudio,
    outputImage: one.outputImage + other.outputImage,
    ...toCachedParts(
      (one.cacheReadAudio ?? 0) + (other.cacheReadAudio ?? 0),
      (one.cacheReadImage ?? 0) + (other.cacheReadImage ?? 0),
    ),
  }
}
