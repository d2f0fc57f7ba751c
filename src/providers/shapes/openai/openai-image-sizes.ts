// Images of models that are billed by size and quality, which only the request says. Must stay
// true: the kinds are a fixed list; whatever is not on it stays an `image`, without a price.

import type { Reading } from '../../provider.ts'
import type { RequestMembers, UnitsFromRequest } from '../units-from-request.ts'

/** The others are billed by tokens, or at one price for every image. */
const BY_SIZE = /^dall-e-/i

const SIZES = ['256x256', '512x512', '1024x1024', '1024x1792', '1792x1024']
const DEFAULT_SIZE = '1024x1024'

/** By the request's word; the ordinary one is left out of a kind's name. */
const QUALITIES: Readonly<Record<string, string>> = { standard: '', hd: 'hd_' }
const DEFAULT_QUALITY = 'standard'

/** `image_1024x1024`, `image_hd_1024x1792`. */
export const imageSizes: UnitsFromRequest = {
  members: { size: true, quality: true },
  complete(reading, asked): Reading {
    const { image: count, ...others } = reading.toolCalls
    const kind = toKind(asked)
    if (count === undefined || kind === null) return reading
    return { ...reading, toolCalls: { ...others, [kind]: count } }
  },
}

function toKind({ model, members }: RequestMembers): string | null {
  if (members === null || model === null || !BY_SIZE.test(model)) return null
  const size = members['size'] ?? DEFAULT_SIZE
  const quality = members['quality'] ?? DEFAULT_QUALITY
  if (typeof size !== 'string' || !SIZES.includes(size)) return null
  if (typeof quality !== 'string' || !Object.hasOwn(QUALITIES, quality)) return null
  return `image_${QUALITIES[quality]}${size}`
}
