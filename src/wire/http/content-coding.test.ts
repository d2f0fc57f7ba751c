import assert from 'node:assert/strict'
import type { Transform } from 'node:stream'
import { test } from 'node:test'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'

import { createDecoder } from './content-coding.ts'
import { MEMBER_BYTES_MIN, MEMBERS_FREE, MEMBERS_MAX } from './inflate-members.ts'

const BOUNDS = { bytesMax: 1_000_000, overflowed() {} }
const TEXT = Buffer.from('data: {"usage":{"total_tokens":1}}\n\n'.repeat(2000))

function decode(
  coding: string | null,
  pieces: readonly Uint8Array[],
  bytesMax = BOUNDS.bytesMax,
): Promise<[Buffer, boolean]> {
  return new Promise((resolve) => {
    const out: Uint8Array[] = []
    const decoder = createDecoder(coding, {
      ...BOUNDS,
      bytesMax,
      output: (bytes) => out.push(Buffer.from(bytes)),
    })
    for (const piece of pieces) decoder.feed(piece)
    decoder.end((isIntact) => resolve([Buffer.concat(out), isIntact]))
  })
}

function cut(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}

const CODED: [coding: string | null, bytes: Buffer][] = [
  [null, TEXT],
  ['identity', TEXT],
  ['gzip', gzipSync(TEXT)],
  ['X-GZIP', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['DEFLATE', deflateSync(TEXT, { level: 0 })],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
  ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
  [' gzip ,identity, zstd', zstdCompressSync(gzipSync(TEXT))],
  ['br, deflate, gzip', gzipSync(deflateRawSync(brotliCompressSync(TEXT)))],
  ['gzip', inParts(gzipSync)],
  ['zstd', inParts(zstdCompressSync)],
  ['gzip', Buffer.concat([createNamedGzip(TEXT), gzipSync('')])],
]

/** Some servers compress each event by itself. */
function inParts(encode: (bytes: Buffer) => Buffer): Buffer {
  return Buffer.concat(cut(TEXT, 3600).map(encode))
}

/** With every optional part of a header. */
function createNamedGzip(bytes: Buffer): Buffer {
  const plain = gzipSync(bytes)
  const head = Buffer.from(plain.subarray(0, 10))
  head[3] = 2 | 4 | 8 | 16
  const extra = Buffer.from('\x03\0ext', 'latin1')
  const names = Buffer.from('name\0comment\0', 'latin1')
  return Buffer.concat([head, extra, names, Buffer.alloc(2), plain.subarray(10)])
}

for (const [coding, bytes] of CODED) {
  test(`decodes ${coding ?? 'a plain body'} in any pieces`, async () => {
    for (const size of [7, 1000, bytes.length]) {
      const [decoded, isIntact] = await decode(coding, cut(bytes, size))
      assert.ok(decoded.equals(TEXT))
      assert.equal(isIntact, true)
    }
  })
}

/** Noise in letters: nothing can be compressed to so little that a cut would leave none of it. */
const NOISE = Buffer.from(
  Array.from({ length: 3000 }, (_, index) => Math.imul(index, 2_654_435_761).toString(36)).join(),
)
const CUT_SHORT: [coding: string, bytes: Buffer, isIntact: boolean][] = [
  ['gzip', gzipSync(NOISE), false],
  ['deflate', deflateSync(NOISE), false],
  ['deflate', deflateRawSync(NOISE), true],
  ['br', brotliCompressSync(NOISE), true],
  ['zstd', inPieces(NOISE, zstdCompressSync), true],
  ['gzip, br', brotliCompressSync(gzipSync(NOISE)), false],
]

function inPieces(bytes: Buffer, encode: (bytes: Buffer) => Buffer): Buffer {
  return Buffer.concat(cut(bytes, 4000).map(encode))
}

for (const [coding, bytes, isIntact] of CUT_SHORT) {
  test(`yields what could be decoded of ${coding} that breaks off`, async () => {
    const [decoded, isWhole] = await decode(coding, [bytes.subarray(0, bytes.length - 40)])
    assert.ok(decoded.length > NOISE.length / 2 && decoded.length < NOISE.length)
    assert.ok(NOISE.subarray(0, decoded.length).equals(decoded))
    // Bare deflate, Brotli and zstd do not tell whether they were at their end; the body's framing
    // does.
    assert.equal(isWhole, isIntact)
  })
}

test('takes no offence at bytes that follow what is compressed', async () => {
  for (const [coding, bytes] of CODED.slice(2)) {
    const trailed = Buffer.concat([bytes, Buffer.from('and more'), Buffer.alloc(9)])
    for (const size of [7, trailed.length]) {
      const [decoded, isIntact] = await decode(coding, cut(trailed, size))
      assert.ok(decoded.equals(TEXT), `${coding} in pieces of ${size}`)
      assert.equal(isIntact, true)
    }
  }
})

const FLUSHED: [coding: string, create: () => Transform & { flush(done: () => void): void }][] = [
  ['gzip', createGzip],
  ['deflate', createDeflate],
  ['deflate', createDeflateRaw],
  ['br', createBrotliCompress],
  ['zstd', createZstdCompress],
]

for (const [coding, create] of FLUSHED) {
  test(`hands out each event of ${coding} before the next one comes (${create.name})`, async () => {
    const encoder = create()
    const seen: string[] = []
    let arrived = (): void => {}
    const decoder = createDecoder(coding, {
      ...BOUNDS,
      output(bytes) {
        seen.push(Buffer.from(bytes).toString())
        arrived()
      },
    })
    encoder.on('data', (bytes: Buffer) => decoder.feed(bytes))
    for (const event of ['data: one\n\n', 'data: two\n\n', 'data: three\n\n']) {
      const isHere = new Promise<void>((resolve) => (arrived = resolve))
      encoder.write(event)
      encoder.flush(() => {})
      await isHere
      assert.equal(seen.at(-1), event)
    }
    encoder.destroy()
    decoder.cancel()
  })
}

test('keeps the memory of stacked codings small when the inner one is slow', async () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)))
  let bytesSeen = 0
  const decoder = createDecoder('gzip, gzip', {
    ...BOUNDS,
    output(bytes) {
      bytesSeen += bytes.length
      if (bytesSeen > 1_000_000) decoder.cancel()
    },
  })
  decoder.feed(bomb)
  const isIntact = await new Promise<boolean>((resolve) => decoder.end(resolve))
  assert.equal(isIntact, false)
  assert.ok(bytesSeen < 2_000_000)
})

