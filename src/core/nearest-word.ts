// The word most likely meant by one that does not exist: a setting, a command, a flag.

const WORD_CHARACTERS_MAX = 64

/** Null when none is near: a far-fetched suggestion misleads more than none. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const distanceMax = Math.max(1, Math.floor(word.length / 3))
  let best: { readonly word: string; readonly distance: number } | null = null
  for (const candidate of known) {
    // Every letter more or less is an edit.
    if (Math.abs(candidate.length - word.length) > distanceMax) continue
    const distance = countEdits(word.toLowerCase(), candidate.toLowerCase())
    if (distance <= distanceMax && (best === null || distance < best.distance)) {
      best = { word: candidate, distance }
    }
  }
  return best?.word ?? null
}

/** Letters added, removed, replaced, or swapped with their neighbour. */
function countEdits(from: string, to: string): number {
  // A word of a megabyte is near to nothing and must not cost the square of its length.
  if (from.length > WORD_CHARACTERS_MAX || to.length > WORD_CHARACTERS_MAX) return Infinity
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0
  for (let row = 1; row <= from.length; row += 1) {
    rows.push([row])
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const shorter = Math.min(at(row - 1, column), at(row, column - 1)) + 1
      const replaced = at(row - 1, column - 1) + (isSame ? 0 : 1)
      const swapped = row > 1 && column > 1 && isSwap ? at(row - 2, column - 2) + 1 : Infinity
      rows[row]?.push(Math.min(shorter, replaced, swapped))
    }
  }
  return at(from.length, to.length)
}
