// Texts that every engine can store: PostgreSQL refuses U+0000, and halves of surrogate pairs are
// no UTF-8. Both become U+FFFD, the sign for a character that could not be represented, so that no
// call is ever unstorable for a name that a caller made up.

const REPLACEMENT = '\u{fffd}'

export function toStorableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', REPLACEMENT) : wellFormed
}

export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
