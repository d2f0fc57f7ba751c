// Reads single values out of parsed JSON that no one has checked. Must stay true: a leaf of another
// type than expected counts as absent, because providers put flags and texts beside their figures.

export type JsonObject = Readonly<Record<string, unknown>>

/** No model, tier or generation has a longer name; what is longer is no name. */
export const NAME_CHARS_MAX = 256

export function toObject(value: unknown): JsonObject | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonObject) : null
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text that can stand for something: an empty one never overwrites what was known. */
export function toName(value: unknown): string | null {
  const isName = typeof value === 'string' && value !== '' && value.length <= NAME_CHARS_MAX
  return isName ? value : null
}

/** A number of tokens or calls. */
export function toCount(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
}
