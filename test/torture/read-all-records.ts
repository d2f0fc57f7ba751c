// Every record of a store, page by page.

import type { UsageRecord } from '../../src/core/usage-record.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'

const PAGE_ROWS = 1000

export async function readAllRecords(store: LedgerStore): Promise<UsageRecord[]> {
  const all: UsageRecord[] = []
  for (;;) {
    const after = all.at(-1)?.event.id ?? null
    const page = await store.usage.upkeep.readRecords(ALL_REQUESTS, { after, rowsMax: PAGE_ROWS })
    if (page.length === 0) return all
    all.push(...page)
  }
}
