// Undoes a body's content codings (RFC 9110 §8.4). Must stay true: what decoders could read
// differently is broken, such as bytes behind the end, and output is bounded at every step.

import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** `window`: it would need more memory than a decoder may take. */
export type DecodeResult = 'intact' | 'broken' | 'too-large' | 'window'

export interface StrictDecoderOptions {
  /** In the order in which they were applied, as from parseCodings. */
  readonly codings: readonly string[]
  /** Limit of decoded bytes, at each step. */
  readonly bytesMax: number
  /** Returns false to receive nothing more until `resume`. */
  readonly output: (bytes: Buffer) => boolean
  /** Called when it takes bytes again after a `feed` that returned false. */
  readonly drained: () => void
  /** Called once. */
  readonly done: (result: DecodeResult) => void
}

export interface StrictDecoder {
  /** False: enough is waiting. The bytes must not change. */
  feed(bytes: Buffer): boolean
  resume(): void
  end(): void
  cancel(): void
}

const CODINGS_MAX = 4
const OUTPUT_BYTES = 65_536
/** 8 MiB, the most that a sender may rely on (RFC 9659). The library's own limit is 128 MiB. */
const ZSTD_WINDOW_LOG_MAX = 23
const ZSTD_PARAMS = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX }
const DEFLATE_WINDOW_BYTES = 32_768

interface Coding {
  /** The most memory that its past output may take: as long as it runs, nothing of it is freed. */
  readonly windowBytesMax: number
  open(start: Buffer): Transform | null
}

const GZIP: Coding = {
  windowBytesMax: DEFLATE_WINDOW_BYTES,
  open: () => createGunzip({ chunkSize: OUTPUT_BYTES }),
}

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: { windowBytesMax: DEFLATE_WINDOW_BYTES, open: createDeflate },
  // Larger windows are an extension that no one may send unasked (RFC 7932 §9.1).
  br: {
    windowBytesMax: 2 ** 24,
    open: () => createBrotliDecompress({ chunkSize: OUTPUT_BYTES }),
  },
  zstd: {
    windowBytesMax: 2 ** ZSTD_WINDOW_LOG_MAX,
    open: () => createZstdDecompress({ chunkSize: OUTPUT_BYTES, params: ZSTD_PARAMS }),
  },
}

/** What a decoder of these may take at most, with the output that waits at each step. */
export function windowBytesOf(codings: readonly string[]): number {
  const windows = codings.map((name) => (CODINGS[name]?.windowBytesMax ?? 0) + OUTPUT_BYTES)
  return windows.reduce((sum, bytes) => sum + bytes, 0)
}

/** Null for a coding that cannot be undone here, or for too many of them. */
export function parseCodings(values: readonly string[]): readonly string[] | null {
  const codings = values
    .flatMap((value) => value.toLowerCase().split(','))
    .map((name) => name.replaceAll(/^[ \t]+|[ \t]+$/g, ''))
    .filter((name) => name !== '' && name !== 'identity')
  const isKnown = codings.every((name) => Object.hasOwn(CODINGS, name))
  return isKnown && codings.length <= CODINGS_MAX ? codings : null
}

export function createStrictDecoder(options: StrictDecoderOptions): StrictDecoder {
  const { codings, bytesMax, output, drained } = options
  const stages: Stage[] = []
  let isSettled = false
  const settle = (result: DecodeResult): void => {
    if (isSettled) return
    isSettled = true
    for (const stage of stages) stage.destroy()
    options.done(result)
  }
  let sink: Sink = { feed: output, end: () => settle('intact') }
  for (const coding of codings) {
    const stage = new Stage({ coding, bytesMax, sink, failed: settle })
    if (sink instanceof Stage) sink.drained = () => stage.resume()
    stages.push(stage)
    sink = stage
  }
  if (sink instanceof Stage) sink.drained = drained
  return {
    feed: (bytes) => isSettled || sink.feed(bytes),
    resume: () => stages[0]?.resume(),
    end: () => {
      if (!isSettled) sink.end()
    },
    cancel: () => {
      isSettled = true
      for (const stage of stages) stage.destroy()
    },
  }
}

