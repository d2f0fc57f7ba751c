// Dimensions: the key=value tags of a call, from X-SVC-Dims and from keys. Must stay true: every
// fault is found and named, and what is kept follows the grammar.

export const DIM_KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/
export const DIM_PAIRS_MAX = 16
export const DIM_VALUE_CHARS_MAX = 256

const SHOWN_CHARS_MAX = 80

export interface DimFault {
  readonly pair: string
  readonly reason: string
}

export interface ParsedDims {
  readonly dims: Record<string, string>
  readonly faults: DimFault[]
}

/** `header` has one character per byte, as HTTP headers arrive. A blank one has no pairs. */
export function parseDims(header: string): ParsedDims {
  const dims: Record<string, string> = {}
  const faults: DimFault[] = []
  if (trimBlanks(header) === '') return { dims, faults }
  for (const [index, pair] of header.split(',').entries()) {
    const reason =
      index < DIM_PAIRS_MAX
        ? addPair(dims, pair)
        : `there are more than ${DIM_PAIRS_MAX} pairs, the most a call may have`
    if (reason !== null) faults.push({ pair: toShown(pair), reason })
  }
  return { dims, faults }
}

export function dimKeyFault(key: string): string | null {
  if (key === '') return 'the key is empty'
  if (DIM_KEY.test(key)) return null
  return 'the key must begin with a letter, contain only letters, digits, "_", "." or "-", and have at most 64'
}

/** Of a decoded value. */
export function dimValueFault(value: string): string | null {
  if (value === '') return 'the value is empty'
  if (CONTROL.test(value)) return 'the value contains a control character'
  if (!value.isWellFormed()) return 'the value is not valid Unicode'
  if (value.length <= DIM_VALUE_CHARS_MAX) return null
  // Only a value that may be too long is worth counting: one character can be two units.
  return Array.from(value).length > DIM_VALUE_CHARS_MAX
    ? `the value is longer than ${DIM_VALUE_CHARS_MAX} characters`
    : null
}

const CONTROL = /\p{Cc}/u
// The common case needs no decoding: printable ASCII without a percent sign.
const PLAIN = /^[\x20-\x24\x26-\x7e]*$/
const ESCAPE = /%([0-9A-Fa-f]{2})/g
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function addPair(dims: Record<string, string>, pair: string): string | null {
  const at = pair.indexOf('=')
  if (at === -1) return 'the pair has no "="'
  const key = trimBlanks(pair.slice(0, at))
  const keyReason = dimKeyFault(key)
  if (keyReason !== null) return keyReason
  const value = decodeValue(trimBlanks(pair.slice(at + 1)))
  if (value === null) return 'the value is not valid UTF-8'
  const valueReason = dimValueFault(value)
  if (valueReason !== null) return valueReason
  if (Object.hasOwn(dims, key)) return 'the key is given twice'
  dims[key] = value
  return null
}

/** Escapes and raw bytes may form one character together, so the bytes are joined first. */
function decodeValue(text: string): string | null {
  if (PLAIN.test(text)) return text
  const bytes = text.replace(ESCAPE, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  if (!isBytes(bytes)) return null
  try {
    return decoder.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return null
  }
}

function isBytes(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0xff) return false
  }
  return true
}

/** Blanks are space and tab (RFC 9110, section 5.6.3); other white space is part of the text. */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function toShown(pair: string): string {
  const text = Buffer.from(trimBlanks(pair), 'latin1').toString('utf8')
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text
}

/** Where in a request's body a dimension stands, for clients that cannot send X-SVC-Dims. */
export interface DimLocation {
  /** The names of members, from the outermost in. */
  readonly path: readonly string[]
  readonly dim: string
}

export const DIM_DEPTH_MAX = 4
const MEMBER = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** `metadata.user_id=user,user=user`. Null for any other text, and for one place within another. */
export function parseDimPlaces(text: string): readonly DimLocation[] | null {
  const places: DimLocation[] = []
  for (const pair of text.split(',')) {
    const [from = '', dim = '', more] = pair.split('=').map((part) => part.trim())
    const path = from.split('.')
    if (more !== undefined || !DIM_KEY.test(dim)) return null
    if (path.length > DIM_DEPTH_MAX || !path.every((name) => MEMBER.test(name))) return null
    if (places.some((place) => isWithin(place.path, path) || isWithin(path, place.path)))
      return null
    places.push({ path, dim })
  }
  return places.length > DIM_PAIRS_MAX ? null : places
}

function isWithin(outer: readonly string[], path: readonly string[]): boolean {
  return outer.every((name, depth) => name === path[depth])
}

/**
 * What a call to try a key has to say beside what the key says. The values are nobody's: pasted as
 * it stands, it is booked to no real team.
 */
export function toSampleDims(
  required: readonly string[],
  given: Readonly<Record<string, string>>,
): readonly (readonly [name: string, value: string])[] {
  const missing = required.filter((name) => !Object.hasOwn(given, name))
  return missing.map((name) => [name, `your-${name}`])
}
