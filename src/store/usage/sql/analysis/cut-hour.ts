// The hour that a question ends in the midst of: its sums are made from the records, as the stored
// sums of the whole hour were.

import type { Sql } from '../../../sql/sql.ts'
import { createAnalysisRows } from '../../analysis-rows.ts'
import { decodePart } from '../../block-bytes.ts'
import type { BlockColumns } from '../../block-table.ts'
import type { Dialect } from '../dialect.ts'
import { toNumber } from '../period-ranges.ts'
import { inChunks } from '../rebuild/compare-month.ts'
import { createStagedNames } from '../rebuild/staged-names.ts'
import { readSummedRecords } from '../summed-record.ts'

/** Half a second's work. */
export const CUT_HOUR_CALLS_MAX = 100_000

export interface CutHour {
  /** As 2026101512. */
  readonly period: number
  readonly parts: readonly BlockColumns[]
  readonly toMs: number
}

/** All of an hour that has too many calls: `toMs` is then its end. No parts where none is cut. */
export async function readCutHour(
  sql: Sql,
  toMs: number,
  { dialect, callsMax }: { readonly dialect: Dialect; readonly callsMax: number },
): Promise<CutHour> {
  const startMs = toHourStart(toMs)
  const period = toNumber(startMs, 'hour')
  if (startMs === toMs) return { period, parts: [], toMs }
  const stored = await sql.all<{ part: Uint8Array }>(
    'SELECT part FROM analysis_parts WHERE period = ?',
    [period],
  )
  const whole = stored.map(({ part }) => decodePart(part))
  if (whole.reduce((calls, part) => calls + countCalls(part), 0) > callsMax) {
    return { period, parts: whole, toMs: toHourStart(toMs - 1) + HOUR_MS }
  }
  const names = createStagedNames(sql, dialect)
  const rows = createAnalysisRows(names)
  for await (const chunk of inChunks(readSummedRecords(sql, { startMs, endMs: toMs }, dialect))) {
    await names.resolve(chunk)
    for (const { event, cost } of chunk) rows.add(event, cost)
  }
  return { period, parts: Array.from(rows.hours().values(), (table) => table.columns()), toMs }
}

const HOUR_MS = 3_600_000

export function toHourStart(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS
}

function countCalls({ figures }: BlockColumns): number {
  const lists = [figures.get('requests') ?? [], figures.get('denials') ?? []]
  return lists.flatMap((list) => Array.from(list)).reduce((sum, count) => sum + count, 0)
}
