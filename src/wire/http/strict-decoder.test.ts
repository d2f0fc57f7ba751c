import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'

import { createStrictDecoder, parseCodings, windowBytesOf } from './strict-decoder.ts'
import type { DecodeResult } from './strict-decoder.ts'

const TEXT = '{"model":"some-model","messages":[{"role":"user","content":"how do you do"}]}'

interface Decoded {
  readonly result: DecodeResult
  readonly text: string
}

interface Decoding {
  readonly codings: readonly string[]
  readonly bytesMax?: number
  /** Bytes a piece; all at once without it. */
  readonly cut?: number
}

function decode(bytes: Buffer, { codings, bytesMax = 1_000_000, cut }: Decoding): Promise<Decoded> {
  const pieces: Buffer[] = []
  return new Promise((resolve) => {
    const done = (result: DecodeResult): void =>
      resolve({ result, text: Buffer.concat(pieces).toString() })
    const output = (piece: Buffer): boolean => pieces.push(piece) > 0
    const decoder = createStrictDecoder({ codings, bytesMax, output, drained: () => {}, done })
    const step = cut ?? bytes.length
    for (let at = 0; at < bytes.length; at += step) decoder.feed(bytes.subarray(at, at + step))
    decoder.end()
  })
}

const gzip = gzipSync(TEXT)
const zstd = zstdCompressSync(TEXT)

const INTACT: readonly (readonly [string, Buffer, readonly string[], string?])[] = [
  ['gzip', gzip, ['gzip']],
  ['x-gzip', gzip, ['x-gzip']],
  ['deflate in its framing', deflateSync(TEXT), ['deflate']],
  ['deflate without', deflateRawSync(TEXT), ['deflate']],
  ['deflate of a few bytes', deflateRawSync(''), ['deflate'], ''],
  ['brotli', brotliCompressSync(TEXT), ['br']],
  ['zstd', zstd, ['zstd']],
  ['several members of gzip', Buffer.concat([gzip, gzip]), ['gzip'], TEXT + TEXT],
  ['several frames of zstd', Buffer.concat([zstd, zstd]), ['zstd'], TEXT + TEXT],
  ['two codings', gzipSync(brotliCompressSync(TEXT)), ['br', 'gzip']],
  [
    'four codings',
    zstdCompressSync(deflateRawSync(gzipSync(brotliCompressSync(TEXT)))),
    ['br', 'gzip', 'deflate', 'zstd'],
  ],
  ['none', Buffer.from(TEXT), []],
]

describe('decodes', () => {
  for (const [name, bytes, codings, text = TEXT] of INTACT) {
    test(name, async () => {
      for (const cut of [undefined, 1, 7]) {
        const decoding = cut === undefined ? { codings } : { codings, cut }
        assert.deepEqual(await decode(bytes, decoding), { result: 'intact', text })
      }
    })
  }
})

/** Zlib's framing that is a stored block as well. */
const BOTH_FORMS = Buffer.from([0x78, 0x01, 0x00, 0xfe, 0xff, 0x00])
const zeros = Buffer.alloc(3)
const junk = Buffer.from('junk')

const BROKEN: readonly (readonly [string, Buffer, string])[] = [
  ['bytes that are no gzip', Buffer.from(TEXT), 'gzip'],
  ['bytes that are no zstd', Buffer.from(TEXT), 'zstd'],
  ['nothing', Buffer.alloc(0), 'gzip'],
  ['nothing, as deflate', Buffer.alloc(0), 'deflate'],
  ['gzip without its end', gzip.subarray(0, -1), 'gzip'],
  ['deflate without its end', deflateSync(TEXT).subarray(0, -1), 'deflate'],
  ['bare deflate without its end', deflateRawSync(TEXT).subarray(0, -1), 'deflate'],
  ['brotli without its end', brotliCompressSync(TEXT).subarray(0, -1), 'br'],
  ['zstd without its end', zstd.subarray(0, -1), 'zstd'],
  ['a second frame without its end', Buffer.concat([zstd, zstd.subarray(0, -1)]), 'zstd'],
  ['a second member without its end', Buffer.concat([gzip, gzip.subarray(0, -9)]), 'gzip'],
  ['junk behind gzip', Buffer.concat([gzip, junk]), 'gzip'],
  ['zeros behind gzip', Buffer.concat([gzip, zeros]), 'gzip'],
  ['a member behind zeros', Buffer.concat([gzip, zeros, gzip]), 'gzip'],
  ['junk behind deflate', Buffer.concat([deflateSync(TEXT), junk]), 'deflate'],
  ['junk behind bare deflate', Buffer.concat([deflateRawSync(TEXT), junk]), 'deflate'],
  ['junk behind brotli', Buffer.concat([brotliCompressSync(TEXT), junk]), 'br'],
  ['junk behind zstd', Buffer.concat([zstd, junk]), 'zstd'],
  [
    'a wrong checksum',
    Buffer.from(gzip.map((byte, at) => (at === gzip.length - 8 ? byte ^ 1 : byte))),
    'gzip',
  ],
  // It can be undone, to five bytes; whoever undoes nothing sees the beginning of an object.
  ['bare deflate that begins like JSON', Buffer.from('{"^8e;`'), 'deflate'],
  ['deflate of either form', BOTH_FORMS, 'deflate'],
]

