// Ten million calls of a company over 24 calendar months up to now, or a tenth of them that makes
// the same rollups: of each month's calls the first of each key, user and model is kept, and the
// first of each day, key and provider. A store of either has the same rows in the rollups by month,
// so that a question reads as much. Of the rows by day a few lack where a month has not thirty.

import { createRequestId } from '../../src/core/ids.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { priceEvent } from '../../src/pricing/tables/price.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import { createCalls } from '../harness/company.ts'

export const FULL_CALLS = 10_000_000
export const MONTHS = 24
export const PROVIDERS = ['openai', 'anthropic', 'google', 'mistral', 'groq', 'xai'] as const
/** When the calls are made that all months repeat; prices of that day are used for all of them. */
const PRICED_AT_MS = Date.parse('2026-10-15T12:00:00Z')
const DAYS_PER_MONTH = 30

export interface TwoYearsOptions {
  readonly endMs: number
  readonly isFull: boolean
  /** Of the last so many alone, as full as they are. */
  readonly months?: number
}

/**
 * In the order of time. Every month has the same calls; the last one those that fit before its end.
 */
export function* createTwoYears({
  endMs,
  isFull,
  months = MONTHS,
}: TwoYearsOptions): Generator<UsageRecord> {
  const starts = listMonthStarts(endMs).slice(-1 - months)
  const last = starts.at(-2) as number
  const share = (endMs - last) / ((starts.at(-1) as number) - last)
  const callsPerMonth = Math.ceil(FULL_CALLS / (MONTHS - 1 + share))
  const calls = isFull ? placeAll(callsPerMonth) : thinOut(callsPerMonth)
  for (const [index, startMs] of starts.slice(0, -1).entries()) {
    const spacingMs = ((starts[index + 1] as number) - startMs) / callsPerMonth
    for (const { record, place } of calls) {
      const endedAt = startMs + Math.floor(place * spacingMs)
      if (endedAt >= endMs) return
      yield { ...record, event: moveTo(record.event, endedAt) }
    }
  }
}

/** Of the 24 months up to the moment's own, and behind them that of the next. */
export function listMonthStarts(endMs: number): readonly number[] {
  const end = new Date(endMs)
  const [year, month] = [end.getUTCFullYear(), end.getUTCMonth()]
  return Array.from({ length: MONTHS + 1 }, (_, index) =>
    Date.UTC(year, month - (MONTHS - 1) + index, 1),
  )
}

function moveTo(event: UsageEvent, endedAt: number): UsageEvent {
  const moveMs = endedAt - event.endedAt
  const startedAt = event.startedAt + moveMs
  const firstByteAt = event.firstByteAt === null ? null : event.firstByteAt + moveMs
  return { ...event, id: createRequestId(startedAt), startedAt, firstByteAt, endedAt }
}

/** Calls, each with its place among all of its month. */
function placeAll(count: number) {
  const priceTables = createPriceTables()
  const calls = createCalls({ count, from: 0, startMs: PRICED_AT_MS })
  return Array.from(calls, (event, place) => ({
    place,
    // Priced as what it was made as; the provider then goes by the model, so that there are
    // several.
    record: {
      event: { ...event, provider: providerOf(event) },
      cost: priceEvent(event, priceTables),
    },
  }))
}

function providerOf({ model }: UsageEvent): string {
  const day = Number(model?.slice(-2))
  return PROVIDERS[day % PROVIDERS.length] as string
}

/** The first calls of a kind make the rows, all later ones only add to them. */
function thinOut(count: number) {
  const seen = new Set<string>()
  const isFirst = (...words: readonly unknown[]): boolean => {
    const before = seen.size
    return seen.add(words.join(' ')).size > before
  }
  return placeAll(count).filter(({ record: { event }, place }) => {
    const day = Math.floor((place / count) * DAYS_PER_MONTH)
    const isOfDay = isFirst(event.keyId, event.provider, day)
    return isFirst(event.keyId, event.dims['user'], event.model) || isOfDay
  })
}
