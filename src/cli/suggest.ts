// `Did you mean …?` for a wrong word.

import { nearestWord } from '../core/nearest-word.ts'

/** Null when nothing is near. The prefix goes before the word. */
export function suggest(wrong: string, known: readonly string[], prefix = ''): string | null {
  const word = nearestWord(wrong, known)
  return word === null ? null : `Did you mean ${prefix}${word}?`
}
