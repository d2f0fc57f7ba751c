// Makes foreign names safe to print. Must stay true: none controls the terminal or adds a command.

/** Control characters and line breaks become a mark. */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�')
}

export function quoteWord(word: string): string {
  const text = toPrintable(word)
  if (/^[\w./:@%+,][\w./:@%+,-]*$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
