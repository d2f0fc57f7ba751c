// The header lines of a head, as offsets into its bytes: a relay forwards most lines unread, and a
// string per line is what costs. Valid only as long as the bytes are not reused.

/** What a line means to a relay. Everything else is plain. */
export const LINE = {
  plain: 0,
  host: 1,
  connection: 2,
  /** Keep-Alive, HTTP2-Settings and Proxy-*: they concern one hop only. */
  hop: 3,
  upgrade: 4,
  /** X-SVC-*: between the caller and Weir. */
  svc: 5,
  contentLength: 6,
  transferEncoding: 7,
  expect: 8,
  /** Authorization, X-Api-Key, Api-Key and X-Goog-Api-Key: where providers take credentials. */
  credential: 9,
} as const

/** Numbers that describe one line: its start, its colon, its end without the line end, its kind. */
const STRIDE = 4

/** 999,999,999,999,999 is below 2^53. */
const DIGITS_MAX = 15

const COLON = 0x3a
const CR = 0x0d
const LF = 0x0a

/** RFC 9110 §5.6.2. */
const TOKEN = tableOf((byte) => /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(String.fromCharCode(byte)))
/** What may stand in a value or a reason phrase: no control character but the tab. */
export const TEXT = tableOf((byte) => byte === 0x09 || (byte >= 0x20 && byte !== 0x7f))
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)

function tableOf(isIn: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (isIn(byte) ? 1 : 0))
}

export function isToken(byte: number): boolean {
  return TOKEN[byte] === 1
}

export interface HeaderLine {
  /** In lower case. */
  readonly name: string
  /** Without blanks around it. */
  readonly value: string
}

export class HeaderLines {
  readonly bytes: Buffer
  /** Where the head begins, and where its first header line does. */
  readonly headStart: number
  readonly start: number
  /** Behind the last line, at the blank line. */
  end = 0
  isOverfull = false
  readonly #places: number[] = []
  #count = 0

  constructor(bytes: Buffer, headStart: number, start: number) {
    this.bytes = bytes
    this.headStart = headStart
    this.start = start
  }

  get count(): number {
    return this.#count
  }

  startOf(line: number): number {
    return this.#places[line * STRIDE] as number
  }

