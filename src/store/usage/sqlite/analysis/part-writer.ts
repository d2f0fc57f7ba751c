// Appends parts to their hour and month. Eight parts of a tier become one of the next, so that a
// question reads few and a call is written again only as often as its period grows eightfold.

import type { DatabaseSync } from 'node:sqlite'
import { decodePart, encodePart } from '../../part-bytes.ts'
import { createPartTable } from '../../part-table.ts'
import type { PartColumns, PartTable } from '../../part-table.ts'

const PARTS_MERGED = 8
/** Parts that would make a larger one are left as they are: a third of a second's work. */
const ROWS_MERGED_MAX = 400_000
const FULL_TIER = 100

export type PartsTable = 'analysis_parts' | 'temp.staged_parts'

export interface PartWriter {
  /** Only inside a transaction. */
  append(hours: ReadonlyMap<number, PartTable>): void
  appendTo(period: number, columns: PartColumns): void
}

export function createPartWriter(
  database: DatabaseSync,
  table: PartsTable = 'analysis_parts',
): PartWriter {
  const insert = database.prepare(
    `INSERT INTO ${table} (period, tier, rows, part) VALUES (?, ?, ?, ?)`,
  )
  const count = database.prepare(
    `SELECT COUNT(*), SUM(rows) FROM ${table} WHERE period = ? AND tier = ?`,
  )
  count.setReturnArrays(true)
  const select = database.prepare(`SELECT part FROM ${table} WHERE period = ? AND tier = ?`)
  const remove = database.prepare(`DELETE FROM ${table} WHERE period = ? AND tier = ?`)
  const close = database.prepare(
    `UPDATE ${table} SET tier = ${FULL_TIER} WHERE period = ? AND tier = ?`,
  )

  function put(period: number, tier: number, part: { rows: number; bytes: Uint8Array }): void {
    insert.run(period, tier, part.rows, part.bytes)
    const [parts, rows] = count.get(period, tier) as unknown as [number, number]
    if (parts < PARTS_MERGED) return
    if (rows > ROWS_MERGED_MAX) {
      close.run(period, tier)
      return
    }
    const merged = createPartTable()
    for (const row of select.all(period, tier)) {
      merged.addAll(decodePart(row['part'] as Uint8Array), 1)
    }
    remove.run(period, tier)
    const columns = merged.columns()
    put(period, tier + 1, { rows: columns.rows, bytes: encodePart(columns) })
  }

  function appendTo(period: number, columns: PartColumns): void {
    if (columns.rows > 0) put(period, 0, { rows: columns.rows, bytes: encodePart(columns) })
  }

  return {
    append(hours) {
      for (const [hour, rows] of hours) {
        const columns = rows.columns()
        if (columns.rows === 0) continue
        const part = { rows: columns.rows, bytes: encodePart(columns) }
        put(hour, 0, part)
        put(toMonth(hour), 0, part)
      }
    },
    appendTo,
  }
}

/** Hours have ten digits, months six: 2026101512 is in 202610. */
export function toMonth(hour: number): number {
  return Math.floor(hour / 10_000)
}
