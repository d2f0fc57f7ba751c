// How parts of sums are merged: eight of a tier become one of the next, so that a question reads
// few, and a call is written again only as often as its period grows eightfold.

import { decodePart, encodePart } from './block-bytes.ts'
import { createPartTable } from './block-table.ts'
import type { BlockColumns, BlockTable } from './block-table.ts'

export const PARTS_MERGED = 8
/** Parts that would make a larger one are left as they are: a third of a second's work. */
export const ROWS_MERGED_MAX = 400_000
/** Of parts that are not merged any more. */
export const FULL_TIER = 100

export interface StoredBlock {
  readonly rows: number
  readonly bytes: Uint8Array
}

export function toStoredPart(columns: BlockColumns): StoredBlock {
  return { rows: columns.rows, bytes: encodePart(columns) }
}

export function mergeParts(parts: Iterable<Uint8Array>): StoredBlock {
  const merged = createPartTable()
  for (const part of parts) merged.addAll(decodePart(part), 1)
  return toStoredPart(merged.columns())
}

/** A part for each hour and one for its month; none for what came to nothing. */
export function* listParts(
  hours: ReadonlyMap<number, BlockTable>,
): Generator<{ readonly period: number; readonly block: StoredBlock }> {
  for (const [hour, rows] of hours) {
    const columns = rows.columns()
    if (columns.rows === 0) continue
    const block = toStoredPart(columns)
    yield { period: hour, block }
    yield { period: toMonth(hour), block }
  }
}

/** Hours have ten digits, months six: 2026101512 is in 202610. */
export function toMonth(hour: number): number {
  return Math.floor(hour / 10_000)
}