/** How often it gave up, and whether it called what it had intact. */
async function overflow(
  coding: string,
  body: Buffer,
  bytesMax = 1_000_000,
): Promise<[number, boolean]> {
  let overflows = 0
  const bounds = { bytesMax, overflowed: () => overflows++ }
  const decoder = createDecoder(coding, { ...bounds, output() {} })
  decoder.feed(body)
  const isIntact = await new Promise<boolean>((resolve) => decoder.end(resolve))
  return [overflows, isIntact]
}

test('reads so many members and no more', async () => {
  const cases: [count: number, content: string][] = [
    [MEMBERS_FREE, ''],
    [MEMBERS_FREE, 'x'.repeat(MEMBER_BYTES_MIN - 1)],
    [MEMBERS_MAX, 'x'.repeat(MEMBER_BYTES_MIN)],
  ]
  for (const [count, content] of cases) {
    const member = gzipSync(content)
    const members = Buffer.concat(Array.from({ length: count }, () => member))
    const bytesMax = 10_000_000
    assert.deepEqual(await overflow('gzip', members, bytesMax), [0, true])
    assert.deepEqual(await overflow('gzip', Buffer.concat([members, member]), bytesMax), [1, false])
  }
})

test('gives up where a coding that is not the last to be undone grows too large', async () => {
  const inner = gzipSync(Buffer.alloc(100_000_000))
  const body = gzipSync(inner)
  assert.ok(inner.length > body.length * 100)
  assert.deepEqual(await overflow('gzip, gzip', body, 200_000_000), [0, true])
  assert.deepEqual(await overflow('gzip, gzip', body, inner.length - 1), [1, false])
  // Out of so much it is not too much.
  const noise = gzipSync(NOISE)
  assert.deepEqual(await overflow('gzip, gzip', gzipSync(noise), 1), [0, true])
})

test('keeps no more than the largest window that zstd may have', async () => {
  const encode = (windowLog: number): Buffer => {
    const params = { [constants.ZSTD_c_windowLog]: windowLog }
    return zstdCompressSync(Buffer.alloc(20_000_000), { params })
  }
  assert.equal((await decode('zstd', [encode(23)], 20_000_000))[1], true)
  assert.deepEqual(await decode('zstd', [encode(24)]), [Buffer.alloc(0), false])
})

test('says so when the coding is broken or unknown', async () => {
  assert.deepEqual(await decode('gzip', [Buffer.from('not gzip at all')]), [Buffer.alloc(0), false])
  for (const unknown of ['lzma', 'constructor', '__proto__']) {
    assert.deepEqual(await decode(unknown, [TEXT]), [Buffer.alloc(0), false])
  }
  assert.deepEqual(await decode('gzip, gzip, gzip, gzip, gzip', [TEXT]), [Buffer.alloc(0), false])
})
