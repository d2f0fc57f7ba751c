// Reads a multipart/form-data form (RFC 7578), in chunks cut anywhere. Must stay true: every reader
// of forms would find the same fields, so lines end in CRLF, nothing but line ends stands before
// the first part or behind the last, the boundary only where a part ends, and a part's head says a
// thing once.

import { Buffer, isUtf8 } from 'node:buffer'
import { GrowingBytes, toBuffer } from '../growing-bytes.ts'
import { parseHeaderParameters } from './header-parameters.ts'

export const PARTS_MAX = 256
export const PART_HEAD_BYTES_MAX = 4096
/** Before the first boundary and behind the last, together: some clients write one or two. */
export const LINE_ENDS_MAX = 8
/** For all parts together. */
export const KEPT_BYTES_MAX = 1024 * 1024

export interface FormPartHead {
  readonly name: string
  readonly hasFilename: boolean
  readonly contentType: string | null
}

export interface FormPart extends FormPartHead {
  /** Null where it was not wanted. */
  readonly content: Buffer | null
}

export type FormResult =
  | { readonly kind: 'whole'; readonly parts: readonly FormPart[] }
  | { readonly kind: 'refused'; readonly fault: string }

export interface MultipartFormOptions {
  readonly boundary: string
  isKept(part: FormPartHead): boolean
  readonly partsMax?: number
  readonly keptBytesMax?: number
}

export interface MultipartForm {
  feed(bytes: Uint8Array): void
  end(): FormResult
}

export function createMultipartForm(options: MultipartFormOptions): MultipartForm {
  return new FormScanner(options)
}

/** RFC 2046 §5.1.1. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/

/** The boundary named by a form's content type; null where it names none or more than one. */
export function parseBoundary(contentType: string): string | null {
  const parsed = parseHeaderParameters(contentType)
  if (parsed?.value !== 'multipart/form-data') return null
  const boundary = parsed.parameters.get('boundary')
  return boundary !== undefined && BOUNDARY.test(boundary) ? boundary : null
}

const CRLF = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const DASHES = Buffer.from('--')

const BEFORE_START = 'its form does not start with its boundary'
const BEHIND_END = 'its form goes on behind its end'

type State = 'start' | 'delimited' | 'head' | 'content' | 'ended'

class FormScanner implements MultipartForm {
  readonly #options: MultipartFormOptions
  readonly #delimiter: Buffer
  readonly #parts: FormPart[] = []
  #state: State = 'start'
  #fault: string | null = null
  /** Bytes that cannot be understood without those that follow. */
  #rest: Buffer = Buffer.alloc(0)
  #head: FormPartHead | null = null
  #content: GrowingBytes | null = null
  #keptBytes = 0
  #lineEnds = 0

  constructor(options: MultipartFormOptions) {
    this.#options = options
    this.#delimiter = Buffer.from(`--${options.boundary}`)
  }

