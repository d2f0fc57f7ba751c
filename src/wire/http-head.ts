// Heads of HTTP/1.1 messages (RFC 9112), from bytes to meaning. It stands in the security path, so it
// accepts less than the RFC allows and never more: what is doubtful is a fault, and a fault is refused.
// Must stay true: two readers of the same head cannot come to different ideas of where the body ends.

export interface HeaderLine {
  /** Lower case. */
  readonly name: string
  /** Without the blanks around it. */
  readonly value: string
  /** The whole line as it came, without its line end: this is what is passed on. */
  readonly line: string
}

export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }

export interface RequestHead {
  readonly method: string
  readonly target: string
  /** 0 or 1: the digit behind `HTTP/1.` */
  readonly minor: number
  readonly headers: readonly HeaderLine[]
  /** Lower-case names listed in `Connection`. */
  readonly connection: readonly string[]
  readonly framing: BodyFraming
  readonly isKeepAlive: boolean
  readonly isUpgrade: boolean
}

export interface ResponseHead {
  readonly minor: number
  readonly status: number
  /** The status line as it came. */
  readonly statusLine: string
  readonly headers: readonly HeaderLine[]
  readonly connection: readonly string[]
  readonly framing: BodyFraming
  readonly isKeepAlive: boolean
}

export type Parsed<Head> =
  | { readonly kind: 'head'; readonly head: Head }
  | { readonly kind: 'fault'; readonly reason: string }

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}) (\/[\x21-\x7e]*) HTTP\/1\.([01])$/
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
// Fifteen digits stay below 2^53, so a length is always exact.
const LENGTH = /^\d{1,15}$/

// To name one of these in `Connection` asks a proxy to drop it, and with it the framing or the route.
const NEVER_CONNECTION_NAMED = new Set(['content-length', 'transfer-encoding', 'host'])

const NO_BODY: BodyFraming = { kind: 'none' }
const CHUNKED: BodyFraming = { kind: 'chunked' }
const UNTIL_CLOSE: BodyFraming = { kind: 'until-close' }

const HEAD_END = Buffer.from('\r\n\r\n')
const LF = 10
const CR = 13

/** The offset just behind the blank line that ends a head, or -1. */
export function findHeadEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(HEAD_END, from)
  return at === -1 ? -1 : at + HEAD_END.length
}

/** True when an unfinished head can never become a good one, so that nobody waits for its end. */
export function hasBareLineFeed(bytes: Buffer): boolean {
  let at = bytes.indexOf(LF)
  while (at !== -1) {
    if (at === 0 || bytes[at - 1] !== CR) return true
    at = bytes.indexOf(LF, at + 1)
  }
  return false
}

/** The value of the first header of a (lower-case) name. */
export function findHeader(headers: readonly HeaderLine[], name: string): string | null {
  return headers.find((header) => header.name === name)?.value ?? null
}

export function headerLookup(headers: readonly HeaderLine[]): (name: string) => string | null {
  return (name) => findHeader(headers, name)
}

/** `text` is the head in Latin-1, up to and without the blank line. */
export function parseRequestHead(text: string, headersMax: number): Parsed<RequestHead> {
  if (hasForbidden(text)) return fault('a control character or a bare line end in the head')
  const lineEnd = endOfLine(text, 0)
  const line = REQUEST_LINE.exec(text.slice(0, lineEnd))
  if (line === null) return fault('a request line that is not METHOD /path HTTP/1.1')
  const headers = parseHeaderLines(text, lineEnd + 2, headersMax)
  if (typeof headers === 'string') return fault(headers)
  const minor = Number(line[3])
  const fields = readFields(headers)
  const failure = fields.fault ?? requestFault(fields, minor)
  if (failure !== null) return fault(failure)
  return {
    kind: 'head',
    head: {
      method: line[1] as string,
      target: line[2] as string,
      minor,
      headers,
      connection: fields.connection,
      framing: fields.framing ?? NO_BODY,
      isKeepAlive: isKeepAlive(fields.connection, minor),
      isUpgrade: fields.hasUpgrade && fields.connection.includes('upgrade'),
    },
  }
}

