// What GET /v1/usage must answer, worked out from the list of calls alone: plain loops over
// bigints. Must stay true: nothing here is computed by the program that is tested.

import type { UsageRow } from '../../src/api/contract.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'

export interface Question {
  readonly metric: string
  readonly window: string
  readonly dimension?: string | undefined
  readonly dim_key?: string | undefined
  readonly month?: string | undefined
  readonly months?: number | undefined
  readonly api_key?: string | undefined
}

interface Call {
  readonly day: string
  readonly month: string
  readonly record: UsageRecord
}

interface Group {
  readonly label: string
  readonly model: string | null
  readonly bucket: string | null
  cost: bigint
  requests: number
  tokens: number
}

const DAY_MS = 86_400_000

/** Calls that were forwarded, by month: each question then looks at those of its months only. */
export type CallsByMonth = ReadonlyMap<string, readonly Call[]>

export function sortByMonth(records: readonly UsageRecord[]): CallsByMonth {
  const months = new Map<string, Call[]>()
  for (const record of records) {
    if (record.event.status === 'denied') continue
    const day = dayOf(record.event.endedAt)
    const month = day.slice(0, 7)
    const calls = months.get(month) ?? []
    calls.push({ day, month, record })
    months.set(month, calls)
  }
  return months
}

/** All rows in their order, before any limit. For a series the limit counts labels: see `cut`. */
export function expectRows(asked: Question, calls: CallsByMonth, nowMs: number): UsageRow[] {
  const groups = groupCalls(asked, callsOf(asked, calls, nowMs))
  if (asked.window === 'monthly_series') return expectSeries(groups, monthsOf(asked, nowMs))
  if (asked.dimension === 'day') return expectTrend(groups, daysOf(asked, nowMs))
  if (asked.dimension === undefined && groups.length === 0) {
    groups.push(createGroup({ label: 'total', model: null, bucket: null }))
  }
  return groups.toSorted(compare(asked.metric)).map((group) => toRow(group, asked))
}

/** What is left of the rows by a limit. */
export function cut(
  rows: readonly UsageRow[],
  asked: Question,
  limit: number,
): readonly UsageRow[] {
  if (asked.dimension === 'day' || asked.dimension === undefined) return rows
  if (asked.window !== 'monthly_series') return rows.slice(0, limit)
  const shown = new Set(rankLabels(rows).slice(0, limit))
  return rows.filter((row) => shown.has(row.label))
}

/** How many rows, or labels of a series, a limit can leave. */
export function countCuttable(rows: readonly UsageRow[], asked: Question): number {
  return asked.window === 'monthly_series' ? rankLabels(rows).length : rows.length
}

function rankLabels(rows: readonly UsageRow[]): string[] {
  const sums = new Map<string, bigint>()
  for (const row of rows) {
    sums.set(row.label, (sums.get(row.label) ?? 0n) + (exactCosts.get(row) ?? 0n))
  }
  const ranked = [...sums].toSorted(([a, first], [b, second]) =>
    first === second ? byText(a, b) : first > second ? -1 : 1,
  )
  return ranked.map(([label]) => label)
}

/** Rows are ranked by what they cost, not by what was rounded. */
const exactCosts = new WeakMap<UsageRow, bigint>()

function callsOf(asked: Question, calls: CallsByMonth, nowMs: number): readonly Call[] {
  const days = daysOf(asked, nowMs)
  const months =
    days.length > 0 ? [...new Set(days.map((day) => day.slice(0, 7)))] : monthsOf(asked, nowMs)
  const found: Call[] = []
  for (const month of months) {
    for (const call of calls.get(month) ?? []) {
      if (days.length > 0 && !days.includes(call.day)) continue
      if (asked.api_key !== undefined && call.record.event.keyId !== asked.api_key) continue
      found.push(call)
    }
  }
  return found
}

/** None where the window is one of months. */
function daysOf({ window }: Question, nowMs: number): readonly string[] {
  const ago = { today: [0], yesterday: [1], last_7_days: back(7), last_30_days: back(30) }[window]
  return (ago ?? []).map((days) => dayOf(nowMs - days * DAY_MS))
}

function back(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => count - 1 - index)
}

function monthsOf({ window, month, months = 12 }: Question, nowMs: number): readonly string[] {
  if (window === 'month') return [month ?? '']
  if (window === 'monthly_series') return back(months).map((ago) => monthBefore(nowMs, ago))
  return [monthBefore(nowMs, window === 'last_month' ? 1 : 0)]
}

