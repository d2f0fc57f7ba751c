import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

import { createDecoder } from './content-coding.ts'

const TEXT = Buffer.from('data: {"usage":{"total_tokens":1}}\n\n'.repeat(2000))

function decode(coding: string | null, pieces: readonly Uint8Array[]): Promise<[Buffer, boolean]> {
  return new Promise((resolve) => {
    const out: Uint8Array[] = []
    const decoder = createDecoder(coding, (bytes) => out.push(Buffer.from(bytes)))
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
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
  ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
  ['gzip', Buffer.concat([gzipSync(TEXT.subarray(0, 100)), gzipSync(TEXT.subarray(100))])],
]

for (const [coding, bytes] of CODED) {
  test(`decodes ${coding ?? 'a plain body'} in any pieces`, async () => {
    for (const size of [7, 1000, bytes.length]) {
      const [decoded, isIntact] = await decode(coding, cut(bytes, size))
      assert.ok(decoded.equals(TEXT))
      assert.equal(isIntact, true)
    }
  })
}

test('yields what could be decoded of a body that breaks off', async () => {
  const whole = gzipSync(TEXT)
  const [decoded] = await decode('gzip', [whole.subarray(0, whole.length - 30)])
  assert.ok(decoded.length > 0 && decoded.length <= TEXT.length)
  assert.ok(TEXT.subarray(0, decoded.length).equals(decoded))
})

test('says so when the coding is broken or unknown', async () => {
  assert.deepEqual(await decode('gzip', [Buffer.from('not gzip at all')]), [Buffer.alloc(0), false])
  assert.deepEqual(await decode('lzma', [TEXT]), [Buffer.alloc(0), false])
  assert.deepEqual(await decode('gzip, gzip, gzip, gzip, gzip', [TEXT]), [Buffer.alloc(0), false])
})
