// Where a request carries a credential, and which of these carry a key of ours in place of a
// provider's. Must stay true: a whole key of ours anywhere else in the head is `misplaced`, so that
// it never goes on unnoticed.

import { LINE } from './header-lines.ts'
import type { HeaderLines } from './header-lines.ts'

/** Names of headers, but for the first; with a question mark, of query parameters. */
export type CredentialLocation =
  | 'bearer'
  | 'x-api-key'
  | 'api-key'
  | 'x-goog-api-key'
  | '?key'
  | '?api-key'

const QUERY_PLACES: Readonly<Record<string, CredentialLocation>> = {
  key: '?key',
  'api-key': '?api-key',
}

/** Parameters that prove who calls as well: tokens, Google's other name for `key`, signatures. */
const PROOFS: ReadonlySet<string> = new Set(['access_token', '$key', 'x-amz-credential'])

const KEY_PREFIX = Buffer.from('svc_k_')
const KEY_PREFIX_LAST = KEY_PREFIX.at(-1)
const KEY_PREFIX_TEXT = KEY_PREFIX.toString()
export const WHOLE_KEY = /svc_k_[a-z0-9]{8,32}\.[A-Za-z0-9_-]{32,128}/
const BEARER = Buffer.from('bearer')
/** The entries of `Sec-WebSocket-Protocol` that browsers send in place of a header. */
const PROTOCOL_PROOF = /key|auth|token|bearer/i

/** Text that begins as our keys do. */
export interface FoundKey {
  readonly place: CredentialLocation
  readonly text: Buffer
  /** Its header line; -1 in the query. */
  readonly line: number
  /** In the head's bytes; in the query, of the parameter's value in the query's text. */
  readonly start: number
  readonly end: number
}

export interface Brought {
  readonly keys: readonly FoundKey[]
  /** A credential that is not ours. */
  readonly hasForeign: boolean
  /** A whole key of ours stands where none can be replaced. */
  readonly isMisplaced: boolean
}

export const NOTHING_BROUGHT: Brought = { keys: [], hasForeign: false, isMisplaced: false }
const FOREIGN_BROUGHT: Brought = { ...NOTHING_BROUGHT, hasForeign: true }
const MISPLACED: Brought = { ...NOTHING_BROUGHT, isMisplaced: true }

interface Target {
  readonly path: string
  /** Without the question mark. */
  readonly query: string
}

/** Other people's keys count in `places` only. */
export function findInTarget(
  { path, query }: Target,
  places: readonly CredentialLocation[],
): Brought {
  let isMisplaced = WHOLE_KEY.test(decode(path))
  if (query === '') return isMisplaced ? MISPLACED : NOTHING_BROUGHT
  const keys: FoundKey[] = []
  let hasForeign = false
  let at = 0
  for (const parameter of query.split('&')) {
    const equals = parameter.indexOf('=')
    const nameEnd = equals === -1 ? parameter.length : equals
    const name = decode(parameter.slice(0, nameEnd))
    const value = decode(parameter.slice(nameEnd + 1))
    const place = Object.hasOwn(QUERY_PLACES, name) ? QUERY_PLACES[name] : undefined
    if (place !== undefined && value.startsWith(KEY_PREFIX_TEXT)) {
      const text = Buffer.from(value, 'latin1')
      keys.push({ place, text, line: -1, start: at + nameEnd + 1, end: at + parameter.length })
    } else if (WHOLE_KEY.test(value) || WHOLE_KEY.test(name)) {
      isMisplaced = true
    } else if (place === undefined ? PROOFS.has(name.toLowerCase()) : places.includes(place)) {
      hasForeign = true
    }
    at += parameter.length + 1
  }
  if (keys.length > 0) return { keys, hasForeign, isMisplaced }
  if (isMisplaced) return MISPLACED
  return hasForeign ? FOREIGN_BROUGHT : NOTHING_BROUGHT
}

