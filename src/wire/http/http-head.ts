// Reads heads of HTTP/1.1 messages (RFC 9112). Security depends on it, so whatever is doubtful is a
// fault and refused. Must stay true: two readers of a head agree on where the body ends.

import { FORBIDDEN, HeaderLines, LINE, TEXT, isToken } from './header-lines.ts'
import { findPath, isOwnTarget } from './request-target.ts'

export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }

export interface RequestHead {
  readonly method: string
  /** From its path on. */
  readonly target: string
  /** 0 or 1: the digit behind `HTTP/1.` */
  readonly minor: number
  readonly lines: HeaderLines
  /** Lower-case names listed in `Connection`. */
  readonly connection: readonly string[]
  readonly framing: BodyFraming
  readonly isKeepAlive: boolean
  /** It asks for a WebSocket. Any other offer is ignored, as a server may (RFC 9110 §7.8). */
  readonly isUpgrade: boolean
  /** The caller waits for "100 Continue" before it sends the body. */
  readonly isExpecting: boolean
}

export class ResponseHead {
  readonly status: number
  readonly minor: number
  readonly lines: HeaderLines
  readonly connection: readonly string[]
  readonly framing: BodyFraming
  readonly isKeepAlive: boolean

  constructor(
    head: Pick<ResponseHead, 'status' | 'minor' | 'lines'>,
    framing: BodyFraming,
    connection: readonly string[],
  ) {
    this.status = head.status
    this.minor = head.minor
    this.lines = head.lines
    this.connection = connection
    this.framing = framing
    this.isKeepAlive = isKeepAlive(connection, head.minor)
  }

  /** The value of the first header of that lower-case name. */
  header(name: string): string | null {
    return this.lines.find(name)
  }
}

export interface HeadFault {
  /** Completes "The request has …". */
  readonly fault: string
  /** True when it is the number of headers. */
  readonly isTooMany?: boolean
  /** True when it is the method. */
  readonly isMethod?: true
}

/** A head within `bytes`, ending where findHeadEnd says. */
export interface HeadSpan {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

const METHOD_BYTES_MAX = 32
/** One asks for a tunnel (RFC 9112 §3.2.3), the others for the request's headers in the answer. */
const METHODS_REFUSED = /^(?:connect|trace|track)$/i

// Naming one of these in `Connection` asks a proxy to drop it, and so the framing or the route.
const NEVER_CONNECTION_NAMED = new Set(['content-length', 'transfer-encoding', 'host'])

const NO_BODY: BodyFraming = { kind: 'none' }
const CHUNKED: BodyFraming = { kind: 'chunked' }
const UNTIL_CLOSE: BodyFraming = { kind: 'until-close' }

const HEAD_END = Buffer.from('\r\n\r\n')
const VERSION = Buffer.from('HTTP/1.')
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const ZERO = 0x30

/** The offset just behind the blank line that ends a head, or -1. */
export function findHeadEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(HEAD_END, from)
  return at === -1 ? -1 : at + HEAD_END.length
}

/** True when an unfinished head can never become valid, so that its end is not awaited. */
export function hasBareLineFeed(bytes: Buffer, from: number): boolean {
  let at = bytes.indexOf(LF, from)
  while (at !== -1) {
    if (at === 0 || bytes[at - 1] !== CR) return true
    at = bytes.indexOf(LF, at + 1)
  }
  return false
}

export function isFault(parsed: object): parsed is HeadFault {
  return 'fault' in parsed
}

export function parseRequestHead(head: HeadSpan, linesMax: number): RequestHead | HeadFault {
  const { bytes, start, end } = head
  let methodEnd = start
  while (isToken(bytes[methodEnd] as number)) methodEnd++
  let targetEnd = methodEnd + 1
  while (isVisible(bytes[targetEnd] as number)) targetEnd++
  const minor = readVersion(bytes, targetEnd + 1)
  const lineEnd = targetEnd + 1 + VERSION.length + 1
  const method = readMethod(bytes, start, methodEnd)
  if (method !== 'POST' && METHODS_REFUSED.test(method)) {
    return { fault: `the method ${method}`, isMethod: true }
  }
  const target = { bytes, start: methodEnd + 1, end: targetEnd }
  const pathStart = findPath(target)
  const isLine =
    methodEnd > start &&
    methodEnd - start <= METHOD_BYTES_MAX &&
    bytes[methodEnd] === SPACE &&
    pathStart !== -1 &&
    bytes[targetEnd] === SPACE &&
    minor !== -1 &&
    bytes[lineEnd] === CR &&
    bytes[lineEnd + 1] === LF
  if (!isLine) return { fault: 'a request line that is not METHOD /path HTTP/1.1' }
  const lines = new HeaderLines(bytes, start, lineEnd + 2)
  const fields = new Fields()
  const fault = lines.read(end - 2, linesMax) ?? fields.read(lines) ?? requestFault(fields, minor)
  if (fault !== null) return { fault, isTooMany: lines.isOverfull }
  if (!isOwnTarget(target, lines)) return { fault: 'a target with another host than its Host' }
  return {
    method,
    target: bytes.toString('latin1', pathStart, targetEnd),
    minor,
    lines,
    connection: fields.connection,
    framing: fields.framing ?? NO_BODY,
    isKeepAlive: isKeepAlive(fields.connection, minor),
    isUpgrade: minor === 1 && fields.asksForWebSocket && fields.connection.includes('upgrade'),
    isExpecting: fields.isExpecting,
  }
}

export interface ResponseOptions {
  /** The request's method: a response to HEAD has no body whatever its head says. */
  readonly method: string
  readonly linesMax: number
}

