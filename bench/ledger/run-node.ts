// A node that stores batches in PostgreSQL, or calls in ClickHouse beside it, in a process of its
// own. Calls are made outside of what is measured.

import type { UsageEvent } from '../../src/core/usage-event.ts'
import { openPostgresLedger } from '../../src/store/ledger/postgres/store.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { openClickhouseRecords } from '../../src/store/usage/clickhouse/open-records.ts'
import { answerParent } from '../../test/fakes/servers/child.ts'
import { createCalls } from '../harness/company.ts'
import type { CallOptions } from '../harness/company.ts'

export interface ToNode extends Omit<CallOptions, 'count'> {
  readonly url: string
  /** The ClickHouse of the calls, if they are in one. */
  readonly callsUrl: string | null
  readonly node: number
  readonly size: number
  readonly batches: number
}

export interface FromNode {
  readonly cpuMicros: number
}

const COST = { amount: 4_500_000_000n, source: 'price-book', priceVersion: 'test' } as const
let store: LedgerStore | null = null
let stored = 0

answerParent(async ({ url, callsUrl, node, ...plan }: ToNode): Promise<FromNode> => {
  const owner = { node: `node-${node}`, journal: 'a' }
  const inClickhouse = callsUrl === null ? {} : { openRecords: openClickhouseRecords(callsUrl) }
  store ??= await openPostgresLedger({ url, owner, ...inClickhouse })
  const calls = createCalls({ count: plan.batches * plan.size, ...plan })
  let cpuMicros = 0
  for (let batch = 0; batch < plan.batches; batch += 1) {
    const records = Array.from({ length: plan.size }, () => {
      const event = calls.next().value as UsageEvent
      return { event, cost: COST }
    })
    stored += plan.size
    const cursor = { worker: 'w0', segment: 1, offset: stored, sequence: stored, forwarded: stored }
    const before = process.cpuUsage()
    await store.writeBatch({
      records,
      cursors: [cursor],
      opened: [],
      settledIds: [],
      counted: [],
      prices: [],
      forwarded: plan.size,
      dead: 0,
    })
    const { user, system } = process.cpuUsage(before)
    cpuMicros += user + system
  }
  return { cpuMicros }
})
