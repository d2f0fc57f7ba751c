// Writes the company's past into a usage store, by the store's own writes and at the prices of the
// real price book. Must stay true: a call is written once, however often this is run, and every
// call is counted as forwarded once.

import type { UsageEvent } from '../src/core/usage-event.ts'
import type { StoredPrice, UsageRecord } from '../src/core/usage-record.ts'
import { priceUse } from '../src/pricing/tables/price.ts'
import type { PriceTables } from '../src/pricing/tables/price-tables.ts'
import { toStoredPrice } from '../src/pricing/tables/price-sheet.ts'
import type { LedgerStore } from '../src/store/ledger/ledger-store.ts'
import { DAY_MS, drawDay } from './draw-day.ts'
import type { HistoryPlan } from './draw-day.ts'

export interface FillOptions {
  readonly plan: HistoryPlan
  readonly store: Pick<LedgerStore, 'writeBatch' | 'usage'>
  readonly priceTables: PriceTables
  /** Calls that ended before it were made by an earlier run; a few days too early does no harm. */
  readonly fromMs: number
  readonly untilMs: number
  /** Ends it with an error; what is written stays, and the next run continues from there. */
  readonly signal: AbortSignal
  readonly onProgress: (progress: FillProgress) => void
}

export interface FillProgress {
  readonly written: number
  /** From 0 to 1. */
  readonly done: number
}

const BATCH_RECORDS = 10_000
const NOTHING = { cursors: [], opened: [], settledIds: [], counted: [], dead: 0 } as const

/** Returns how many calls are new. */
export async function fillHistory(options: FillOptions): Promise<number> {
  const { plan, store, fromMs, untilMs, onProgress } = options
  const first = Math.max(plan.firstDay, Math.floor(fromMs / DAY_MS))
  const last = Math.floor(untilMs / DAY_MS)
  const price = createPricing(options.priceTables)
  let written = 0
  let batch: UsageRecord[] = []
  for (let day = first; day <= last; day += 1) {
    const events = drawDay(plan, day).filter(({ endedAt }) => endedAt < untilMs)
    for (const event of await leaveOutStored(events, store)) batch.push(price.toRecord(event))
    if (batch.length < BATCH_RECORDS && day < last) continue
    const forwarded = batch.filter(({ event }) => event.status !== 'denied').length
    await store.writeBatch({ ...NOTHING, records: batch, prices: price.takeNew(), forwarded })
    written += batch.length
    batch = []
    onProgress({ written, done: (day - first + 1) / (last - first + 1) })
    // Lets a signal be handled.
    await new Promise(setImmediate)
    options.signal.throwIfAborted()
  }
  return written
}

/** Days are written whole, but for the one on which an earlier run came to its end. */
async function leaveOutStored(
  events: readonly UsageEvent[],
  store: FillOptions['store'],
): Promise<readonly UsageEvent[]> {
  const [first] = events
  if (first === undefined || (await store.usage.readRecord(first.id)) === null) return events
  const isNew = await Promise.all(
    events.map(async ({ id }) => (await store.usage.readRecord(id)) === null),
  )
  return events.filter((_, index) => isNew[index])
}

interface Pricing {
  toRecord(event: UsageEvent): UsageRecord
  /** Prices that were used since the last call, each once. */
  takeNew(): readonly StoredPrice[]
}

function createPricing(priceTables: PriceTables): Pricing {
  const stored = new Set<string>()
  let fresh: StoredPrice[] = []
  return {
    toRecord(drawn) {
      const event = stateCost(drawn, priceTables)
      const { cost, entries } = priceUse(event, priceTables)
      for (const entry of entries) {
        if (stored.has(entry.version)) continue
        stored.add(entry.version)
        fresh.push(toStoredPrice(entry))
      }
      return { event, cost }
    },
    takeNew() {
      const taken = fresh
      fresh = []
      return taken
    },
  }
}

/**
 * The gateway states what it charges: the list price, or nothing where the caller brought their own
 * provider key.
 */
function stateCost(event: UsageEvent, priceTables: PriceTables): UsageEvent {
  const { billing, model } = event
  if (billing === null || model === null) return event
  const [maker = '', name = ''] = model.split('/')
  const { cost } = priceUse({ ...event, provider: maker, model: name, billing: null }, priceTables)
  const charged = billing.isByok === true ? 0n : cost.amount
  return { ...event, billing: { ...billing, cost: charged, marketCost: cost.amount } }
}