  nextOf(line: number): number {
    return (this.#places[line * STRIDE + 2] as number) + 2
  }

  kindOf(line: number): number {
    return this.#places[line * STRIDE + 3] as number
  }

  /** The line in which an offset is; the head's last one where it is behind. */
  lineAt(offset: number): number {
    let line = 0
    while (line < this.#count - 1 && this.nextOf(line) <= offset) line++
    return line
  }

  isNamed(line: number, name: string): boolean {
    const start = this.#places[line * STRIDE] as number
    const end = this.#places[line * STRIDE + 1] as number
    return end - start === name.length && isAt(this.bytes, start, name)
  }

  /** Whether its name ends so; `text` is in lower case. */
  isNameEnding(line: number, text: string): boolean {
    const end = this.#places[line * STRIDE + 1] as number
    return isAt(this.bytes, end - text.length, text)
  }

  nameLengthOf(line: number): number {
    return (this.#places[line * STRIDE + 1] as number) - (this.#places[line * STRIDE] as number)
  }

  /** In lower case. */
  nameOf(line: number): string {
    return this.bytes
      .toString('latin1', this.startOf(line), this.#places[line * STRIDE + 1])
      .toLowerCase()
  }

  /** Without the spaces and tabs around it; other blanks stay, as they would for a peer. */
  valueOf(line: number): string {
    return this.bytes.toString('latin1', this.valueStartOf(line), this.valueEndOf(line))
  }

  valueBytesOf(line: number): Buffer {
    return this.bytes.subarray(this.valueStartOf(line), this.valueEndOf(line))
  }

  /** The value as a number of at most fifteen digits, so that it is exact; -1 if it is none. */
  numberOf(line: number): number {
    const end = this.valueEndOf(line)
    const start = this.valueStartOf(line)
    if (end === start || end - start > DIGITS_MAX) return -1
    let number = 0
    for (let at = start; at < end; at++) {
      const digit = (this.bytes[at] as number) - 0x30
      if (digit < 0 || digit > 9) return -1
      number = number * 10 + digit
    }
    return number
  }

  /** Ignores case; `word` is in lower case. */
  isValue(line: number, word: string): boolean {
    const start = this.valueStartOf(line)
    return this.valueEndOf(line) - start === word.length && isAt(this.bytes, start, word)
  }

  valueStartOf(line: number): number {
    const end = this.#places[line * STRIDE + 2] as number
    let start = (this.#places[line * STRIDE + 1] as number) + 1
    while (start < end && isBlank(this.bytes[start] as number)) start++
    return start
  }

  valueEndOf(line: number): number {
    const start = (this.#places[line * STRIDE + 1] as number) + 1
    let end = this.#places[line * STRIDE + 2] as number
    while (end > start && isBlank(this.bytes[end - 1] as number)) end--
    // A value of blanks alone is empty from either side.
    return Math.max(end, this.valueStartOf(line))
  }

  /** The value of the first header of that lower-case name. */
  find(name: string): string | null {
    for (let line = 0; line < this.count; line++) {
      if (this.isNamed(line, name)) return this.valueOf(line)
    }
    return null
  }

  /** The values of all headers of that lower-case name, in order. */
  findAll(name: string): string[] {
    const values: string[] = []
    for (let line = 0; line < this.count; line++) {
      if (this.isNamed(line, name)) values.push(this.valueOf(line))
    }
    return values
  }

  toList(): HeaderLine[] {
    return Array.from({ length: this.count }, (_, line) => ({
      name: this.nameOf(line),
      value: this.valueOf(line),
    }))
  }

  /** Returns what is wrong with the lines, or null. A folded line starts with a blank: no name. */
  read(blankLine: number, linesMax: number): string | null {
    const { bytes } = this
    const places = this.#places
    let at = this.start
    while (at < blankLine) {
      let colon = at
      while (TOKEN[bytes[colon] as number] === 1) colon++
      if (colon === at || bytes[colon] !== COLON) return 'a header line that is not Name: value'
      let end = colon + 1
      while (TEXT[bytes[end] as number] === 1) end++
      if (bytes[end] !== CR || bytes[end + 1] !== LF) return FORBIDDEN
      if (this.#count === linesMax) {
        this.isOverfull = true
        return `more than ${linesMax} headers`
      }
      const place = this.#count++ * STRIDE
      places[place] = at
      places[place + 1] = colon
      places[place + 2] = end
      places[place + 3] = classify(bytes, at, colon)
      at = end + 2
    }
    this.end = at
    return null
  }
}

export const FORBIDDEN = 'a control character or a bare line end in the head'

function classify(bytes: Buffer, start: number, end: number): number {
  const first = LOWER[bytes[start] as number]
  if (first === 0x78) return classifyX(bytes, start, end)
  if (first === 0x70) return isAt(bytes, start, 'proxy-') ? LINE.hop : LINE.plain
  switch (end - start) {
    case 4:
      return isAt(bytes, start, 'host') ? LINE.host : LINE.plain
    case 6:
      return isAt(bytes, start, 'expect') ? LINE.expect : LINE.plain
    case 7:
      if (isAt(bytes, start, 'upgrade')) return LINE.upgrade
      return isAt(bytes, start, 'api-key') ? LINE.credential : LINE.plain
    case 10:
      if (isAt(bytes, start, 'connection')) return LINE.connection
      return isAt(bytes, start, 'keep-alive') ? LINE.hop : LINE.plain
    case 13:
      return isAt(bytes, start, 'authorization') ? LINE.credential : LINE.plain
    case 14:
      if (isAt(bytes, start, 'content-length')) return LINE.contentLength
      return isAt(bytes, start, 'http2-settings') ? LINE.hop : LINE.plain
    case 17:
      return isAt(bytes, start, 'transfer-encoding') ? LINE.transferEncoding : LINE.plain
    default:
      return LINE.plain
  }
}

function classifyX(bytes: Buffer, start: number, end: number): number {
  if (isAt(bytes, start, 'x-svc-')) return LINE.svc
  const isCredential =
    end - start === 9
      ? isAt(bytes, start, 'x-api-key')
      : end - start === 14 && isAt(bytes, start, 'x-goog-api-key')
  return isCredential ? LINE.credential : LINE.plain
}

/** Ignores case; `text` is in lower case. A name ends at its colon, which no text contains. */
function isAt(bytes: Buffer, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (LOWER[bytes[start + at] as number] !== text.charCodeAt(at)) return false
  }
  return true
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09
}
