// Reads values out of unchecked JSON. A leaf of another type counts as absent: providers mix types.

export type JsonObject = Readonly<Record<string, unknown>>

/** No model, tier or generation has a longer name. */
export const NAME_CHARS_MAX = 256

export function toObject(value: unknown): JsonObject | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonObject) : null
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** An empty text is no name, so it never overwrites what was known. */
export function toName(value: unknown): string | null {
  const isName = typeof value === 'string' && value !== '' && value.length <= NAME_CHARS_MAX
  return isName ? value : null
}

export function toCount(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
}
