// What Vercel's AI Gateway adds to Anthropic's Messages: the serving provider's usage, with cache
// figures that its own may lack. Must stay true: its own figures go first; nothing is added up.

import { gatewayMetadata } from './gateway-metadata.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toCount, toObject } from '../json-leaves.ts'
import type { ShapeAddition } from '../shape-addition.ts'

export const gatewayMessages: ShapeAddition = { ...gatewayMetadata, translate: withServedUsage }

function withServedUsage(document: JsonObject): JsonObject {
  const served = findServedUsage(document)
  if (served === null) return document
  const own = Object.entries(toObject(document['usage']) ?? {})
  const stated = own.filter(([, value]) => value !== null)
  return { ...document, usage: { ...served, ...Object.fromEntries(stated) } }
}

/** It stands under the provider's name, of which there are many. */
function findServedUsage(document: JsonObject): JsonObject | null {
  const metadata = toObject(document['provider_metadata']) ?? toObject(document['providerMetadata'])
  for (const each of Object.values(metadata ?? {})) {
    const usage = toObject(toObject(each)?.['usage'])
    if (toCount(usage?.['input_tokens']) !== null) return usage
  }
  return null
}
