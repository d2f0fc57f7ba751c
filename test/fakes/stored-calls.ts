// Calls in the usage store of a data directory, priced as the ledger would have priced them with a
// book of its time.

import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { StoredPrice, UsageRecord } from '../../src/core/usage-record.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import type { PriceTables } from '../../src/pricing/tables/price-tables.ts'
import { priceUse } from '../../src/pricing/tables/price.ts'
import { toStoredPrice } from '../../src/pricing/tables/price-sheet.ts'
import type { UsageBatch, LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { layEmptyStore } from './sqlite/empty-stores.ts'
import { sampleEvent } from './usage-samples.ts'

/** A delivered call of 1,000 input and 500 output tokens; `endedAt` decides when it was. */
export function sampleCall(changes: Partial<UsageEvent> & { endedAt: number }): UsageEvent {
  const { endedAt, startedAt = endedAt - 1000 } = changes
  return sampleEvent({
    id: createRequestId(startedAt),
    startedAt,
    usage: 'reported',
    tokens: createTokenCounts({ input: 1000, output: 500 }),
    ...changes,
  })
}

export function toBatch(events: readonly UsageEvent[], priceTables: PriceTables): UsageBatch {
  const prices = new Map<string, StoredPrice>()
  const records = events.map((event): UsageRecord => {
    const { cost, entries } = priceUse(event, priceTables)
    for (const entry of entries) prices.set(entry.version, toStoredPrice(entry))
    return { event, cost }
  })
  return {
    records,
    cursors: [],
    opened: [],
    settledIds: [],
    counted: [],
    prices: [...prices.values()],
    forwarded: events.length,
    dead: 0,
  }
}

export async function storeCalls(
  dataDir: string,
  events: readonly UsageEvent[],
  priceTables: PriceTables = createPriceTables(),
): Promise<void> {
  await withUsage(dataDir, (store) => store.writeBatch(toBatch(events, priceTables)))
}

export async function withUsage<Result>(
  dataDir: string,
  use: (store: LedgerStore) => Promise<Result>,
): Promise<Result> {
  mkdirSync(dataDir, { recursive: true })
  await layEmptyStore('usage', path.join(dataDir, 'usage.db'))
  const clock = { now: () => 0, monotonic: () => 0 }
  const store = await openLedgerStore({ dataDir, clock })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