/** By counting months, not by any calendar. */
function monthBefore(nowMs: number, ago: number): string {
  const now = dayOf(nowMs)
  const index = Number(now.slice(0, 4)) * 12 + Number(now.slice(5, 7)) - 1 - ago
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

function groupCalls(asked: Question, calls: readonly Call[]): Group[] {
  const groups = new Map<string, Group>()
  for (const call of calls) {
    const place = placeOf(asked, call)
    if (place === null) continue
    const name = `${place.label}\n${place.model}\n${place.bucket}`
    const group = groups.get(name) ?? createGroup(place)
    groups.set(name, group)
    const { tokens } = call.record.event
    group.cost += call.record.cost.amount ?? 0n
    group.requests += 1
    group.tokens += tokens === null ? 0 : tokens.input + tokens.output
  }
  return [...groups.values()]
}

type Place = Pick<Group, 'label' | 'model' | 'bucket'>

/** Null: not part of the answer. */
function placeOf({ dimension, dim_key: dimKey = '', window }: Question, call: Call): Place | null {
  const { provider, model, keyId, dims } = call.record.event
  const plain = (label: string): Place => ({ label, model: null, bucket: null })
  const bucket = window === 'monthly_series' ? `${call.month}-01` : null
  switch (dimension) {
    case 'provider':
      return { ...plain(provider), bucket }
    case 'model':
      return plain(model ?? 'unknown')
    case 'api_key':
      return plain(keyId ?? '')
    case 'day':
      return plain(call.day)
    case 'dim':
    case 'dim_model': {
      const value = Object.hasOwn(dims, dimKey) ? dims[dimKey] : undefined
      if (value === undefined) return null
      return dimension === 'dim' ? plain(value) : { ...plain(value), model: model ?? 'unknown' }
    }
    case undefined:
      return plain('total')
    default:
      throw new Error(`no such dimension: ${dimension}`)
  }
}

function createGroup(place: Place): Group {
  return { ...place, cost: 0n, requests: 0, tokens: 0 }
}

function expectTrend(groups: readonly Group[], days: readonly string[]): UsageRow[] {
  return days.map((label) => {
    const group = groups.find((each) => each.label === label)
    return toRow(group ?? createGroup({ label, model: null, bucket: null }), COST)
  })
}

function expectSeries(groups: readonly Group[], months: readonly string[]): UsageRow[] {
  const labels = [...new Set(groups.map(({ label }) => label))]
  return months.flatMap((month) => {
    const bucket = `${month}-01`
    const ofMonth = labels.map(
      (label) =>
        groups.find((group) => group.label === label && group.bucket === bucket) ??
        createGroup({ label, model: null, bucket }),
    )
    return ofMonth.toSorted(compare('cost_usd')).map((group) => toRow(group, COST))
  })
}

const COST: Question = { metric: 'cost_usd', window: '' }

function compare(metric: string): (a: Group, b: Group) => number {
  return (a, b) => {
    const [first, second] = [amountOf(a, metric), amountOf(b, metric)]
    if (first !== second) return first > second ? -1 : 1
    return byText(a.label, b.label) || byText(a.model ?? '', b.model ?? '')
  }
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function amountOf(group: Group, metric: string): bigint {
  if (metric === 'cost_usd') return group.cost
  return BigInt(metric === 'requests' ? group.requests : group.tokens)
}

function toRow(group: Group, { metric, dimension }: Question): UsageRow {
  const { label, bucket, model, cost, requests, tokens } = group
  const isPair = dimension === 'dim_model'
  const value = metric === 'cost_usd' ? toUsd(cost) : Number(amountOf(group, metric))
  const counts = isPair ? { requests, tokens } : { requests: null, tokens: null }
  const row: UsageRow = { label, value, bucket, model: isPair ? model : null, ...counts }
  exactCosts.set(row, cost)
  return row
}

/** Pico-dollars, never negative here, half-even to nine digits, read as JSON would be. */
function toUsd(cost: bigint): number {
  const rest = cost % 1000n
  const down = cost / 1000n
  const isUp = rest > 500n || (rest === 500n && down % 2n === 1n)
  const digits = (isUp ? down + 1n : down).toString().padStart(10, '0')
  return Number(`${digits.slice(0, -9)}.${digits.slice(-9)}`)
}
