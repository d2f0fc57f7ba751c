// Counts months back from a day or a month, as the API writes them.

/** `2026-01-16…` gives `2025-12`. */
export function toMonthBefore(asOf: string, back = 1): string {
  const [year = 0, month = 1] = asOf.slice(0, 7).split('-').map(Number)
  const count = year * 12 + (month - 1) - back
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`
}
