// Parts sum to the whole, whatever comes in whatever order and whatever is done to costs
// afterwards: checked against a plain addition of the records. Part of the usage store's contract.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Cost, UsageRecord } from '../../../src/core/usage-record.ts'
import type { UsageGrouping, UsageSum } from '../../../src/store/usage/usage-store.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import { createCall } from '../request-log-contract.ts'
import { ask, batchOf, DAYS, MONTHS, NOON } from '../usage-scene.ts'
import { byForm } from '../../long-form.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const DAY_MS = 86_400_000

export function usageFiguresContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  async function inStore(run: (store: LedgerStore) => Promise<void>): Promise<void> {
    const place = await createPlace()
    const store = await place.open()
    try {
      await run(store)
    } finally {
      await store.close()
      await place.remove()
    }
  }

  suite(`${name}: figures of random calls`, () => {
    test('every breakdown adds up to the records, whatever their order and batches', async () => {
      const history = fc.array(CALL, { maxLength: 24 }).chain((calls) =>
        fc.record({
          calls: fc.constant(calls),
          shuffled: fc.shuffledSubarray(calls, { minLength: calls.length }),
          batchSize: fc.integer({ min: 1, max: 25 }),
        }),
      )
      await fc.assert(
        fc.asyncProperty(history, async ({ calls, shuffled, batchSize }) => {
          await inStore(async (store) => {
            for (let at = 0; at < shuffled.length; at += batchSize) {
              await store.writeBatch(batchOf(...shuffled.slice(at, at + batchSize)))
            }
            await assertFigures(store, calls)
          })
        }),
        { numRuns: byForm(3, 20), endOnFailure: true },
      )
    })

    test('costs that change take every figure along, and rebuilding changes nothing', async () => {
      const history = fc.record({
        calls: fc.array(CALL, { minLength: 1, maxLength: 16 }),
        steps: fc.array(fc.array(fc.record({ at: fc.nat(), cost: COST }), { maxLength: 6 }), {
          maxLength: 4,
        }),
      })
      await fc.assert(
        fc.asyncProperty(history, async ({ calls, steps }) => {
          await inStore(async (store) => {
            await store.writeBatch(batchOf(...calls))
            const records = [...calls]
            for (const step of steps) await changeCosts(store, records, step)
            await assertFigures(store, records)
            const report = await store.usage.upkeep.rebuildRollups({ isTrial: false })
            assert.deepEqual([report.rowsChanged, report.examples], [0, []])
            await assertFigures(store, records)
          })
        }),
        { numRuns: byForm(3, 20), endOnFailure: true },
      )
    })
  })
}

const COST: fc.Arbitrary<Cost> = fc
  .oneof(
    fc.constant(null),
    fc.bigInt({ min: 0n, max: 10n ** 13n }),
    fc.bigInt({ min: -(10n ** 13n), max: 2n ** 66n }),
  )
  .map((amount) => ({
    amount,
    source: amount === null ? 'unpriced' : 'price-book',
    priceVersion: amount === null ? null : 'v1',
  }))

const CALL: fc.Arbitrary<UsageRecord> = fc
  .record({
    event: fc.record({
      keyId: fc.constantFrom('svc_k_one', 'svc_k_two', null),
      provider: fc.constantFrom('north', 'south'),
      model: fc.constantFrom('small', 'large', null),
      status: fc.constantFrom('delivered', 'aborted', 'interrupted', 'denied'),
      dims: fc.constantFrom({}, { team: 'a' }, { team: 'b', app: 'x' }, { app: 'a' }),
      usage: fc.constantFrom('reported', 'partial', 'estimated', 'none'),
    }),
    startedAt: fc.integer({ min: NOON - 20 * DAY_MS, max: NOON + 20 * DAY_MS }),
    cost: COST,
  })
  .map(({ event, startedAt, cost }) => createCall(startedAt, event, cost))

interface RandomChange {
  readonly at: number
  readonly cost: Cost
}

async function changeCosts(
  store: LedgerStore,
  records: UsageRecord[],
  step: readonly RandomChange[],
): Promise<void> {
  const changes = step.map(({ at, cost: after }) => {
    const place = at % records.length
    const { event, cost: before } = records[place] as UsageRecord
    records[place] = { event, cost: after }
    return { id: event.id, before, after }
  })
  const line = { repricing: null, at: NOON, who: 'me', what: 'random', prices: [] }
  const { records: changed } = await store.usage.upkeep.changeCosts(changes, line)
  assert.equal(changed, changes.length)
}

/** A label of the grouping for each record it counts; null for none. */
const BREAKDOWNS: readonly (readonly [UsageGrouping, (record: UsageRecord) => string | null])[] = [
  [{ by: 'total' }, () => ''],
  [{ by: 'provider' }, ({ event }) => event.provider],
  [{ by: 'api_key' }, ({ event }) => event.keyId],
  [{ by: 'model' }, ({ event }) => event.model ?? ''],
  [{ by: 'dim', dimKey: 'team' }, ({ event }) => event.dims['team'] ?? null],
  [{ by: 'dim', dimKey: 'app' }, ({ event }) => event.dims['app'] ?? null],
  [{ by: 'usage' }, ({ event }) => event.usage],
]

async function assertFigures(store: LedgerStore, records: readonly UsageRecord[]): Promise<void> {
  const counted = records.filter(({ event }) => event.status !== 'denied')
  for (const [grouping, labelOf] of BREAKDOWNS) {
    const sums = await ask(store, grouping, { period: MONTHS })
    assert.deepEqual(toFigures(sums, toLabel), addUp(counted, labelOf))
  }
  const dims = toFigures(await ask(store, { by: 'dim_key' }, { period: MONTHS }), toLabel)
  for (const dim of ['team', 'app']) {
    const carried = addUp(counted, ({ event }) => (dim in event.dims ? dim : null))
    assert.deepEqual(dims[dim], carried[dim])
  }
  const days = await ask(store, { by: 'bucket' }, { period: DAYS })
  const toDay = ({ event }: UsageRecord): string =>
    new Date(event.endedAt).toISOString().slice(0, 10)
  assert.deepEqual(
    toFigures(days, ({ bucket }) => bucket ?? ''),
    addUp(counted, toDay),
  )
}

function toLabel({ label }: UsageSum): string {
  return label ?? ''
}

type Figures = Readonly<Record<string, readonly [bigint, number, number, number]>>

function toFigures(sums: readonly UsageSum[], labelOf: (sum: UsageSum) => string): Figures {
  return Object.fromEntries(
    sums.map((sum) => [labelOf(sum), [sum.cost, sum.requests, sum.tokens, sum.unpriced]]),
  )
}

function addUp(
  records: readonly UsageRecord[],
  labelOf: (record: UsageRecord) => string | null,
): Figures {
  const figures: Record<string, [bigint, number, number, number]> = {}
  for (const record of records) {
    const label = labelOf(record)
    if (label === null) continue
    const { amount } = record.cost
    const [cost, requests, tokens, unpriced] = figures[label] ?? [0n, 0, 0, 0]
    const gaps = unpriced + (amount === null ? 1 : 0)
    figures[label] = [cost + (amount ?? 0n), requests + 1, tokens + 15, gaps]
  }
  return figures
}
