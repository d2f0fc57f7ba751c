import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync, inflateSync } from 'node:zlib'

import { toPalettePng } from './palette-png.ts'

const WIDTH = 16
const HEIGHT = 4

type Rgb = readonly [number, number, number]

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, sum])
}

/** Written with each of the filters in turn, as encoders may. */
function createPng(colourAt: (x: number, y: number) => Rgb): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2], 8)
  const byte = (at: number, y: number): number =>
    at < 0 || y < 0 ? 0 : (colourAt(Math.floor(at / 3), y)[at % 3] ?? 0)
  const lines: number[] = []
  for (let y = 0; y < HEIGHT; y += 1) {
    const filter = (y % 4) + 1
    lines.push(filter)
    for (let at = 0; at < WIDTH * 3; at += 1) {
      const left = at < 3 ? 0 : byte(at - 3, y)
      const above = byte(at, y - 1)
      const corner = at < 3 ? 0 : byte(at - 3, y - 1)
      const guesses = [left, above, (left + above) >> 1, guessByPaeth({ left, above, corner })]
      const guess = guesses[filter - 1] ?? 0
      lines.push((byte(at, y) - guess) & 255)
    }
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = chunk('IDAT', deflateSync(Buffer.from(lines)))
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))])
}

interface Neighbours {
  readonly left: number
  readonly above: number
  readonly corner: number
}

/** The neighbour that is nearest to left + above - corner; of equals the first. */
function guessByPaeth({ left, above, corner }: Neighbours): number {
  const away = (value: number): number => Math.abs(left + above - corner - value)
  return [left, above, corner].toSorted((one, other) => away(one) - away(other))[0] ?? 0
}

function readPalettePng(png: Buffer): (x: number, y: number) => Rgb {
  assert.deepEqual([...png.subarray(24, 26)], [8, 3])
  const parts = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 4, at + 8 + length)
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(body))
    parts.set(body.toString('latin1', 0, 4), body.subarray(4))
    at += length + 12
  }
  const palette = parts.get('PLTE') ?? Buffer.alloc(0)
  const lines = inflateSync(parts.get('IDAT') ?? Buffer.alloc(0))
  return (x, y) => {
    const place = (lines[y * (WIDTH + 1) + 1 + x] ?? 0) * 3
    return [...palette.subarray(place, place + 3)] as unknown as Rgb
  }
}

test('a picture of few colours comes out with each of them', () => {
  const colourAt = (x: number, y: number): Rgb => [x * 16, y * 60, (x * y * 5) & 255]
  const read = readPalettePng(toPalettePng(createPng(colourAt)))
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) assert.deepEqual(read(x, y), colourAt(x, y))
  }
})

test('what is not a plain picture is refused', () => {
  const png = createPng(() => [1, 2, 3])
  png[24] = 16
  assert.throws(() => toPalettePng(png), /16 bits/)
})