/** `method` is the request's: a response to HEAD has no body whatever its head says. */
export function parseResponseHead(
  text: string,
  method: string,
  headersMax: number,
): Parsed<ResponseHead> {
  if (hasForbidden(text)) return fault('a control character or a bare line end in the head')
  const lineEnd = endOfLine(text, 0)
  const statusLine = text.slice(0, lineEnd)
  const match = STATUS_LINE.exec(statusLine)
  if (match === null) return fault('a status line that is not HTTP/1.1 NNN')
  const headers = parseHeaderLines(text, lineEnd + 2, headersMax)
  if (typeof headers === 'string') return fault(headers)
  const minor = Number(match[1])
  const status = Number(match[2])
  const fields = readFields(headers)
  if (fields.fault !== null) return fault(fields.fault)
  if (minor === 0 && fields.framing?.kind === 'chunked') {
    return fault('Transfer-Encoding in an HTTP/1.0 message')
  }
  const hasNoBody = method === 'HEAD' || status < 200 || status === 204 || status === 304
  return {
    kind: 'head',
    head: {
      minor,
      status,
      statusLine,
      headers,
      connection: fields.connection,
      framing: hasNoBody ? NO_BODY : (fields.framing ?? UNTIL_CLOSE),
      isKeepAlive: isKeepAlive(fields.connection, minor),
    },
  }
}

function fault(reason: string): { kind: 'fault'; reason: string } {
  return { kind: 'fault', reason }
}

/** Control characters anywhere, or a CR or LF that is no part of a pair. A loop: a pattern took four times as long. */
function hasForbidden(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x20 ? code !== 0x7f : code === 0x09) continue
    if (code !== 0x0d || text.charCodeAt(at + 1) !== 0x0a) return true
    at++
  }
  return false
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\r\n', from)
  return at === -1 ? text.length : at
}

/** The lines, or what is wrong with them. A folded line starts with a blank and so has no name. */
function parseHeaderLines(text: string, from: number, headersMax: number): HeaderLine[] | string {
  const headers: HeaderLine[] = []
  for (let at = from; at < text.length;) {
    const end = endOfLine(text, at)
    const line = text.slice(at, end)
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    if (!TOKEN.test(name)) return 'a header line that is not Name: value'
    if (headers.length === headersMax) return `more than ${headersMax} headers`
    headers.push({ name: name.toLowerCase(), value: trimBlanks(line, colon + 1), line })
    at = end + 2
  }
  return headers
}

/** Spaces and tabs only: String.trim would also take characters that a peer keeps. */
function trimBlanks(line: string, from: number): string {
  let start = from
  let end = line.length
  while (start < end && isBlank(line.charCodeAt(start))) start++
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

interface Fields {
  framing: BodyFraming | null
  connection: string[]
  hosts: number
  hasUpgrade: boolean
  fault: string | null
}

function readFields(headers: readonly HeaderLine[]): Fields {
  const fields: Fields = {
    framing: null,
    connection: [],
    hosts: 0,
    hasUpgrade: false,
    fault: null,
  }
  for (const { name, value } of headers) {
    switch (name) {
      case 'content-length':
        if (fields.framing !== null) fields.fault = 'more than one statement of the body length'
        else if (!LENGTH.test(value)) fields.fault = 'a Content-Length that is not a plain number'
        else fields.framing = { kind: 'length', length: Number(value) }
        break
      case 'transfer-encoding':
        if (fields.framing !== null) fields.fault = 'more than one statement of the body length'
        else if (value.toLowerCase() !== 'chunked') fields.fault = 'a Transfer-Encoding but chunked'
        else fields.framing = CHUNKED
        break
      case 'connection':
        for (const item of value.split(',')) fields.connection.push(item.trim().toLowerCase())
        break
      case 'host':
        fields.hosts++
        break
      case 'upgrade':
        fields.hasUpgrade = true
        break
    }
  }
  if (fields.connection.some((named) => NEVER_CONNECTION_NAMED.has(named))) {
    fields.fault = 'a Connection header that names the framing or the host'
  }
  return fields
}

function requestFault(fields: Fields, minor: number): string | null {
  if (fields.hosts > 1) return 'more than one Host'
  if (minor === 1 && fields.hosts === 0) return 'no Host'
  if (minor === 0 && fields.framing?.kind === 'chunked') {
    return 'Transfer-Encoding in an HTTP/1.0 message'
  }
  return null
}

function isKeepAlive(connection: readonly string[], minor: number): boolean {
  if (connection.includes('close')) return false
  return minor === 1 || connection.includes('keep-alive')
}
