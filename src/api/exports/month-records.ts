// The calls of a UTC month, one page in memory at a time. Must stay true: a call belongs to the
// month it ended in, as in the rollups, so the records add up to GET /v1/usage.

import type { UsageRecord } from '../../core/usage-record.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { RequestPage } from '../../store/usage/request-log.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'

/** A page is made into text in one go, while no other request is served. */
export const PAGE_ROWS = 100
/** Aimed at by the rows before: where rows grow at once, PAGE_ROWS bounds the one page above it. */
export const PAGE_BYTES = 262_144
/** Of the first page, before it is known how large the rows are. */
export const FIRST_ROWS = 10
/** The fields that are always there. */
const ROW_BYTES = 500

/** Records are sorted by start: nearly all of a month's calls began in it or the day before. */
const BEGUN_BEFORE_MS = 86_400_000
/** How far the clock may have been set back during a call: then it ends before it begins. */
const CLOCK_SLACK_MS = 3_600_000

export interface MonthRange {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

export function toMonthRange(month: string): MonthRange {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return { fromMs: Date.UTC(year, number - 1, 1), toMs: Date.UTC(year, number, 1) }
}

/** As the rollups count them. */
export async function countRequests(usage: UsageStore, month: string): Promise<number> {
  const period = { grain: 'month', from: month, to: month } as const
  const [total] = await usage.sum({ period, grouping: { by: 'total' }, keyId: null })
  return total?.requests ?? 0
}

/** By start, those that began long before their end last; no page is empty. */
export async function* readMonthRecords(
  usage: UsageStore,
  { fromMs, toMs }: MonthRange,
  /** Ends the reading before the next page. */
  signal?: AbortSignal,
): AsyncGenerator<readonly UsageRecord[]> {
  const isOfMonth = ({ event }: UsageRecord): boolean =>
    event.endedAt >= fromMs && event.endedAt < toMs
  const near = { fromMs: fromMs - BEGUN_BEFORE_MS, toMs: toMs + CLOCK_SLACK_MS }
  for await (const page of readForwards(usage, { ...ALL_REQUESTS, ...near })) {
    const records = page.filter(isOfMonth)
    if (records.length > 0) yield records
    if (signal?.aborted === true) return
  }
  // How many there are is not known while traffic runs. The log finds them by their end.
  const ended = { ...ALL_REQUESTS, endedFromMs: fromMs, endedToMs: toMs }
  for (const far of [{ toMs: near.fromMs }, { fromMs: near.toMs }]) {
    for await (const records of readBackwards(usage, { ...ended, ...far })) {
      if (records.length > 0) yield records
      if (signal?.aborted === true) return
    }
  }
}

type Filter = typeof ALL_REQUESTS
type Pages = AsyncGenerator<readonly UsageRecord[]>

async function* readForwards({ upkeep }: UsageStore, filter: Filter): Pages {
  let after: string | null = null
  let rowsMax = FIRST_ROWS
  while (true) {
    const page: readonly UsageRecord[] = await upkeep.readRecords(filter, { after, rowsMax })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.event.id
    rowsMax = toRowsMax(page)
  }
}

async function* readBackwards({ requests }: UsageStore, filter: Filter): Pages {
  let before: string | null = null
  let rowsMax = FIRST_ROWS
  do {
    const page: RequestPage = await requests.list(filter, { before, rowsMax })
    yield page.records
    before = page.next
    rowsMax = toRowsMax(page.records)
  } while (before !== null)
}

/** As many rows as fit into a page if they are like the last ones. */
export function toRowsMax(page: readonly UsageRecord[]): number {
  if (page.length === 0) return FIRST_ROWS
  const bytes = page.reduce((sum, record) => sum + estimateBytes(record), 0)
  const fitting = Math.floor((PAGE_BYTES * page.length) / bytes)
  return Math.max(1, Math.min(fitting, PAGE_ROWS))
}

function estimateBytes({ event }: UsageRecord): number {
  const { dims, model, requestedModel, toolCalls, shares } = event
  const text = JSON.stringify([dims, model, requestedModel, toolCalls, shares])
  return ROW_BYTES + Buffer.byteLength(text)
}
