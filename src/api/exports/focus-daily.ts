// The charges of a month as daily sums: a row for each day, key, provider, model, service tier,
// region, source of cost and set of dimensions. Must stay true: every amount and every count adds
// up to the file with a row per call, and memory does not grow with the calls.

import { assert } from '../../core/assert.ts'
import { addTokenCounts, totalTokens } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import { formatMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { ExportContext } from './export-context.ts'
import { toFocusRow, toListCost, toSecond } from './focus-csv.ts'
import type { FocusRow } from './focus-csv.ts'

const DAY_MS = 86_400_000
/** How far the clock may have been set back during a call, which then ends before it starts. */
const CLOCK_SLACK_MS = 3_600_000
/** Rows that wait for the end of their day; where dimensions differ by call, there are as many. */
const WAITING_BYTES_MAX = 8 * 2 ** 20
/** What a row takes beside its words. */
const ROW_BYTES = 1000
const PIECE_ROWS = 100

interface DailySum {
  readonly dayMs: number
  /** Its words are those of all. */
  readonly first: UsageRecord
  requests: number
  billed: Money
  list: Money
  market: Money | null
  tokens: TokenCounts | null
}

export interface DailyLimits {
  readonly waitingBytesMax?: number
}

/** No more than PIECE_ROWS at a time; days in order, but for calls that began long before. */
export async function* toFocusDaily(
  pages: AsyncIterable<readonly UsageRecord[]>,
  context: ExportContext,
  { waitingBytesMax = WAITING_BYTES_MAX }: DailyLimits = {},
): AsyncGenerator<readonly FocusRow[]> {
  const sums = new Map<string, DailySum>()
  let bytes = 0
  let writtenTo = -Infinity
  for await (const records of pages) {
    for (const record of records) bytes += addCall(sums, record)
    const readTo = toDay((records.at(-1)?.event.startedAt ?? 0) - CLOCK_SLACK_MS)
    const isFull = bytes > waitingBytesMax
    if (!isFull && readTo <= writtenTo) continue
    writtenTo = Math.max(readTo, writtenTo)
    const done = [...sums].filter(([, { dayMs }]) => isFull || dayMs < readTo)
    for (const [words] of done) {
      sums.delete(words)
      bytes -= toBytes(words)
    }
    yield* toPieces(
      done.map(([, sum]) => sum),
      context,
    )
  }
  yield* toPieces([...sums.values()], context)
}

/** The bytes that it takes. */
function addCall(sums: Map<string, DailySum>, record: UsageRecord): number {
  const { event, cost } = record
  if (event.status === 'denied') return 0
  const dayMs = toDay(event.endedAt)
  const words = toWords(record, dayMs)
  const known = sums.get(words)
  const market = event.billing?.marketCost ?? null
  const amounts = { billed: cost.amount ?? 0n, list: toListCost(record), market }
  if (known === undefined) {
    sums.set(words, { dayMs, first: record, requests: 1, ...amounts, tokens: event.tokens })
    return toBytes(words)
  }
  known.requests += 1
  known.billed += amounts.billed
  known.list += amounts.list
  if (market !== null) known.market = (known.market ?? 0n) + market
  if (event.tokens !== null) {
    known.tokens = known.tokens === null ? event.tokens : addTokenCounts(known.tokens, event.tokens)
  }
  return 0
}

/** What the calls of one row have in common. Tokens and requests cannot be added up in one. */
function toWords({ event, cost }: UsageRecord, dayMs: number): string {
  const { keyId, provider, model, serviceTier, region = null, dims } = event
  const hasTokens = event.tokens !== null && totalTokens(event.tokens) > 0
  const tags = Object.entries(dims).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([
    dayMs,
    keyId,
    provider,
    model,
    serviceTier,
    region,
    cost.source,
    hasTokens,
    tags,
  ])
}

function toDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS) * DAY_MS
}

/** Twice: once as a key, once in the record. */
function toBytes(words: string): number {
  return ROW_BYTES + 2 * words.length
}

function* toPieces(
  sums: readonly DailySum[],
  context: ExportContext,
): Generator<readonly FocusRow[]> {
  const ordered = sums.toSorted((one, other) => one.dayMs - other.dayMs)
  for (let at = 0; at < ordered.length; at += PIECE_ROWS) {
    yield ordered.slice(at, at + PIECE_ROWS).map((sum) => toDailyRow(sum, context))
  }
}

function toDailyRow(sum: DailySum, context: ExportContext): FocusRow {
  const { dayMs, first, requests, tokens, market } = sum
  const row = toFocusRow(first, context)
  assert(row !== null, 'a denied call is in a daily sum')
  const count = tokens === null ? 0 : totalTokens(tokens)
  const billed = formatMoney(sum.billed)
  return {
    ...row,
    BilledCost: billed,
    EffectiveCost: billed,
    ContractedCost: billed,
    ListCost: formatMoney(sum.list),
    PricingQuantity: requests,
    ChargeDescription: describe(sum, count),
    ChargePeriodStart: toSecond(dayMs),
    ChargePeriodEnd: toSecond(dayMs + DAY_MS),
    ConsumedQuantity: count > 0 ? count : requests,
    x_CacheReadTokens: tokens?.cacheRead ?? null,
    x_CacheWrite1hTokens: tokens?.cacheWrite1h ?? null,
    x_CacheWrite5mTokens: tokens?.cacheWrite5m ?? null,
    x_InputTokens: tokens?.input ?? null,
    x_MarketCost: market === null ? null : formatMoney(market),
    x_OutputTokens: tokens?.output ?? null,
    x_ReasoningTokens: tokens?.reasoning ?? null,
  }
}

function describe({ first, requests }: DailySum, tokens: number): string {
  const { event, cost } = first
  const what = [event.model ?? 'no model', requests === 1 ? '1 call' : `${requests} calls`]
  if (tokens > 0) what.push(`${tokens} tokens`)
  if (cost.source === 'unpriced') what.push('cost not known')
  return what.join(', ')
}
