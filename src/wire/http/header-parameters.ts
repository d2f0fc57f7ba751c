// A header value with parameters, as Content-Type and Content-Disposition have them (RFC 9110
// §5.6.6). Must stay true: where two readers could come to different parameters, there are none: a
// value with a backslash, a parameter twice, an extended one (`name*=`) or anything left over is
// refused. Only a file's name may be extended (RFC 5987): clients write it so, and nothing hangs on
// it.

export interface HeaderParameters {
  /** Lower case: `multipart/form-data`. */
  readonly value: string
  /** Names in lower case, values as written between their quotes. */
  readonly parameters: ReadonlyMap<string, string>
}

const VALUE = /^[!#$%&'*+\-.^_`|~0-9A-Za-z/]+/
const PARAMETER =
  /^[ \t]*;[ \t]*(filename\*|[!#$%&'+\-.^_`|~0-9A-Za-z]+)=(?:"([^"\\]*)"|([!#$%&'*+\-.^_`|~0-9A-Za-z]+))/

const BYTES_MAX = 4096

/** Null where it is not certain what it says. */
export function parseHeaderParameters(text: string): HeaderParameters | null {
  const value = VALUE.exec(text)?.[0]
  if (value === undefined || text.length > BYTES_MAX) return null
  const parameters = new Map<string, string>()
  let rest = text.slice(value.length)
  while (rest.trim() !== '') {
    const match = PARAMETER.exec(rest)
    const name = match?.[1]?.toLowerCase()
    if (match === null || name === undefined || parameters.has(name)) return null
    parameters.set(name, match[2] ?? match[3] ?? '')
    rest = rest.slice(match[0].length)
  }
  return { value: value.toLowerCase(), parameters }
}
