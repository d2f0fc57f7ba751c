// Appends parts to their hour and month, and merges them by tiers.

import type { DatabaseSync } from 'node:sqlite'
import {
  FULL_TIER,
  listParts,
  mergeParts,
  PARTS_MERGED,
  ROWS_MERGED_MAX,
  toStoredPart,
} from '../../part-tiers.ts'
import type { StoredPart } from '../../part-tiers.ts'
import type { PartColumns, PartTable } from '../../part-table.ts'

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

  function put(period: number, tier: number, part: StoredPart): void {
    insert.run(period, tier, part.rows, part.bytes)
    const [parts, rows] = count.get(period, tier) as unknown as [number, number]
    if (parts < PARTS_MERGED) return
    if (rows > ROWS_MERGED_MAX) {
      close.run(period, tier)
      return
    }
    const merged = mergeParts(select.all(period, tier).map((row) => row['part'] as Uint8Array))
    remove.run(period, tier)
    put(period, tier + 1, merged)
  }

  return {
    append(hours) {
      for (const { period, part } of listParts(hours)) put(period, 0, part)
    },
    appendTo(period, columns) {
      if (columns.rows > 0) put(period, 0, toStoredPart(columns))
    },
  }
}
