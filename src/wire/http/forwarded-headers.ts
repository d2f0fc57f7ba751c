// Which header lines are forwarded: none that concern one hop (RFC 9110 §7.6.1), nor X-SVC-*, which
// is for Weir, nor an upstream's imitation of Weir's own, nor an offer to upgrade to anything but a
// WebSocket. Framing headers are, as the framing is.

import { LINE } from './header-lines.ts'
import type { HeaderLines } from './header-lines.ts'
import type { RequestHead, ResponseHead } from './http-head.ts'

// Framing goes on as it stands, even where `Connection` names it.
const CONNECTION_NAMED_KEPT = new Set(['te', 'trailer'])

const NONE: readonly never[] = []

export interface HeadTarget {
  readonly bytes: Buffer
  readonly at: number
}

export interface RequestRewrite {
  /** With its line end: `POST /base/path?query HTTP/1.1` */
  readonly requestLine: string
  /** The upstream's. */
  readonly host: string
  /** Null: every line that goes on does so as it stands. */
  readonly change: HeadChange | null
}

/** What is put in place of the bytes from `start` to `end`, which are within the line. */
export interface LineChange {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface HeadChange {
  /** In the order of the lines, at most one for each. */
  readonly lines: readonly LineChange[]
  /** The last line, with its line end; empty: none is added. */
  readonly added: string
}

/** How much longer the head can become by it. */
export function addedBytes({ lines, added }: HeadChange): number {
  return lines.reduce((sum, { text }) => sum + text.length, added.length)
}

/** A whole line is taken out. */
export function removeLine(lines: HeaderLines, line: number): LineChange {
  return { line, start: lines.startOf(line), end: lines.nextOf(line), text: '' }
}

/** The head for the upstream, blank line included. Returns the offset behind it. */
export function writeRequestHead(
  head: RequestHead,
  { requestLine, host, change }: RequestRewrite,
  { bytes, at }: HeadTarget,
): number {
  const { lines } = head
  const start = at + bytes.write(requestLine, at, 'latin1')
  const writer = new RunWriter(lines, { bytes, at: start }, lines.start)
  let hasHost = false
  for (let line = 0; line < lines.count; line++) {
    const kind = lines.kindOf(line)
    if (kind === LINE.host) {
      // In the place where the caller's Host stood: the order of headers is kept.
      writer.putHost(line, host)
      hasHost = true
    } else if (isKeptBack(head, kind) || !goesOn(head, line, head.isUpgrade)) {
      writer.drop(line)
    } else if (change !== null) {
      const changed = change.lines.find((each) => each.line === line)
      if (changed !== undefined) writer.replace(changed)
    }
  }
  const added = change?.added ?? ''
  return writer.end(hasHost ? `${added}\r\n` : `Host: ${host}\r\n${added}\r\n`)
}

/** An offer that went on could be accepted: then nobody here could read what is said. */
function isKeptBack({ isUpgrade }: RequestHead, kind: number): boolean {
  return kind === LINE.svc || (kind === LINE.upgrade && !isUpgrade)
}

export interface ResponseRewrite {
  /** The added lines and the blank line. */
  readonly ending: string
  /** In the order of its bytes; line -1 is the status line. Nearly always there are none. */
  readonly changes?: readonly LineChange[] | undefined
}

/** The head for the caller. Returns the offset behind it. */
export function writeResponseHead(
  head: ResponseHead,
  { ending, changes = NONE }: ResponseRewrite,
  target: HeadTarget,
): number {
  const { lines } = head
  const writer = new RunWriter(lines, target, lines.headStart)
  const [first] = changes
  if (first?.line === -1) writer.replace(first)
  for (let line = 0; line < lines.count; line++) {
    if (isMark(lines, line) || !goesOn(head, line, head.status === 101)) {
      writer.drop(line)
    } else if (changes.length > 0) {
      const changed = changes.find((each) => each.line === line)
      if (changed !== undefined) writer.replace(changed)
    }
  }
  return writer.end(ending)
}

/** What Weir alone says to callers: from an upstream it would be taken for Weir's. */
function isMark(lines: HeaderLines, line: number): boolean {
  if (lines.kindOf(line) !== LINE.svc) return false
  return lines.isNamed(line, 'x-svc-request-id') || lines.isNamed(line, 'x-svc-error')
}

interface Hop {
  readonly lines: HeaderLines
  readonly connection: readonly string[]
}

function goesOn(hop: Hop, line: number, isUpgrade: boolean): boolean {
  const kind = hop.lines.kindOf(line)
  if (kind === LINE.connection) return isUpgrade
  if (kind === LINE.upgrade && isUpgrade) return true
  if (kind === LINE.hop) return false
  return hop.connection.length === 0 || !isConnectionNamed(hop, line)
}

function isConnectionNamed({ lines, connection }: Hop, line: number): boolean {
  for (const name of connection) {
    if (lines.isNamed(line, name) && !CONNECTION_NAMED_KEPT.has(name)) return true
  }
  return false
}

/** Copies runs of lines: a run goes on until a line is dropped or replaced. */
class RunWriter {
  readonly #lines: HeaderLines
  readonly #target: Buffer
  #at: number
  #runStart: number

  constructor(lines: HeaderLines, target: HeadTarget, runStart: number) {
    this.#lines = lines
    this.#target = target.bytes
    this.#at = target.at
    this.#runStart = runStart
  }

  drop(line: number): void {
    this.#copyUpTo(this.#lines.startOf(line))
    this.#runStart = this.#lines.nextOf(line)
  }

  replace({ start, end, text }: LineChange): void {
    this.#copyUpTo(start)
    this.#at += this.#target.write(text, this.#at, 'latin1')
    this.#runStart = end
  }

  /** The caller's spelling of the name is kept. */
  putHost(line: number, host: string): void {
    this.#copyUpTo(this.#lines.startOf(line) + 'Host'.length)
    this.#at += this.#target.write(`: ${host}\r\n`, this.#at, 'latin1')
    this.#runStart = this.#lines.nextOf(line)
  }

  end(text: string): number {
    this.#copyUpTo(this.#lines.end)
    return this.#at + this.#target.write(text, this.#at, 'latin1')
  }

  #copyUpTo(end: number): void {
    if (end > this.#runStart) {
      this.#at += this.#lines.bytes.copy(this.#target, this.#at, this.#runStart, end)
    }
  }
}
