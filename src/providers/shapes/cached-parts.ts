// The sound and images among tokens that were read from a cache: some models have rates of their
// own for them.

import { toCachedParts } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'

/** Figures as the answer has them, null or absent where it has none; cut to the cached whole. */
export interface CachedFigures {
  readonly audio?: number | null | undefined
  readonly image?: number | null | undefined
}

export function withCachedParts(tokens: TokenCounts, cached: CachedFigures): TokenCounts {
  const audio = cut(cached.audio ?? 0, tokens.cacheRead)
  const image = cut(cached.image ?? 0, tokens.cacheRead - audio)
  return { ...tokens, ...toCachedParts(audio, image) }
}

/** Nothing stays nothing, even of a whole that cannot be read. */
function cut(count: number, whole: number): number {
  return count === 0 ? 0 : Math.min(count, whole)
}
