// Decodes a copy of a compressed body as it passes (RFC 9110 §8.4). Codings are undone from the
// last listed to the first. A body that breaks off yields what could be decoded until then.

import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createZstdDecompress } from 'node:zlib'
import { createDeflateDecoder, createGzipDecoder, InflateMembers } from './inflate-members.ts'

export interface Decoder {
  /** False when too much would wait: the decoder has then given up. */
  feed(bytes: Uint8Array): boolean
  /** Called once, when all output was handed out; false when the coding was broken or unknown. */
  end(done: (isIntact: boolean) => void): void
  cancel(): void
}

const CODINGS_MAX = 4
/** Compressed bytes that may wait for the thread pool. */
const WAITING_BYTES_MAX = 8_388_608

// A map: on a plain object a coding named `constructor` would be found.
const STREAMS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGzipDecoder],
  ['x-gzip', createGzipDecoder],
  ['deflate', createDeflateDecoder],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })],
])

/** `coding` is the value of Content-Encoding. Plain bodies are output in the same call. */
export function createDecoder(coding: string | null, output: (bytes: Uint8Array) => void): Decoder {
  const codings = (coding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (codings.length === 0) return createPlainDecoder(output)
  const streams = codings.toReversed().map((name) => STREAMS.get(name)?.() ?? null)
  const known = streams.filter((stream) => stream !== null)
  if (known.length < streams.length || known.length > CODINGS_MAX) return createBlindDecoder()
  return createStreamDecoder(known, output)
}

function createPlainDecoder(output: (bytes: Uint8Array) => void): Decoder {
  const feed = (bytes: Uint8Array): boolean => {
    output(bytes)
    return true
  }
  return { feed, end: (done) => done(true), cancel: () => {} }
}

function createBlindDecoder(): Decoder {
  return { feed: () => true, end: (done) => done(false), cancel: () => {} }
}

function createStreamDecoder(
  streams: readonly Transform[],
  output: (bytes: Uint8Array) => void,
): Decoder {
  const first = streams[0] as Transform
  const last = streams.at(-1) as Transform
  let finish: ((isIntact: boolean) => void) | null = null
  let isIntact: boolean | null = null
  const settle = (result: boolean): void => {
    isIntact ??= result
    finish?.(isIntact)
    finish = null
  }
  let hasFailed = false
  for (const [index, stream] of streams.entries()) {
    const next = streams[index + 1]
    if (next !== undefined) stream.pipe(next)
    stream.on('error', () => {
      hasFailed = true
      // What came through before is still decoded to its end.
      if (next === undefined) settle(false)
      else next.end()
    })
  }
  const isCut = (stream: Transform): boolean => stream instanceof InflateMembers && stream.isCut
  last.on('data', output)
  last.on('end', () => settle(!hasFailed && !streams.some(isCut)))
  const cancel = (): void => {
    for (const stream of streams) stream.destroy()
    settle(false)
  }
  return {
    // The caller may reuse its buffer while zlib still works on it in another thread.
    feed: (bytes) => {
      if (isIntact !== null || hasFailed) return true
      const hasRoom = first.writableLength + bytes.length <= WAITING_BYTES_MAX
      if (hasRoom) first.write(Buffer.from(bytes))
      else cancel()
      return hasRoom
    },
    end: (done) => {
      finish = done
      if (isIntact !== null) settle(isIntact)
      else if (!first.destroyed) first.end()
    },
    cancel,
  }
}