/** As a server reads a parameter; what is no escape stands for itself. */
function decode(text: string): string {
  if (!text.includes('%')) return text
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** Of a whole request. Without a key of ours nothing is allocated: nearly all calls are so. */
export function findBrought(lines: HeaderLines, inTarget: Brought, isUpgrade: boolean): Brought {
  let keys: FoundKey[] | null = null
  let { hasForeign, isMisplaced } = inTarget
  for (let line = 0; line < lines.count; line++) {
    if (lines.kindOf(line) !== LINE.credential) continue
    const found = readLine(lines, line)
    if (found === 'foreign') hasForeign = true
    else if (found === 'misplaced') isMisplaced = true
    else (keys ??= []).push(found)
  }
  isMisplaced ||= hasKeyElsewhere(lines, keys)
  if (isUpgrade) {
    hasForeign ||= lines
      .findAll('sec-websocket-protocol')
      .some((value) => PROTOCOL_PROOF.test(value))
  }
  if (keys !== null || inTarget.keys.length > 0) {
    return { keys: [...(keys ?? []), ...inTarget.keys], hasForeign, isMisplaced }
  }
  if (isMisplaced) return MISPLACED
  return hasForeign ? FOREIGN_BROUGHT : NOTHING_BROUGHT
}

function readLine(lines: HeaderLines, line: number): FoundKey | 'foreign' | 'misplaced' {
  const { bytes } = lines
  const valueStart = lines.valueStartOf(line)
  const end = lines.valueEndOf(line)
  const isAuthorization = lines.isNamed(line, 'authorization')
  const start = isAuthorization ? findToken(bytes, valueStart, end) : valueStart
  if (start !== -1 && isKeyAt(bytes, start, end)) {
    const place = isAuthorization ? 'bearer' : placeOf(lines, line)
    return { place, text: bytes.subarray(start, end), line, start, end }
  }
  return hasKeyInBasic(bytes, valueStart, end) ? 'misplaced' : 'foreign'
}

function placeOf(lines: HeaderLines, line: number): CredentialLocation {
  if (lines.isNamed(line, 'x-api-key')) return 'x-api-key'
  return lines.isNamed(line, 'api-key') ? 'api-key' : 'x-goog-api-key'
}

/** Behind `Bearer` and its blanks; -1 with any other scheme. */
function findToken(bytes: Buffer, start: number, end: number): number {
  let token = start + BEARER.length
  if (token >= end || !isBlank(bytes[token] as number)) return -1
  for (let at = 0; at < BEARER.length; at++) {
    // Capital and small letters differ in this bit alone.
    if (((bytes[start + at] as number) | 0x20) !== BEARER[at]) return -1
  }
  while (token < end && isBlank(bytes[token] as number)) token++
  return token
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09
}

function isKeyAt(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < KEY_PREFIX.length) return false
  for (let at = 0; at < KEY_PREFIX.length; at++) {
    if (bytes[start + at] !== KEY_PREFIX[at]) return false
  }
  return true
}

/** How far a search for the prefix may go on behind a byte (Horspool): every call is searched. */
const STEPS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const last = KEY_PREFIX.lastIndexOf(byte, KEY_PREFIX.length - 2)
  return KEY_PREFIX.length - 1 - last
})

/** A whole key in a line that would go on with it. */
function hasKeyElsewhere(lines: HeaderLines, keys: readonly FoundKey[] | null): boolean {
  const { bytes } = lines
  for (let at = findPrefix(lines, lines.start); at !== -1;) {
    const line = lines.lineAt(at)
    const kind = lines.kindOf(line)
    const next = lines.nextOf(line)
    const goesOn =
      kind === LINE.plain || (kind === LINE.credential && !keys?.some((key) => key.line === line))
    if (goesOn && WHOLE_KEY.test(bytes.toString('latin1', at, next))) return true
    at = findPrefix(lines, next)
  }
  return false
}

function findPrefix({ bytes, end }: HeaderLines, from: number): number {
  let last = from + KEY_PREFIX.length - 1
  while (last < end) {
    const byte = bytes[last] as number
    const at = last - KEY_PREFIX.length + 1
    if (byte === KEY_PREFIX_LAST && isKeyAt(bytes, at, end)) return at
    last += STEPS[byte] as number
  }
  return -1
}

const BASIC = /^basic[ \t]+([A-Za-z0-9+/_=-]+)$/i
const SMALL_B = 0x62

/** A whole key as a user's name or password. */
function hasKeyInBasic(bytes: Buffer, start: number, end: number): boolean {
  // Most values here are `Bearer …`, which the blank behind it tells from `Basic …`.
  const canBeBasic =
    ((bytes[start] as number) | 0x20) === SMALL_B && isBlank(bytes[start + 5] as number)
  if (!canBeBasic) return false
  const encoded = BASIC.exec(bytes.toString('latin1', start, end))?.[1]
  return encoded !== undefined && WHOLE_KEY.test(Buffer.from(encoded, 'base64').toString('latin1'))
}
