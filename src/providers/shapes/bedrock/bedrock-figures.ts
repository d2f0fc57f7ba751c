// Bedrock's usage figures: like Anthropic's, its input excludes cache reads and writes.

import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toList, toObject } from '../json-leaves.ts'

/** As reported; null where they are not. */
export interface BedrockFigures {
  readonly input: number | null
  readonly output: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  /** A part of the writes; the others live five minutes. */
  readonly cacheWrite1h?: number | null
}

/** Of a usage object in Amazon's own shape, which Converse and Nova's answers share. */
export function readBedrockFigures(usage: JsonObject): BedrockFigures {
  const details = toList(usage['cacheDetails']).map(toObject)
  const hour = details.find((detail) => detail?.['ttl'] === '1h')
  const written = details.map((detail) => toFigure(detail?.['inputTokens']) ?? 0)
  const input = toFigure(usage['inputTokens'])
  const output = toFigure(usage['outputTokens'])
  const cacheRead = countOf(usage, 'cacheReadInputToken')
  // The details are its parts, and may be reported without it.
  const cacheWrite =
    countOf(usage, 'cacheWriteInputToken') ?? written.reduce((sum, count) => sum + count, 0)
  const total = toFigure(usage['totalTokens'])
  const fresh = (input ?? 0) + (output ?? 0)
  // Some models' total includes the cache, others' does not.
  const cached = (cacheRead ?? 0) + cacheWrite
  const isWhole = total === null || total === fresh || total === fresh + cached
  return {
    input,
    output: isWhole ? (output ?? (input === null ? null : NaN)) : NaN,
    cacheRead,
    cacheWrite,
    cacheWrite1h: toFigure(hour?.['inputTokens']),
  }
}

/** Converse has `…Tokens`, Nova `…TokenCount`. */
function countOf(usage: JsonObject, name: string): number | null {
  return toFigure(usage[`${name}s`]) ?? toFigure(usage[`${name}Count`])
}

export function toBedrockTokens(figures: BedrockFigures): TokenCounts | null {
  if (figures.input === null && figures.output === null) return null
  const cacheRead = figures.cacheRead ?? 0
  const writes = figures.cacheWrite ?? 0
  const cacheWrite1h = Math.min(figures.cacheWrite1h ?? 0, writes)
  return createTokenCounts({
    input: (figures.input ?? 0) + cacheRead + writes,
    output: figures.output ?? 0,
    cacheRead,
    cacheWrite5m: writes - cacheWrite1h,
    cacheWrite1h,
  })
}

/** Lower latency has its own price, so it is part of the tier: an unknown one is unpriced. */
export function toBedrockTier(tier: string | null, latency: string | null): string | null {
  if (latency === null || latency === 'standard') return tier
  const mark = `latency-${latency}`
  return tier === null || tier === 'default' ? mark : `${tier}+${mark}`
}
