// A part as bytes: a line of JSON that lists its columns, then each column as an array of the
// narrowest numbers that can hold it. Widest first, so that all can be read in place.

import { assert } from '../../core/assert.ts'
import { BLOCK_FIGURES } from './block-table.ts'
import type { NameColumn, BlockColumns, BlockFigure } from './block-table.ts'

const WIDTHS = { f8: Float64Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array } as const
type Width = keyof typeof WIDTHS
const WIDEST_BYTES = 8

type Head = { readonly rows: number; readonly columns: readonly [string, Width, number][] }

export function encodePart({ rows, names, figures, latencies }: BlockColumns): Uint8Array {
  const sums: [string, ArrayLike<number>][] = [...names, ...figures]
  const columns = sums
    .filter(([, list]) => !isZero(list))
    .concat(latencies.codes.length === 0 ? [] : Object.entries(latencies))
    .map(([name, list]) => ({ name, list, width: findWidth(list) }))
    .sort((one, other) => bytesOf(other.width) - bytesOf(one.width))
  const head: Head = {
    rows,
    columns: columns.map(({ name, width, list }) => [name, width, list.length]),
  }
  const text = Buffer.from(JSON.stringify(head))
  const begin = Math.ceil((text.length + 1) / WIDEST_BYTES) * WIDEST_BYTES
  const size = columns.reduce((sum, { list, width }) => sum + list.length * bytesOf(width), begin)
  const bytes = new Uint8Array(size)
  bytes.fill(0x20, 0, begin)
  bytes.set(text)
  bytes[begin - 1] = NEW_LINE
  let at = begin
  for (const { list, width } of columns) {
    new WIDTHS[width](bytes.buffer, at, list.length).set(list)
    at += list.length * bytesOf(width)
  }
  return bytes
}

const NEW_LINE = 0x0a
const FIGURES: ReadonlySet<string> = new Set(BLOCK_FIGURES)
const TEXT = new TextDecoder()
const NONE = new Uint8Array(0)

export function decodePart(stored: Uint8Array): BlockColumns {
  // A view of other bytes may begin where wide numbers cannot.
  const isAligned = stored.byteOffset % WIDEST_BYTES === 0
  const bytes = (isAligned ? stored : stored.slice()) as Uint8Array<ArrayBuffer>
  const begin = bytes.indexOf(NEW_LINE) + 1
  assert(begin > 0, 'a part begins with the list of its columns')
  const head = JSON.parse(TEXT.decode(bytes.subarray(0, begin))) as Head
  const names = new Map<NameColumn, ArrayLike<number>>()
  const figures = new Map<BlockFigure, ArrayLike<number>>()
  const latencies = { codes: NONE, counts: NONE, perRow: NONE } as Record<string, ArrayLike<number>>
  let at = bytes.byteOffset + begin
  for (const [name, width, length] of head.columns) {
    const list = new WIDTHS[width](bytes.buffer, at, length)
    at += length * bytesOf(width)
    if (FIGURES.has(name)) figures.set(name as BlockFigure, list)
    else if (Object.hasOwn(latencies, name)) latencies[name] = list
    else names.set(name as NameColumn, list)
  }
  return {
    rows: head.rows,
    names,
    figures,
    latencies: latencies as unknown as BlockColumns['latencies'],
  }
}

/** Such a column is left out. */
function isZero(list: ArrayLike<number>): boolean {
  for (let index = 0; index < list.length; index += 1) if (list[index] !== 0) return false
  return true
}

function findWidth(list: ArrayLike<number>): Width {
  let [least, most] = [0, 0]
  for (let index = 0; index < list.length; index += 1) {
    const value = list[index] as number
    if (value < least) least = value
    if (value > most) most = value
  }
  if (least < 0 || most > 0xff_ff_ff_ff) return 'f8'
  if (most > 0xff_ff) return 'u4'
  return most > 0xff ? 'u2' : 'u1'
}

function bytesOf(width: Width): number {
  return WIDTHS[width].BYTES_PER_ELEMENT
}
