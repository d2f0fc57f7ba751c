// Cohere's usage: `billed_units`, which are charged, beside raw counts. Must stay true: billed
// figures come first, one by one; searches, pages and the like are separate from tokens.

import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toObject } from '../json-leaves.ts'

/** Billed units other than tokens, and the kinds under which they are recorded. */
const UNITS: Readonly<Record<string, string>> = {
  search_units: 'search_unit',
  classifications: 'classification',
  pages: 'page',
}

export interface CohereFigures {
  readonly tokens: TokenCounts | null
  readonly toolCalls: Readonly<Record<string, number>>
}

/** `usage` of the second version, `meta` of the first: both have the same members. */
export function toCohereFigures(usage: JsonObject | null): CohereFigures {
  const billed = toObject(usage?.['billed_units'])
  const raw = toObject(usage?.['tokens'])
  const toolCalls: Record<string, number> = {}
  for (const [unit, kind] of Object.entries(UNITS)) {
    const count = toNumber(billed?.[unit])
    if (count !== null && count !== 0) toolCalls[kind] = count
  }
  const imageTokens = toNumber(billed?.['image_tokens'])
  const images = toNumber(billed?.['images'])
  // Newer models charge an image by tokens, older ones per unit.
  if (imageTokens === null && images !== null && images !== 0) toolCalls['image'] = images

  const text = toNumber(billed?.['input_tokens']) ?? toNumber(raw?.['input_tokens'])
  const output = toNumber(billed?.['output_tokens']) ?? toNumber(raw?.['output_tokens'])
  if (text === null && output === null && imageTokens === null) return { tokens: null, toolCalls }
  const input = (text ?? 0) + (imageTokens ?? 0)
  const cached = toNumber(usage?.['cached_tokens']) ?? 0
  const tokens = createTokenCounts({
    input,
    output: output ?? 0,
    cacheRead: cached === 0 ? 0 : toBilledPart(cached, input, toNumber(raw?.['input_tokens'])),
    inputImage: imageTokens ?? 0,
  })
  return { tokens, toolCalls }
}

/** Cached tokens are counted in the raw prompt, of which what the server adds is not billed. */
function toBilledPart(cached: number, billed: number, raw: number | null): number {
  const unbilled = Math.max(0, (raw ?? billed) - billed)
  return Math.min(Math.max(0, cached - unbilled), billed)
}

/** The API allows fractions; counts have none. */
function toNumber(value: unknown): number | null {
  return toFigure(typeof value === 'number' ? Math.round(value) : value)
}
