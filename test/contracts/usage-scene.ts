// Calls, questions and the place of a store, for the suites that specify the usage store.

import { test } from 'node:test'
import { createRequestId } from '../../src/core/ids.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import { toInterruptedEvent } from '../../src/core/usage-event.ts'
import type { CallOpening, UsageEvent } from '../../src/core/usage-event.ts'
import type { Cost, UsageRecord } from '../../src/core/usage-record.ts'
import type { Period, UsageGrouping, UsageSum } from '../../src/store/usage/usage-store.ts'
import type { LedgerOwner } from '../../src/store/ledger/ledger-owner.ts'
import type { LedgerStore, UsageBatch } from '../../src/store/ledger/ledger-store.ts'

/** A place in which the store keeps its data: it can be opened again, as after a restart. */
export interface UsageStoreLocation {
  /** Left out: the same owner each time. */
  open(owner?: LedgerOwner): Promise<LedgerStore>
  remove(): Promise<void>
}

export const NOON = Date.parse('2026-10-15T12:00:00Z')
export const OCTOBER: Period = { grain: 'month', from: '2026-10', to: '2026-10' }
export const EMPTY: UsageBatch = {
  records: [],
  cursors: [],
  opened: [],
  settledIds: [],
  counted: [],
  prices: [],
  forwarded: 0,
  dead: 0,
}

export const MONTHS: Period = { grain: 'month', from: '2026-09', to: '2026-11' }
export const DAYS: Period = { grain: 'day', from: '2026-09-01', to: '2026-11-30' }

export function createOpening(changes: Partial<CallOpening> = {}): CallOpening {
  return {
    version: 1,
    id: createRequestId(NOON),
    keyId: 'svc_k_aaaaaaaaaaaaaaaa',
    provider: 'north',
    operation: 'chat',
    dims: {},
    startedAt: NOON - 1000,
    ...changes,
  }
}

export function createRecord(
  changes: Partial<UsageEvent> = {},
  cost: Partial<Cost> = {},
): UsageRecord {
  const event: UsageEvent = {
    ...toInterruptedEvent(createOpening(), NOON),
    status: 'delivered',
    usage: 'reported',
    model: 'model-1',
    tokens: createTokenCounts({ input: 10, output: 5 }),
    ...changes,
  }
  const priced: Cost = { amount: 1000n, source: 'price-book', priceVersion: 'test' }
  return { event, cost: { ...priced, ...cost } }
}

export function batchOf(...records: readonly UsageRecord[]): UsageBatch {
  return { ...EMPTY, records }
}

/** Answers are unordered; tests compare them by label. */
export async function ask(
  store: LedgerStore,
  grouping: UsageGrouping,
  options: { period?: Period; keyId?: string | null; largest?: number } = {},
): Promise<readonly UsageSum[]> {
  const { period = OCTOBER, keyId = null, ...cut } = options
  const sums = await store.usage.sum({ period, grouping, keyId, ...cut })
  const name = (sum: UsageSum): string => [sum.bucket, sum.label, sum.model].join(' ')
  return sums.toSorted((left, right) => (name(left) < name(right) ? -1 : 1))
}

export async function total(
  store: LedgerStore,
  period: Period = OCTOBER,
): Promise<UsageSum | undefined> {
  return (await ask(store, { by: 'total' }, { period }))[0]
}

export function labels(sums: readonly UsageSum[]): readonly (readonly [string | null, bigint])[] {
  return sums.map((sum) => [sum.label, sum.cost])
}

export async function everyAnswer(store: LedgerStore): Promise<readonly (readonly UsageSum[])[]> {
  const answers: (readonly UsageSum[])[] = []
  for (const by of ['total', 'provider', 'api_key', 'bucket', 'bucket_provider'] as const) {
    answers.push(await ask(store, { by }), await ask(store, { by }, { period: DAYS }))
  }
  answers.push(await ask(store, { by: 'model' }))
  answers.push(await ask(store, { by: 'dim', dimKey: 'team' }))
  answers.push(await ask(store, { by: 'dim_model', dimKey: 'team' }))
  answers.push(await ask(store, { by: 'usage' }), await ask(store, { by: 'dim_key' }))
  return answers
}

/** A test with an empty store of its own. */
export function createStoreTest(createPlace: () => Promise<UsageStoreLocation>) {
  return (title: string, run: (store: LedgerStore) => Promise<void>): void => {
    test(title, async () => {
      const place = await createPlace()
      const store = await place.open()
      try {
        await run(store)
      } finally {
        await store.close()
        await place.remove()
      }
    })
  }
}

/** In words: damage of the store's files, else sums that are not those of their records. */
export async function findFaults({
  usage,
}: Pick<LedgerStore, 'usage'>): Promise<readonly string[]> {
  const damage = await usage.upkeep.findDamage()
  if (damage.length > 0) return damage
  return (await usage.upkeep.rebuildRollups({ isTrial: true })).examples
}
