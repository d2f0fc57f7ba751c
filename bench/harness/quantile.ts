// What many measurements say together.

/** Between two values where it falls between them. */
export function quantile(values: Iterable<number>, part: number): number {
  const ascending = Float64Array.from(values).sort()
  const place = (ascending.length - 1) * part
  const below = ascending[Math.floor(place)] ?? Number.NaN
  const above = ascending[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

export function median<Item>(items: readonly Item[], pick: (item: Item) => number): number {
  return quantile(items.map(pick), 0.5)
}

/** As cells of a table. */
export function formatQuantiles(
  values: readonly number[],
  parts: readonly number[],
  digits: number,
): string[] {
  return parts.map((part) => quantile(values, part).toFixed(digits))
}

/**
 * So many of them, in which others took the least of the machine, the calmest first: what they had
 * says nothing about what was measured meanwhile.
 */
export function calmest<Item extends { readonly others: number }>(
  items: readonly Item[],
  count: number,
): Item[] {
  return items.toSorted((a, b) => a.others - b.others).slice(0, count)
}
