// What calls cost that ended in a span of any length: whole days from the sums, the days that it
// cuts from their records.

import type { BudgetSpan } from '../../../core/budget.ts'
import type { Money } from '../../../core/money.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'
import { fromDollars } from '../sql/figure-columns.ts'
import { toTimeBytes } from '../sql/request-filter.ts'
import { CUT_DAY_REQUESTS_MAX, splitSpan, withDayBefore } from '../sql/span-split.ts'
import type { CutDay } from '../sql/span-split.ts'
import { areRecordsWhole, countSpanRequests, readSpanRecords } from './span-records.ts'

const PICO = 10n ** 12n
/** Nearly all calls of a day began within it or an hour before. */
const BEGUN_BEFORE_MS = 3_600_000

export interface SpanCostOptions {
  readonly sum: (question: UsageQuestion) => readonly UsageSum[]
  readonly requestsMax?: number
}

/** Null where a day that is cut has lost records, or has more than are read. */
export function readSpanCost(
  file: SqliteFile,
  span: BudgetSpan,
  { sum, requestsMax = CUT_DAY_REQUESTS_MAX }: SpanCostOptions,
): Money | null {
  const { whole, cuts } = splitSpan(span)
  let cost = whole === null ? 0n : (sum(whole)[0]?.cost ?? 0n)
  for (const cut of cuts) {
    const part = readPart(file, cut, requestsMax)
    if (part === null) return null
    cost += part
  }
  return cost
}

function readPart(file: SqliteFile, { part, day }: CutDay, requestsMax: number): Money | null {
  if (countSpanRequests(file, day) === 0) return 0n
  const isTooMany = countSpanRequests(file, withDayBefore(day)) > requestsMax
  if (isTooMany || !areRecordsWhole(file, day)) return null
  const summed = sumPart(file, day, part)
  if (summed !== null) return summed
  let cost = 0n
  for (const { amount, endedAt } of readSpanRecords(file, day)) {
    if (endedAt >= part.startMs && endedAt < part.endMs) cost += amount ?? 0n
  }
  return cost
}

// One pass over the day: whether all its calls were found, and what those of the part cost. Amounts
// that fit no integer are stored as text.
const SUM_PART = `SELECT COUNT(*) AS calls, TOTAL(is_in AND typeof(cost) = 'text') AS texts,
  CAST(COALESCE(SUM(CASE WHEN is_in THEN cost / ${PICO} END), 0) AS TEXT) AS dollars,
  CAST(COALESCE(SUM(CASE WHEN is_in THEN cost % ${PICO} END), 0) AS TEXT) AS remainder
  FROM (SELECT cost_pico AS cost, ended_at >= ? AND ended_at < ? AS is_in FROM records
    WHERE id >= ? AND id < ? AND status <> 'denied' AND ended_at >= ? AND ended_at < ?)`

interface PartRow {
  readonly calls: number
  readonly texts: number
  readonly dollars: string
  readonly remainder: string
}

/** Null where a call of the day began long before it, or cost more than an integer can say. */
function sumPart(file: SqliteFile, day: BudgetSpan, part: BudgetSpan): Money | null {
  const from = toTimeBytes(day.startMs - BEGUN_BEFORE_MS)
  const to = toTimeBytes(day.endMs + BEGUN_BEFORE_MS)
  const select = file.prepare<PartRow>(SUM_PART)
  const row = select.first(part.startMs, part.endMs, from, to, day.startMs, day.endMs)
  if (row === null || row.texts > 0 || row.calls !== countSpanRequests(file, day)) return null
  return fromDollars(BigInt(row.dollars), BigInt(row.remainder))
}
