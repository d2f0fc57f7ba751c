// The nearest right word to a wrong one.

const WORD_CHARS_MAX = 64

/** `Did you mean …?`, or null when nothing is near. The prefix is said before the word. */
export function suggest(wrong: string, known: readonly string[], prefix = ''): string | null {
  if (wrong.length > WORD_CHARS_MAX) return null
  const distanceMax = Math.max(1, Math.floor(wrong.length / 3))
  let nearest: { word: string; distance: number } | null = null
  for (const word of known) {
    const distance = countEdits(wrong, word)
    if (distance > distanceMax) continue
    if (nearest === null || distance < nearest.distance) nearest = { word, distance }
  }
  return nearest === null ? null : `Did you mean ${prefix}${nearest.word}?`
}

/** Letters added, removed, replaced, or swapped with their neighbour. */
export function countEdits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      let edits = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
      )
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (row > 1 && column > 1 && isSwap) edits = Math.min(edits, at(beforeLast, column - 2) + 1)
      current.push(edits)
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] as number
}
