// A span in pieces of few enough calls that one statement adds each of them up in some seconds.

import type { BudgetSpan } from '../../../../core/budget.ts'
import type { Sql } from '../../../sql/sql.ts'
import { listDays } from './span-record.ts'

const DAY_MS = 86_400_000
const PIECE_CALLS_MAX = 1_000_000
/** Of a day: ten minutes each. */
const PIECES_MAX = 144

/** The sums say how many calls a day has; within it, they are taken to be spread evenly. */
export async function listPieces(
  sql: Sql,
  span: BudgetSpan,
  callsMax = PIECE_CALLS_MAX,
): Promise<readonly BudgetSpan[]> {
  const callsOf = await countCalls(sql, span)
  const pieces: BudgetSpan[] = []
  let [startMs, calls] = [span.startMs, 0]
  for (let dayMs = span.startMs; dayMs < span.endMs; dayMs += DAY_MS) {
    const more = callsOf(dayMs)
    if (dayMs > startMs && calls + more > callsMax) {
      pieces.push(...split({ startMs, endMs: dayMs }, calls / callsMax))
      ;[startMs, calls] = [dayMs, 0]
    }
    calls += more
  }
  return [...pieces, ...split({ startMs, endMs: span.endMs }, calls / callsMax)]
}

function split({ startMs, endMs }: BudgetSpan, parts: number): readonly BudgetSpan[] {
  const count = Math.min(Math.max(1, Math.ceil(parts)), PIECES_MAX)
  const at = (place: number): number => startMs + Math.round((place * (endMs - startMs)) / count)
  return Array.from({ length: count }, (_, place) => {
    return { startMs: at(place), endMs: at(place + 1) }
  })
}

async function countCalls(sql: Sql, span: BudgetSpan): Promise<(dayMs: number) => number> {
  const days = listDays(span)
  const rows = await sql.all<{ day: number; calls: number }>(
    `SELECT period AS day, SUM(requests) AS calls FROM total_rollup
      WHERE period BETWEEN ? AND ? AND key_id = 0 GROUP BY period`,
    [days[0] ?? 0, days.at(-1) ?? 0],
  )
  const byDay = new Map(rows.map(({ day, calls }) => [day, calls]))
  return (dayMs) => {
    const [day] = listDays({ startMs: dayMs, endMs: dayMs + DAY_MS })
    return day === undefined ? 0 : (byDay.get(day) ?? 0)
  }
}
