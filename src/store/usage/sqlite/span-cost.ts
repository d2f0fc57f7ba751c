// What calls cost that ended in a span of any length: whole days from the sums, the days that it
// cuts from their records.

import type { BudgetSpan } from '../../../core/budget.ts'
import type { Money } from '../../../core/money.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'
import { fromDollars } from '../sql/figure-columns.ts'
import { toTimeBytes } from '../sql/request-filter.ts'
import { areRecordsWhole, countSpanRequests, readSpanRecords } from './span-records.ts'

const DAY_MS = 86_400_000
const PICO = 10n ** 12n
/** Nearly all calls of a day began within it or an hour before. */
const BEGUN_BEFORE_MS = 3_600_000
/** Of a day that is cut and the day before it: a tenth of a second's work. */
export const CUT_DAY_REQUESTS_MAX = 100_000

export interface SpanCostOptions {
  readonly sum: (question: UsageQuestion) => readonly UsageSum[]
  readonly requestsMax?: number
}

/** Null where a day that is cut has lost records, or has more than are read. */
export function readSpanCost(
  file: SqliteFile,
  { startMs, endMs }: BudgetSpan,
  { sum, requestsMax = CUT_DAY_REQUESTS_MAX }: SpanCostOptions,
): Money | null {
  const firstMs = toDayStart(startMs + DAY_MS - 1)
  const lastMs = toDayStart(endMs)
  if (firstMs > lastMs) return readPart(file, { startMs, endMs }, requestsMax)
  const parts = [
    readPart(file, { startMs, endMs: firstMs }, requestsMax),
    readPart(file, { startMs: lastMs, endMs }, requestsMax),
  ]
  let cost = firstMs === lastMs ? 0n : sumDays(sum, { startMs: firstMs, endMs: lastMs })
  for (const part of parts) {
    if (part === null) return null
    cost += part
  }
  return cost
}

function sumDays(sum: SpanCostOptions['sum'], { startMs, endMs }: BudgetSpan): Money {
  const period = { grain: 'day', from: toDay(startMs), to: toDay(endMs - DAY_MS) } as const
  const [total] = sum({ period, grouping: { by: 'total' }, keyId: null, isCostOnly: true })
  return total?.cost ?? 0n
}

/** Within one day. */
function readPart(file: SqliteFile, part: BudgetSpan, requestsMax: number): Money | null {
  if (part.startMs >= part.endMs) return 0n
  const dayMs = toDayStart(part.startMs)
  const day = { startMs: dayMs, endMs: dayMs + DAY_MS }
  if (countSpanRequests(file, day) === 0) return 0n
  const read = { startMs: dayMs - DAY_MS, endMs: day.endMs }
  if (countSpanRequests(file, read) > requestsMax || !areRecordsWhole(file, day)) return null
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

function toDayStart(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS
}

function toDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
