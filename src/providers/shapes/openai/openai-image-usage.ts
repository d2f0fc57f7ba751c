// Usage of a model that makes images, called by itself or as a tool. Must stay true: output without
// details is all images, which have their own rate; zeros beside images are no measurement.

import { totalTokens } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import { withCachedParts } from '../cached-parts.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toObject } from '../json-leaves.ts'
import { OpenaiUsage } from './openai-usage.ts'

/** Null where no image was made, or its tokens were not reported. */
export function readImageUsage(usage: JsonObject | null): TokenCounts | null {
  if (usage === null) return null
  const reader = new OpenaiUsage()
  reader.read({
    ...usage,
    input_tokens_details: toInputDetails(usage),
    output_tokens_details: toObject(usage['output_tokens_details']) ?? {
      image_tokens: usage['output_tokens'],
    },
  })
  const tokens = reader.tokens()
  if (tokens === null || totalTokens(tokens) === 0) return null
  return withCachedParts(tokens, { image: findCachedImages(usage) })
}

function findCachedImages(usage: JsonObject): number | null {
  return toFigure(toObject(usage['cached_tokens_details'])?.['cached_image_tokens'])
}

/** Cached images are charged as cached, so only the fresh ones are left. */
function toInputDetails(usage: JsonObject): JsonObject {
  const details = toObject(usage['input_tokens_details'])
  const images = toFigure(details?.['image_tokens'])
  const cached = findCachedImages(usage)
  return {
    ...details,
    cached_tokens: usage['cached_tokens'] ?? details?.['cached_tokens'],
    image_tokens: images === null ? null : Math.max(0, images - (cached ?? 0)),
  }
}