interface Sink {
  feed(bytes: Buffer): boolean
  end(): void
}

interface StageOptions {
  readonly coding: string
  readonly bytesMax: number
  readonly sink: Sink
  readonly failed: (result: Exclude<DecodeResult, 'intact'>) => void
}

/** What may stand before JSON, or pad its letters: blanks, zeros, a byte order mark. */
const LEADING = new Set([0x20, 0x09, 0x0a, 0x0d, 0x00, 0xef, 0xbb, 0xbf, 0xfe, 0xff])
const OPEN_BRACE = 0x7b

/** Bytes needed to distinguish deflate's two forms. */
const START_BYTES = 5
const NOTHING = Buffer.alloc(0)
const WINDOW_ERROR = 'ZSTD_error_frameParameter_windowTooLarge'

class Stage implements Sink {
  drained: () => void = () => {}
  readonly #options: StageOptions
  #stream: Transform | null = null
  #start: Buffer = NOTHING
  #hasBegun = false
  #fedBytes = 0
  #madeBytes = 0

  constructor(options: StageOptions) {
    this.#options = options
  }

  feed(bytes: Buffer): boolean {
    if (!this.#hasBegun && this.#isJson(bytes)) {
      this.#options.failed('broken')
      return true
    }
    this.#fedBytes += bytes.length
    if (this.#stream !== null) return this.#stream.write(bytes)
    this.#start = this.#start.length === 0 ? bytes : Buffer.concat([this.#start, bytes])
    return this.#start.length < START_BYTES || this.#open()
  }

  end(): void {
    if (this.#stream === null) this.#open()
    this.#stream?.end()
  }

  resume(): void {
    this.#stream?.resume()
  }

  destroy(): void {
    this.#stream?.destroy()
  }

  /** Bare deflate and brotli can look like an object, which a server without codings would read. */
  #isJson(bytes: Buffer): boolean {
    const first = bytes.find((byte) => !LEADING.has(byte))
    this.#hasBegun = first !== undefined
    return first === OPEN_BRACE
  }

  #open(): boolean {
    const { coding, sink, failed, bytesMax } = this.#options
    const stream = CODINGS[coding]?.open(this.#start) ?? null
    if (stream === null) {
      failed('broken')
      return true
    }
    this.#stream = stream
    stream.on('error', (error: NodeJS.ErrnoException) => {
      failed(error.code === WINDOW_ERROR ? 'window' : 'broken')
    })
    stream.on('drain', () => this.drained())
    stream.on('data', (made: Buffer) => {
      this.#madeBytes += made.length
      if (this.#madeBytes > bytesMax) failed('too-large')
      else if (!sink.feed(made)) stream.pause()
    })
    stream.on('end', () => {
      // It takes only what it needs: what is left over stands behind the end.
      const taken = (stream as Transform & { readonly bytesWritten: number }).bytesWritten
      if (taken === this.#fedBytes && !this.#isAhead()) sink.end()
      else failed('broken')
    })
    const hasRoom = this.#start.length === 0 || stream.write(this.#start)
    this.#start = NOTHING
    return hasRoom
  }

  /** The stream has ended, but its input has not. */
  #isAhead(): boolean {
    return this.#stream?.writableEnded === false
  }
}

/** Zlib-framed or, by mistake, bare; null where it could be either: a stored block begins alike. */
function createDeflate(start: Buffer): Transform | null {
  const options = { chunkSize: OUTPUT_BYTES }
  const isZlib =
    start.length >= 2 && ((start[0] as number) & 0x8f) === 8 && start.readUInt16BE(0) % 31 === 0
  if (!isZlib) return createInflateRaw(options)
  const isStored =
    start.length >= START_BYTES && (start.readUInt16LE(1) ^ start.readUInt16LE(3)) === 0xffff
  return isStored ? null : createInflate(options)
}