describe('calls broken', () => {
  for (const [name, bytes, coding] of BROKEN) {
    test(name, async () => {
      for (const cut of [undefined, 1, 7]) {
        const decoding = cut === undefined ? { codings: [coding] } : { codings: [coding], cut }
        assert.equal((await decode(bytes, decoding)).result, 'broken', `cut ${cut}`)
      }
    })
  }

  test('a broken coding inside an intact one', async () => {
    const bytes = gzipSync(zstd.subarray(0, -1))
    assert.equal((await decode(bytes, { codings: ['zstd', 'gzip'] })).result, 'broken')
  })
})

test('takes exactly as many decoded bytes as are allowed', async () => {
  const { result } = await decode(gzip, { codings: ['gzip'], bytesMax: TEXT.length })
  assert.equal(result, 'intact')
  const beyond = await decode(gzip, { codings: ['gzip'], bytesMax: TEXT.length - 1 })
  assert.equal(beyond.result, 'too-large')
})

test('takes a zstd window of 8 MiB, and says so of a larger one', async () => {
  const body = (windowLog: number): Buffer =>
    zstdCompressSync(Buffer.alloc(20_000_000), {
      params: { [constants.ZSTD_c_windowLog]: windowLog },
    })
  const decoding = { codings: ['zstd'], bytesMax: 20_000_000 }
  assert.equal((await decode(body(23), decoding)).result, 'intact')
  assert.equal((await decode(body(24), decoding)).result, 'window')
  // The second frame of two needs its own.
  assert.equal((await decode(Buffer.concat([zstd, body(24)]), decoding)).result, 'window')
})

test('knows what windows may take at most', () => {
  const output = windowBytesOf(['gzip']) - 32_768
  assert.equal(windowBytesOf([]), 0)
  assert.equal(windowBytesOf(['br', 'zstd']), 24 * 1_048_576 + 2 * output)
})

test('is not made to unpack gigabytes, whichever of its codings holds them', async () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(50_000_000)))
  const { result, text } = await decode(bomb, { codings: ['gzip', 'gzip'], bytesMax: 1_000_000 })
  assert.equal(result, 'too-large')
  assert.ok(text.length <= 1_000_000)
})

test('asks for a pause when much is waiting, and says when it takes more', async () => {
  let drains = 0
  let isPaused = false
  await new Promise<void>((resolve) => {
    const decoder = createStrictDecoder({
      codings: ['gzip'],
      bytesMax: 10_000_000,
      output: () => true,
      drained: () => {
        drains++
        decoder.end()
      },
      done: () => resolve(),
    })
    isPaused = !decoder.feed(
      gzipSync(
        Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
          .toString('hex')
          .repeat(20),
        { level: 0 },
      ),
    )
  })
  assert.deepEqual([isPaused, drains], [true, 1])
})

test('waits for an output that asks for it', async () => {
  const text = 'how do you do '.repeat(20_000)
  const pieces: Buffer[] = []
  let isPaused = false
  const result = await new Promise<DecodeResult>((done) => {
    const decoder = createStrictDecoder({
      codings: ['br', 'gzip'],
      bytesMax: 10_000_000,
      output: (piece) => {
        assert.ok(!isPaused)
        isPaused = true
        pieces.push(piece)
        setImmediate(() => {
          isPaused = false
          decoder.resume()
        })
        return false
      },
      drained: () => {},
      done,
    })
    decoder.feed(gzipSync(brotliCompressSync(text)))
    decoder.end()
  })
  assert.deepEqual([result, Buffer.concat(pieces).toString() === text], ['intact', true])
  assert.ok(pieces.length > 1)
})

test('says nothing once it was cancelled', async () => {
  let results = 0
  const decoder = createStrictDecoder({
    codings: ['gzip'],
    bytesMax: 1000,
    output: () => results++ > 0,
    drained: () => results++,
    done: () => results++,
  })
  decoder.feed(gzip)
  decoder.cancel()
  decoder.end()
  await decode(gzip, { codings: ['gzip'] })
  assert.equal(results, 0)
})

const CODINGS: readonly (readonly [readonly string[], readonly string[] | null])[] = [
  [[], []],
  [['identity'], []],
  [[''], []],
  [['GZip'], ['gzip']],
  [[' gzip ,\tbr'], ['gzip', 'br']],
  [
    ['gzip', 'br'],
    ['gzip', 'br'],
  ],
  [['gzip,,identity,gzip'], ['gzip', 'gzip']],
  [['gzip,gzip,gzip,gzip,gzip'], null],
  [['compress'], null],
  [['gzip, aes128gcm'], null],
  [['gzip;q=1'], null],
  [['constructor'], null],
  [['gz\u00a0ip'], null],
  [['\u00a0gzip'], null],
]

for (const [values, codings] of CODINGS) {
  test(`reads the codings of ${JSON.stringify(values)}`, () => {
    assert.deepEqual(parseCodings(values), codings)
  })
}
