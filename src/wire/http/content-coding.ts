// Decodes a copy of a compressed body as it passes (RFC 9110 §8.4). Codings are undone from the
// last listed to the first. A body that breaks off yields what could be decoded until then. Must
// stay true: what waits, what comes out of each step and the number of members are bounded.

import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createZstdDecompress } from 'node:zlib'
import type { ByteBudget } from '../byte-budget.ts'
import { ByteQueue } from '../byte-queue.ts'
import { WaitingBytes } from '../waiting-bytes.ts'
import {
  createDeflateDecoder,
  createGzipDecoder,
  InflateMembers,
  TooManyMembers,
} from './inflate-members.ts'

export interface DecoderOptions {
  /** Plain bodies are output in the call that feeds them. */
  output(bytes: Uint8Array): void
  /** More than this out of one step, and out of less than a hundredth of it, and it gives up. */
  readonly bytesMax: number
  /** For compressed bytes that wait beyond this decoder's own; absent: none. */
  readonly budget?: ByteBudget
  /** It has given up: a limit was reached, and nothing more is output. */
  overflowed(): void
}

export interface Decoder {
  feed(bytes: Uint8Array): void
  /** Called once, when all output was handed out; false when the coding was broken or unknown. */
  end(done: (isIntact: boolean) => void): void
  cancel(): void
}

const CODINGS_MAX = 4
/** What is made to keep decoders busy yields more; answers rarely shrink to a twentieth. */
const RATIO_MAX = 100

// A map: on a plain object a coding named `constructor` would be found.
const STREAMS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGzipDecoder],
  ['x-gzip', createGzipDecoder],
  ['deflate', createDeflateDecoder],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ['zstd', createZstdDecoder],
])

/** As a power of two: no sender of this coding may use a larger window (RFC 9659 §3). */
const ZSTD_WINDOW_LOG_MAX = 23

function createZstdDecoder(): Transform {
  const params = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX }
  return createZstdDecompress({ finishFlush: constants.ZSTD_e_flush, params })
}

/** `coding` is the value of Content-Encoding. */
export function createDecoder(coding: string | null, options: DecoderOptions): Decoder {
  const codings = (coding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (codings.length === 0) return createPlainDecoder(options)
  const streams = codings.toReversed().map((name) => STREAMS.get(name)?.() ?? null)
  const known = streams.filter((stream) => stream !== null)
  if (known.length < streams.length || known.length > CODINGS_MAX) return createBlindDecoder()
  return new StreamDecoder(known, options)
}

function createPlainDecoder(options: DecoderOptions): Decoder {
  return { feed: (bytes) => options.output(bytes), end: (done) => done(true), cancel: () => {} }
}

function createBlindDecoder(): Decoder {
  return { feed: () => {}, end: (done) => done(false), cancel: () => {} }
}

class StreamDecoder implements Decoder {
  readonly #options: DecoderOptions
  readonly #streams: readonly Transform[]
  /** Joined while the thread pool is at work: single bytes would cost it a turn each. */
  readonly #waiting = new ByteQueue()
  readonly #waitingBytes: WaitingBytes
  #fedBytes = 0
  #isBusy = false
  #hasFailed = false
  #isIntact: boolean | null = null
  #done: ((isIntact: boolean) => void) | null = null

  constructor(streams: readonly Transform[], options: DecoderOptions) {
    this.#streams = streams
    this.#options = options
    this.#waitingBytes = new WaitingBytes(options.budget ?? null)
    for (const [index, stream] of streams.entries()) this.#connect(stream, streams[index + 1])
  }

  #connect(stream: Transform, next: Transform | undefined): void {
    let madeBytes = 0
    stream.on('data', (bytes: Buffer) => {
      madeBytes += bytes.length
      if (this.#isTooMuch(madeBytes)) this.#overflow()
      else if (next === undefined) this.#options.output(bytes)
    })
    if (next === undefined) {
      stream.on('end', () => this.#settle(!this.#hasFailed && !this.#streams.some(isCut)))
    } else {
      stream.pipe(next)
    }
    stream.on('error', (error) => {
      this.#hasFailed = true
      if (error instanceof TooManyMembers) this.#overflow()
      // What came through before is still decoded to its end.
      else if (next === undefined) this.#settle(false)
      else next.end()
    })
  }

  feed(bytes: Uint8Array): void {
    if (this.#isIntact !== null || this.#hasFailed) return
    this.#fedBytes += bytes.length
    // The caller may reuse its buffer while zlib still works on it in another thread.
    if (!this.#isBusy) this.#write(Buffer.from(bytes))
    else if (this.#waitingBytes.add(bytes.length)) this.#waiting.append(bytes)
    else this.#overflow()
  }

  #isTooMuch(madeBytes: number): boolean {
    return madeBytes > this.#options.bytesMax && madeBytes > this.#fedBytes * RATIO_MAX
  }

  end(done: (isIntact: boolean) => void): void {
    this.#done = done
    if (this.#isIntact !== null) this.#settle(this.#isIntact)
    else if (!this.#isBusy) this.#first.end()
  }

  cancel(): void {
    for (const stream of this.#streams) stream.destroy()
    this.#settle(false)
  }

  get #first(): Transform {
    return this.#streams[0] as Transform
  }

  #write(bytes: Buffer): void {
    this.#isBusy = true
    this.#first.write(bytes, (error) => {
      this.#isBusy = false
      if (error || this.#hasFailed || this.#isIntact !== null) return
      if (this.#waiting.length > 0) {
        this.#waitingBytes.clear()
        this.#write(this.#waiting.take())
      } else if (this.#done !== null) this.#first.end()
    })
  }

  #overflow(): void {
    if (this.#isIntact !== null) return
    this.#options.overflowed()
    this.cancel()
  }

  #settle(isIntact: boolean): void {
    this.#isIntact ??= isIntact
    this.#waiting.clear()
    this.#waitingBytes.clear()
    this.#done?.(this.#isIntact)
    this.#done = null
  }
}

function isCut(stream: Transform): boolean {
  return stream instanceof InflateMembers && stream.isCut
}
