// Names of models come from callers and providers. Must stay true: none of them can rewrite the
// terminal, or smuggle a second command into a line that is meant to be copied.

/** Control characters, line breaks included, become a mark. */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�')
}

/** A word of a shell's command line, in quotes where it needs them. */
export function quoteWord(word: string): string {
  const text = toPrintable(word)
  if (/^[\w./:@%+,][\w./:@%+,-]*$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