  feed(bytes: Uint8Array): void {
    if (this.#fault !== null || bytes.length === 0) return
    const data = this.#rest.length === 0 ? toBuffer(bytes) : Buffer.concat([this.#rest, bytes])
    let at = 0
    for (let next = 0; next !== -1 && this.#fault === null;) {
      at = next
      next = this.#step(data, at)
    }
    // Copied: the caller reuses its memory.
    this.#rest = Buffer.from(data.subarray(at))
  }

  end(): FormResult {
    if (this.#fault === null && this.#state !== 'ended') this.#fault = 'its form ends early'
    if (this.#rest.length > 0) this.#fault ??= BEHIND_END
    if (this.#fault !== null) return { kind: 'refused', fault: this.#fault }
    return { kind: 'whole', parts: this.#parts }
  }

  /** Returns where to continue, or -1 when more bytes are needed. */
  #step(data: Buffer, at: number): number {
    switch (this.#state) {
      case 'start':
        return this.#start(data, at)
      case 'delimited':
        return this.#passDelimiterEnd(data, at)
      case 'head':
        return this.#passHead(data, at)
      case 'content':
        return this.#passContent(data, at)
      case 'ended':
        return this.#passLineEnd(data, at, BEHIND_END)
    }
  }

  /** No part comes before the first boundary; line ends may. */
  #start(data: Buffer, at: number): number {
    if (data[at] === CRLF[0]) return this.#passLineEnd(data, at, BEFORE_START)
    const end = at + this.#delimiter.length
    if (data.length < end) return -1
    if (!data.subarray(at, end).equals(this.#delimiter)) this.#fault = BEFORE_START
    this.#state = 'delimited'
    return end
  }

  #passLineEnd(data: Buffer, at: number, fault: string): number {
    const end = at + CRLF.length
    if (data.length < end) return -1
    this.#lineEnds += 1
    const isLineEnd = data.subarray(at, end).equals(CRLF)
    if (!isLineEnd || this.#lineEnds > LINE_ENDS_MAX) this.#fault = fault
    return end
  }

  #passDelimiterEnd(data: Buffer, at: number): number {
    if (data.length - at < 2) return -1
    const pair = data.subarray(at, at + 2)
    if (pair.equals(DASHES)) this.#state = 'ended'
    else if (pair.equals(CRLF)) this.#state = 'head'
    else this.#fault = 'the boundary of its form stands inside a part'
    return at + 2
  }

  #passHead(data: Buffer, at: number): number {
    const end = data.indexOf(HEAD_END, at)
    const length = (end === -1 ? data.length : end) - at
    if (length > PART_HEAD_BYTES_MAX) this.#fault = 'a part of its form has too long a head'
    if (end === -1) return -1
    const head = parsePartHead(data.subarray(at, end))
    if (typeof head === 'string') {
      this.#fault = head
      return -1
    }
    if (this.#parts.length >= (this.#options.partsMax ?? PARTS_MAX)) {
      this.#fault = 'its form has too many parts'
    }
    this.#head = head
    this.#content = this.#options.isKept(head) ? new GrowingBytes() : null
    this.#state = 'content'
    return end + HEAD_END.length
  }

  #passContent(data: Buffer, at: number): number {
    const place = data.indexOf(this.#delimiter, at)
    // The boundary may have begun in these bytes, and a line end before it.
    const safe = data.length - this.#delimiter.length - CRLF.length + 1
    if (place === -1) {
      if (safe <= at) return -1
      this.#keep(data.subarray(at, safe))
      return safe
    }
    const end = place - CRLF.length
    if (end < at || !data.subarray(end, place).equals(CRLF)) {
      this.#fault = 'the boundary of its form stands inside a part'
      return -1
    }
    this.#keep(data.subarray(at, end))
    const content = this.#content === null ? null : Buffer.from(this.#content.view())
    this.#parts.push({ ...(this.#head as FormPartHead), content })
    this.#state = 'delimited'
    return place + this.#delimiter.length
  }

  #keep(piece: Buffer): void {
    if (this.#content === null) return
    this.#keptBytes += piece.length
    if (this.#keptBytes > (this.#options.keptBytesMax ?? KEPT_BYTES_MAX)) {
      this.#fault = 'the fields of its form are too large'
    } else {
      this.#content.append(piece)
    }
  }
}

const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*((?:\t|\P{Cc})*)$/u
const TRANSFER_ENCODINGS = ['binary', '8bit', '7bit']
const READ_HEADERS = ['content-disposition', 'content-type', 'content-transfer-encoding']

/** Returns a text where something is wrong with it. */
function parsePartHead(bytes: Buffer): FormPartHead | string {
  if (!isUtf8(bytes)) return 'a part of its form has a head that is not UTF-8'
  const headers = new Map<string, string>()
  for (const line of bytes.toString('utf8').split('\r\n')) {
    const match = HEADER_LINE.exec(line)
    const name = match?.[1]?.toLowerCase() ?? ''
    if (match === null || headers.has(name)) return 'a part of its form has a malformed head'
    if (READ_HEADERS.includes(name)) headers.set(name, (match[2] ?? '').trim())
  }
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding !== undefined && !TRANSFER_ENCODINGS.includes(encoding)) {
    return 'a part of its form is encoded'
  }
  const contentType = headers.get('content-type') ?? null
  if (contentType !== null && /^\s*multipart\//i.test(contentType)) {
    return 'a part of its form is a form again'
  }
  const disposition = parseHeaderParameters(headers.get('content-disposition') ?? '')
  const name = disposition?.parameters.get('name')
  if (disposition?.value !== 'form-data' || name === undefined) {
    return 'a part of its form has no certain name'
  }
  const { parameters } = disposition
  const hasFilename = parameters.has('filename') || parameters.has('filename*')
  return { name, hasFilename, contentType }
}
