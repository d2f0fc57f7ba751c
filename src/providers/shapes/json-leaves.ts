// Reads values out of unchecked JSON. A leaf of another type counts as absent: providers mix types.
// Must stay true: a count of a usage that cannot be read is never taken for zero.

import type { TokenCounts } from '../../core/token-counts.ts'

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

/**
 * A count of a usage: null where there is none, NaN where something else stands in its place. Every
 * figure that is calculated with it is then NaN too, so what cannot be read is never left out of a
 * sum; `areReadable` says so at the end.
 */
export function toFigure(value: unknown): number | null {
  if (value === undefined || value === null) return null
  return toCount(value) ?? NaN
}

/** The total of figures that were changed, unless it agrees with them as they were reported. */
export function toOtherTotal(usage: JsonObject, sum: number): unknown {
  return usage['total_tokens'] === sum ? null : usage['total_tokens']
}

export function areReadable(tokens: TokenCounts): boolean {
  for (const kind in tokens) {
    if (!Number.isSafeInteger(tokens[kind as keyof TokenCounts])) return false
  }
  return true
}

export function toCount(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
}
