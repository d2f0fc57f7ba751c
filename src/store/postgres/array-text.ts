// Arrays as PostgreSQL writes them, for a parameter such as `?::bigint[]`: many rows are then one
// statement.

export function toTextArray(texts: Iterable<string>): string {
  const quoted = Array.from(texts, (text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`)
  return `{${quoted.join(',')}}`
}

/** With null for what is absent. */
export function toOptionalTextArray(texts: Iterable<string | null>): string {
  const quoted = Array.from(texts, (text) =>
    text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  )
  return `{${quoted.join(',')}}`
}

export function toNumberArray(numbers: readonly (number | bigint)[]): string {
  return `{${numbers.join(',')}}`
}
