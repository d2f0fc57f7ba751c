// What every request log must do beyond listing: sort its calls, and say what they come to. Part of
// the usage store's contract.

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { ALL_REQUESTS } from '../../src/store/usage/request-log.ts'
import type {
  RequestFilter,
  RequestLog,
  RequestOrder,
  SortCursor,
} from '../../src/store/usage/request-log.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { createRequestSamples, filterSamples } from '../fakes/callers/request-samples.ts'
import { createCall } from './request-log-contract.ts'
import { batchOf, createStoreTest, NOON } from './usage-scene.ts'
import { byForm } from '../long-form.ts'
import type { UsageStoreLocation } from './usage-scene.ts'

const SAMPLES = createRequestSamples(200)
const FROM = SAMPLES[60]?.event.endedAt ?? 0
const FILTERS: readonly Partial<RequestFilter>[] = [
  {},
  { status: ['delivered', 'denied', 'cut'] },
  { endedFromMs: FROM, endedToMs: FROM + 1_500_000 },
  { model: 'maker*', source: ['unpriced', 'gateway', 'free'] },
  { provider: 'nobody' },
]

const ORDERS: readonly RequestOrder[] = (['time', 'cost', 'duration'] as const).flatMap((by) => [
  { by, isAscending: false },
  { by, isAscending: true },
])

/** The ids of all pages. */
export async function sortAll(
  log: RequestLog,
  filter: Partial<RequestFilter>,
  { order, rowsMax }: { readonly order: RequestOrder; readonly rowsMax: number },
): Promise<readonly string[]> {
  const ids: string[] = []
  let after: SortCursor | null = null
  do {
    const asked = { order, after, rowsMax }
    const page = await log.listSorted({ ...ALL_REQUESTS, ...filter }, asked)
    assert.ok(page.kind === 'page')
    assert.ok(page.records.length <= rowsMax)
    ids.push(...page.records.map(({ event }) => event.id))
    after = page.next
  } while (after !== null)
  return ids
}

/** As plainly as can be. */
function sortPlainly(
  records: readonly UsageRecord[],
  { by, isAscending }: RequestOrder,
): readonly string[] {
  const toKey = ({ event, cost }: UsageRecord): number => {
    if (by === 'time') return 0
    if (by === 'duration') return Math.max(0, event.endedAt - event.startedAt)
    if (cost.amount === null) return isAscending ? Infinity : -Infinity
    return Number(cost.amount)
  }
  const sign = isAscending ? 1 : -1
  return records
    .toSorted((one, other) => {
      const [left, right] = [toKey(one), toKey(other)]
      if (left !== right) return left < right ? -sign : sign
      return one.event.id < other.event.id ? -sign : sign
    })
    .map(({ event }) => event.id)
}

export function requestOrderContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: the request log in another order`, () => {
    storeTest('has every call once, whatever the pages', async (store) => {
      const { usage } = store
      await store.writeBatch(batchOf(...SAMPLES))
      for (const filter of FILTERS) {
        const records = filterSamples(SAMPLES, { ...ALL_REQUESTS, ...filter })
        for (const order of ORDERS) {
          for (const rowsMax of byForm([23], [23, 1000])) {
            const found = await sortAll(usage.requests, filter, { order, rowsMax })
            assert.deepEqual(found, sortPlainly(records, order), JSON.stringify(order))
          }
        }
      }
    })

    storeTest('sorts costs of any size, those not known last', async (store) => {
      const { usage } = store
      const amounts = [5n, null, -(10n ** 22n), 10n ** 23n, 0n, 2n ** 62n, -3n, 10n ** 22n]
      const records = amounts.map((amount, at) => createCall(NOON + at, {}, { amount }))
      await store.writeBatch(batchOf(...records))
      for (const [isAscending, places] of [
        [false, [3, 7, 5, 0, 4, 6, 2, 1]],
        [true, [2, 6, 4, 0, 5, 7, 3, 1]],
      ] as const) {
        const order = { by: 'cost', isAscending } as const
        const found = await sortAll(usage.requests, {}, { order, rowsMax: 1 })
        assert.deepEqual(
          found,
          places.map((place) => records[place]?.event.id),
        )
      }
    })

    storeTest('goes on behind a call whose cost has changed', async (store) => {
      const { usage } = store
      const records = [9n, 8n, 7n, 6n].map((amount, at) => createCall(NOON + at, {}, { amount }))
      await store.writeBatch(batchOf(...records))
      const order = { by: 'cost', isAscending: false } as const
      const asked = { order, after: null, rowsMax: 2 }
      const first = await usage.requests.listSorted(ALL_REQUESTS, asked)
      assert.ok(first.kind === 'page')
      const [, second] = records as [UsageRecord, UsageRecord]
      const line = { repricing: null, at: NOON, who: 'me', what: 'all', prices: [] }
      const { event, cost: before } = second
      const changes = [{ id: event.id, before, after: { ...before, amount: 1n } }]
      await usage.upkeep.changeCosts(changes, line)
      const rest = await usage.requests.listSorted(ALL_REQUESTS, { ...asked, after: first.next })
      assert.ok(rest.kind === 'page')
      const ids = rest.records.map((record) => record.event.id)
      assert.deepEqual(ids.slice(0, 2), [records[2]?.event.id, records[3]?.event.id])
    })
  })

  suite(`${name}: what the calls of the request log come to`, () => {
    storeTest('is what they are, added up', async (store) => {
      const { usage } = store
      await store.writeBatch(batchOf(...SAMPLES))
      for (const filter of FILTERS) {
        const records = filterSamples(SAMPLES, { ...ALL_REQUESTS, ...filter })
        const counted = records.filter(({ event }) => event.status !== 'denied')
        assert.deepEqual(await usage.requests.summarize({ ...ALL_REQUESTS, ...filter }), {
          calls: records.length,
          denied: records.length - counted.length,
          cost: counted.reduce((sum, { cost }) => sum + (cost.amount ?? 0n), 0n),
          unpriced: counted.filter(({ cost }) => cost.amount === null).length,
          isComplete: true,
        })
      }
    })

    storeTest('is exact, however large', async (store) => {
      const { usage } = store
      const amounts = [2n ** 63n - 1n, 2n ** 63n - 1n, 10n ** 24n, -(10n ** 20n), -7n, null]
      await store.writeBatch(batchOf(...amounts.map((amount) => createCall(NOON, {}, { amount }))))
      const { cost, unpriced, calls } = await usage.requests.summarize(ALL_REQUESTS)
      // 2 × 9223372036854775807 + 1000000000000000000000000 − 100000000000000000000 − 7
      assert.equal(cost, 999_918_446_744_073_709_551_607n)
      assert.deepEqual([calls, unpriced], [6, 1])
    })
  })
}