export function parseResponseHead(
  head: HeadSpan,
  { method, linesMax }: ResponseOptions,
): ResponseHead | HeadFault {
  const { bytes, start, end } = head
  const minor = readVersion(bytes, start)
  const codeStart = start + VERSION.length + 2
  const status = readStatus(bytes, codeStart)
  const codeEnd = codeStart + 3
  let lineEnd = codeEnd
  if (bytes[codeEnd] === SPACE) while (TEXT[bytes[lineEnd] as number] === 1) lineEnd++
  if (minor === -1 || bytes[codeStart - 1] !== SPACE || status === -1) {
    return { fault: 'a status line that is not HTTP/1.1 NNN' }
  }
  if (bytes[lineEnd] !== CR || bytes[lineEnd + 1] !== LF) return { fault: FORBIDDEN }
  const lines = new HeaderLines(bytes, start, lineEnd + 2)
  const fields = new Fields()
  const fault = lines.read(end - 2, linesMax) ?? fields.read(lines) ?? versionFault(fields, minor)
  if (fault !== null) return { fault, isTooMany: lines.isOverfull }
  const hasNoBody = method === 'HEAD' || status < 200 || status === 204 || status === 304
  const framing = hasNoBody ? NO_BODY : (fields.framing ?? UNTIL_CLOSE)
  return new ResponseHead({ status, minor, lines }, framing, fields.connection)
}

function isVisible(byte: number): boolean {
  return byte > SPACE && byte < 0x7f
}

function readVersion(bytes: Buffer, from: number): number {
  for (let at = 0; at < VERSION.length; at++) if (bytes[from + at] !== VERSION[at]) return -1
  const minor = (bytes[from + VERSION.length] as number) - ZERO
  return minor === 0 || minor === 1 ? minor : -1
}

/** Three digits of which the first is not 0, or -1. */
function readStatus(bytes: Buffer, at: number): number {
  const hundreds = (bytes[at] as number) - ZERO
  const tens = (bytes[at + 1] as number) - ZERO
  const ones = (bytes[at + 2] as number) - ZERO
  const isNumber = hundreds >= 1 && hundreds <= 9 && isDigit(tens) && isDigit(ones)
  return isNumber ? hundreds * 100 + tens * 10 + ones : -1
}

function isDigit(value: number): boolean {
  return value >= 0 && value <= 9
}

/** Nearly every call is a POST, which need not be decoded each time. */
function readMethod(bytes: Buffer, start: number, end: number): string {
  const isPost =
    end - start === 4 &&
    bytes[start] === 0x50 &&
    bytes[start + 1] === 0x4f &&
    bytes[start + 2] === 0x53 &&
    bytes[start + 3] === 0x54
  return isPost ? 'POST' : bytes.toString('latin1', start, end)
}

const NO_NAMES: readonly string[] = []
const KEEP_ALIVE: readonly string[] = ['keep-alive']

function readNames(lines: HeaderLines, line: number): readonly string[] {
  if (lines.isValue(line, 'keep-alive')) return KEEP_ALIVE
  const list = lines.valueOf(line).split(',')
  return list.map((name) => name.trim().toLowerCase())
}

class Fields {
  framing: BodyFraming | null = null
  connection: readonly string[] = NO_NAMES
  hosts = 0
  /** In the only Upgrade header: of several offers the upstream could take another one. */
  asksForWebSocket = false
  upgrades = 0
  isExpecting = false

  /** Returns what is wrong, or null. */
  read(lines: HeaderLines): string | null {
    for (let line = 0; line < lines.count; line++) {
      const fault = this.#readLine(lines, line)
      if (fault !== null) return fault
    }
    return null
  }

  #readLine(lines: HeaderLines, line: number): string | null {
    switch (lines.kindOf(line)) {
      case LINE.contentLength: {
        const length = lines.numberOf(line)
        if (this.framing !== null) return 'more than one statement of the body length'
        if (length === -1) return 'a Content-Length that is not a plain number'
        this.framing = { kind: 'length', length }
        return null
      }
      case LINE.transferEncoding:
        if (this.framing !== null) return 'more than one statement of the body length'
        if (!lines.isValue(line, 'chunked')) return 'a Transfer-Encoding but chunked'
        this.framing = CHUNKED
        return null
      case LINE.connection:
        return this.#readConnection(lines, line)
      case LINE.host:
        this.hosts++
        return null
      case LINE.upgrade:
        this.asksForWebSocket = ++this.upgrades === 1 && lines.isValue(line, 'websocket')
        return null
      case LINE.expect:
        this.isExpecting = true
        return null
      default:
        return null
    }
  }

  #readConnection(lines: HeaderLines, line: number): string | null {
    const names = readNames(lines, line)
    this.connection = this.connection.length === 0 ? names : [...this.connection, ...names]
    return names.some((name) => NEVER_CONNECTION_NAMED.has(name))
      ? 'a Connection header that names the framing or the host'
      : null
  }
}

function requestFault(fields: Fields, minor: number): string | null {
  if (fields.hosts > 1) return 'more than one Host'
  if (minor === 1 && fields.hosts === 0) return 'no Host'
  return versionFault(fields, minor)
}

function versionFault(fields: Fields, minor: number): string | null {
  const isFault = minor === 0 && fields.framing?.kind === 'chunked'
  return isFault ? 'Transfer-Encoding in an HTTP/1.0 message' : null
}

function isKeepAlive(connection: readonly string[], minor: number): boolean {
  if (connection.includes('close')) return false
  return minor === 1 || connection.includes('keep-alive')
}
