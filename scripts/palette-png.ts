// Makes a screenshot small: its colours become a palette of 256, as those of a page nearly are, and
// its lines are packed as tightly as zlib can. Must stay true: what comes out is as large, and
// looks the same.

import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const COLOURS_MAX = 256
/** Bits of each channel by which near colours are counted as one. */
const BITS = 5
const LEVELS = 1 << BITS

interface Picture {
  readonly width: number
  readonly height: number
  /** Three bytes a pixel. */
  readonly pixels: Uint8Array
}

interface Colour {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly count: number
}

/** Takes what Chromium writes: eight bits a channel, not interlaced, opaque. */
export function toPalettePng(png: Buffer): Buffer {
  const { width, height, pixels } = readPng(png)
  const palette = choosePalette(countColours(pixels))
  const lines = Buffer.alloc((width + 1) * height)
  const known = new Map<number, number>()
  for (let at = 0, pixel = 0; at < lines.length; at += 1) {
    if (at % (width + 1) === 0) continue
    const [red = 0, green = 0, blue = 0] = pixels.subarray(pixel, pixel + 3)
    const colour = (red << 16) | (green << 8) | blue
    let place = known.get(colour)
    if (place === undefined) known.set(colour, (place = findNearest(palette, colour)))
    lines[at] = place
    pixel += 3
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, by palette.
  header.set([8, 3], 8)
  const packed = deflateSync(lines, { level: 9, memLevel: 9 })
  const colours = Buffer.from(palette.flatMap(({ red, green, blue }) => [red, green, blue]))
  const parts = [toChunk('IHDR', header), toChunk('PLTE', colours), toChunk('IDAT', packed)]
  return Buffer.concat([SIGNATURE, ...parts, toChunk('IEND', Buffer.alloc(0))])
}

function readPng(png: Buffer): Picture {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const [depth, kind, , , interlaced] = png.subarray(24, 29)
  const channels = kind === 6 ? 4 : 3
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0) {
    throw new Error(`A PNG of kind ${kind} with ${depth} bits is not one of Chromium's.`)
  }
  const data: Buffer[] = []
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      data.push(png.subarray(at + 8, at + 8 + length))
    }
    at += length + 12
  }
  const lines = undoFilters(inflateSync(Buffer.concat(data)), { width, height, channels })
  const pixels = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; to < pixels.length; from += channels, to += 3) {
    pixels.set(lines.subarray(from, from + 3), to)
  }
  return { width, height, pixels }
}

interface Layout {
  readonly width: number
  readonly height: number
  readonly channels: number
}

/** https://www.w3.org/TR/png-3/#9Filters */
function undoFilters(data: Buffer, { width, height, channels }: Layout): Uint8Array {
  const bytes = width * channels
  const out = new Uint8Array(bytes * height)
  for (let line = 0; line < height; line += 1) {
    const filter = data[line * (bytes + 1)] ?? 0
    for (let at = 0; at < bytes; at += 1) {
      const place = line * bytes + at
      const left = at >= channels ? (out[place - channels] ?? 0) : 0
      const above = line > 0 ? (out[place - bytes] ?? 0) : 0
      const corner = at >= channels && line > 0 ? (out[place - bytes - channels] ?? 0) : 0
      const guess = predict(filter, { left, above, corner })
      out[place] = (data[line * (bytes + 1) + 1 + at] ?? 0) + guess
    }
  }
  return out
}

interface Neighbours {
  readonly left: number
  readonly above: number
  readonly corner: number
}

function predict(filter: number, { left, above, corner }: Neighbours): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const [byLeft, byAbove, byCorner] = [
    Math.abs(above - corner),
    Math.abs(left - corner),
    Math.abs(left + above - 2 * corner),
  ]
  if (byLeft <= byAbove && byLeft <= byCorner) return left
  return byAbove <= byCorner ? above : corner
}

function countColours(pixels: Uint8Array): Map<number, number> {
  const counts = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3)
    const colour = (red << 16) | (green << 8) | blue
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return counts
}

/**
 * The commonest as they are; for the rest the commonest of each neighbourhood, so that no hue is
 * lost.
 */
function choosePalette(counts: ReadonlyMap<number, number>): readonly Colour[] {
  const colours = Array.from(counts, ([colour, count]) => toColour(colour, count))
  const common = colours.toSorted((one, other) => other.count - one.count)
  if (common.length <= COLOURS_MAX) return common
  const chosen = new Set(common.slice(0, COLOURS_MAX / 2))
  const seen = new Set<number>()
  for (const colour of common) {
    if (chosen.size === COLOURS_MAX) break
    const cell = toCell(colour)
    if (seen.has(cell)) continue
    seen.add(cell)
    chosen.add(colour)
  }
  return [...chosen]
}

function toCell({ red, green, blue }: Colour): number {
  const step = 256 / LEVELS
  const [r, g, b] = [red, green, blue].map((level) => Math.floor(level / step))
  return ((r ?? 0) * LEVELS + (g ?? 0)) * LEVELS + (b ?? 0)
}

function toColour(colour: number, count: number): Colour {
  return { red: colour >> 16, green: (colour >> 8) & 255, blue: colour & 255, count }
}

function findNearest(palette: readonly Colour[], colour: number): number {
  const { red, green, blue } = toColour(colour, 0)
  let nearest = 0
  let least = Infinity
  for (const [place, each] of palette.entries()) {
    // Green counts most to the eye, blue least.
    const away =
      3 * (each.red - red) ** 2 + 4 * (each.green - green) ** 2 + 2 * (each.blue - blue) ** 2
    if (away >= least) continue
    least = away
    nearest = place
  }
  return nearest
}

function toChunk(name: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(name, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8)
  return chunk
}
