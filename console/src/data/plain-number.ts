// Numbers as people write them. Must stay true: what could be read in two ways is not read at all;
// `2,50` taken for 250 would be a hundred times the price.

/** `$1,000.50` as `1000.50`; null for what is no number, or may be another one. */
export function toPlainNumber(text: string): string | null {
  const bare = text.replaceAll(/[\s$]/g, '')
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare)) return bare.replaceAll(',', '')
  return /^\d+(?:\.\d+)?$/.test(bare) ? bare : null
}
