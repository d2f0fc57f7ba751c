// The ids of calls as engines store them: a UUID as its 16 bytes, where there is no type for it.

import { assert } from '../../core/assert.ts'

const ID_BYTES = 16
const ID_CHARS = 36
const DASH = 0x2d
/** Where the two digits of each byte begin in `01234567-89ab-7def-8123-456789abcdef`. */
const BYTE_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
const DASH_PLACES = [8, 13, 18, 23]
/** By character code: the value of a lower-case hex digit, else -1. */
const DIGIT_VALUES = new Int8Array(128).fill(-1)
for (let value = 0; value < 16; value += 1) DIGIT_VALUES[value.toString(16).charCodeAt(0)] = value

/** Null if not a request id. Digit by digit, as matching and decoding takes three times as long. */
export function parseIdBytes(id: string): Buffer | null {
  if (id.length !== ID_CHARS) return null
  for (const place of DASH_PLACES) if (id.charCodeAt(place) !== DASH) return null
  const bytes = Buffer.allocUnsafe(ID_BYTES)
  for (let index = 0; index < ID_BYTES; index += 1) {
    const place = BYTE_PLACES[index] as number
    const high = DIGIT_VALUES[id.charCodeAt(place)] ?? -1
    const low = DIGIT_VALUES[id.charCodeAt(place + 1)] ?? -1
    if (high === -1 || low === -1) return null
    bytes[index] = high * 16 + low
  }
  return bytes
}

export function toIdBytes(id: string): Buffer {
  const bytes = parseIdBytes(id)
  assert(bytes !== null, `a request id is a lower-case UUID, not ${id}`)
  return bytes
}

/** Bytes, or a text where the engine has a type for such ids. */
export function fromStoredId(id: Uint8Array | string): string {
  return typeof id === 'string' ? id : fromIdBytes(id)
}

export function fromIdBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ]
  return parts.join('-')
}
