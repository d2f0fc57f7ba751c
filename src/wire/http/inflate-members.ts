// Decodes gzip (RFC 1952) and deflate (RFC 9110 §8.4.1.2), zlib-framed or, by a common mistake,
// bare. Node's decoder drops its last output when other bytes follow, and with it the usage. Must
// stay true: all that was decoded is output, output waits where it is not taken, and the members,
// of which each takes a decompressor of its own, are counted.

import { Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'
import { constants, createInflateRaw } from 'node:zlib'
import type { InflateRaw } from 'node:zlib'

/** Names and comments in a header have no limit of their own; none is this long. */
const HEADER_BYTES_MAX = 65_536
/** Servers that compress each event by itself send thousands. One takes 30 µs of a core. */
export const MEMBERS_MAX = 32_768
/** So many may contain anything; further ones contain this much on average, as events do. */
export const MEMBERS_FREE = 100
export const MEMBER_BYTES_MIN = 64
const GZIP_TRAILER_BYTES = 8
const ZLIB_HEADER_BYTES = 2
const NOTHING = Buffer.alloc(0)

/** A header's length; null while it is not known, -1 where the bytes are not a header. */
type MeasureHeader = (bytes: Buffer) => number | null

export class TooManyMembers extends Error {}

export function createGzipDecoder(): InflateMembers {
  return new InflateMembers(measureGzipHeader, true)
}

export function createDeflateDecoder(): InflateMembers {
  return new InflateMembers(measureZlibHeader, false)
}

export class InflateMembers extends Transform {
  readonly #measureHeader: MeasureHeader
  readonly #isRepeated: boolean
  #state: 'header' | 'body' | 'trailer' | 'over' = 'header'
  #header: Buffer = NOTHING
  #trailerBytesLeft = 0
  #inflate: InflateRaw | null = null
  #members = 0
  #madeBytes = 0
  /** True for all but bare deflate: only a framed member shows where it ends. */
  #isFramed = false

  constructor(measureHeader: MeasureHeader, isRepeated: boolean) {
    super()
    this.#measureHeader = measureHeader
    this.#isRepeated = isRepeated
  }

  /** True when the bytes ended inside a member. Bare deflate never shows that. */
  get isCut(): boolean {
    return this.#state === 'body' && this.#isFramed
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#take(chunk, done)
  }

  override _flush(done: TransformCallback): void {
    const inflate = this.#inflate
    if (inflate === null) return done()
    inflate.once('end', () => done())
    inflate.end()
  }

  override _read(size: number): void {
    this.#inflate?.resume()
    super._read(size)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inflate?.destroy()
    done(error)
  }

  #take(bytes: Buffer, done: TransformCallback): void {
    if (bytes.length === 0 || this.#state === 'over') return done()
    switch (this.#state) {
      case 'header':
        return this.#takeHeader(bytes, done)
      case 'body':
        return this.#takeBody(bytes, done)
      case 'trailer':
        return this.#takeTrailer(bytes, done)
    }
  }

  #takeHeader(bytes: Buffer, done: TransformCallback): void {
    this.#header = this.#header.length === 0 ? bytes : Buffer.concat([this.#header, bytes])
    const length = this.#measureHeader(this.#header)
    if (length === null && this.#header.length <= HEADER_BYTES_MAX) return done()
    if (length === null || length === -1) {
      // Behind a whole member anything may follow: it is not part of what was sent.
      if (this.#members === 0) return done(new Error('these bytes are not compressed as they say'))
      this.#state = 'over'
      return done()
    }
    this.#members += 1
    if (this.#hasTooMany()) return done(new TooManyMembers())
    const rest = this.#header.subarray(length)
    this.#header = NOTHING
    this.#isFramed = length > 0
    this.#state = 'body'
    this.#inflate = this.#createInflate()
    this.#take(rest, done)
  }

  #hasTooMany(): boolean {
    const isSparse = this.#madeBytes < (this.#members - 1) * MEMBER_BYTES_MIN
    return this.#members > (isSparse ? MEMBERS_FREE : MEMBERS_MAX)
  }

  #createInflate(): InflateRaw {
    const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH })
    inflate.on('data', (decoded: Buffer) => {
      this.#madeBytes += decoded.length
      if (!this.push(decoded)) inflate.pause()
    })
    inflate.on('error', (error) => this.destroy(error))
    return inflate
  }

  #takeBody(bytes: Buffer, done: TransformCallback): void {
    const inflate = this.#inflate as InflateRaw
    const before = inflate.bytesWritten
    inflate.write(bytes, () => {
      const taken = inflate.bytesWritten - before
      if (taken === bytes.length) return done()
      // It takes no more: the member is over.
      this.#inflate = null
      this.#state = this.#isRepeated ? 'trailer' : 'over'
      this.#trailerBytesLeft = GZIP_TRAILER_BYTES
      this.#take(bytes.subarray(taken), done)
    })
  }

  #takeTrailer(bytes: Buffer, done: TransformCallback): void {
    const taken = Math.min(this.#trailerBytesLeft, bytes.length)
    this.#trailerBytesLeft -= taken
    if (this.#trailerBytesLeft === 0) this.#state = 'header'
    this.#take(bytes.subarray(taken), done)
  }
}

const FLAG = { headerCrc: 2, extra: 4, name: 8, comment: 16 } as const

function measureGzipHeader(bytes: Buffer): number | null {
  const isGzip = [0x1f, 0x8b, 8].every((byte, at) => at >= bytes.length || bytes[at] === byte)
  if (!isGzip) return -1
  if (bytes.length < 10) return null
  const flags = bytes[3] as number
  let at = 10
  if (flags & FLAG.extra) {
    if (bytes.length < at + 2) return null
    at += 2 + bytes.readUInt16LE(at)
  }
  for (const flag of [FLAG.name, FLAG.comment]) {
    if (!(flags & flag)) continue
    const zero = bytes.indexOf(0, at)
    if (zero === -1) return null
    at = zero + 1
  }
  if (flags & FLAG.headerCrc) at += 2
  return at <= bytes.length ? at : null
}

/** No header where the bytes are not zlib's: then they are bare deflate. */
function measureZlibHeader(bytes: Buffer): number | null {
  if (bytes.length < ZLIB_HEADER_BYTES) return null
  const isZlib = ((bytes[0] as number) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
  return isZlib ? ZLIB_HEADER_BYTES : 0
}
