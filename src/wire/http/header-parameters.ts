// A header value with parameters, such as Content-Type (RFC 9110 §5.6.6). Must stay true: a value
// that two readers could read differently is refused: a backslash, a repeated or extended parameter
// (`name*=`), leftovers. Only a file's name may be extended (RFC 5987), as clients do.

export interface HeaderParameters {
  /** Lower case: `multipart/form-data`. */
  readonly value: string
  /** Names in lower case, values as written between their quotes. */
  readonly parameters: ReadonlyMap<string, string>
}

const VALUE = /^[!#$%&'*+\-.^_`|~0-9A-Za-z/]+/
const PARAMETER =
  /^[ \t]*;[ \t]*(filename\*|[!#$%&'+\-.^_`|~0-9A-Za-z]+)=(?:"([^"\\]*)"|([!#$%&'*+\-.^_`|~0-9A-Za-z]+))/

/** Semicolons with nothing behind them, which the grammar allows and some clients write. */
const NO_PARAMETERS = /^(?:[ \t]*;[ \t]*(?=;|$))+/

const BYTES_MAX = 4096

/** Null where the meaning is not certain. */
export function parseHeaderParameters(text: string): HeaderParameters | null {
  const value = VALUE.exec(text)?.[0]
  if (value === undefined || text.length > BYTES_MAX) return null
  const parameters = new Map<string, string>()
  let rest = text.slice(value.length).replace(NO_PARAMETERS, '')
  while (rest.trim() !== '') {
    const match = PARAMETER.exec(rest)
    const name = match?.[1]?.toLowerCase()
    if (match === null || name === undefined || parameters.has(name)) return null
    parameters.set(name, match[2] ?? match[3] ?? '')
    rest = rest.slice(match[0].length).replace(NO_PARAMETERS, '')
  }
  return { value: value.toLowerCase(), parameters }
}
