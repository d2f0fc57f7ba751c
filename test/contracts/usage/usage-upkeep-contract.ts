// What the upkeep of every usage store must do, whatever its engine. Part of the usage store's
// contract.

import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { createRequestId } from '../../../src/core/ids.ts'
import type { Cost, UsageRecord } from '../../../src/core/usage-record.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import type { CostChange, UnpricedModel } from '../../../src/store/usage/usage-upkeep.ts'
import { ALL_REQUESTS } from '../../../src/store/usage/request-log.ts'
import { createCall } from '../request-log-contract.ts'
import { analysisContract } from './analysis-contract.ts'
import { sessionSumsContract } from './session-sums-contract.ts'
import { teamBookingContract } from './team-booking-contract.ts'
import { usageFiguresContract } from './usage-figures-contract.ts'
import {
  batchOf,
  createStoreTest,
  everyAnswer,
  findFaults,
  NOON,
  OCTOBER,
  total,
} from '../usage-scene.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

const DAY_MS = 86_400_000
const TODAY = NOON - (NOON % DAY_MS)
const UNPRICED: Cost = { amount: null, source: 'unpriced', priceVersion: null }
const LINE = { repricing: null, at: NOON, who: 'me', what: 'all of it', prices: [] }

export function usageUpkeepContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
  /** All old records of a month go in one step, however many. */
  { removesAtOnce = false }: { readonly removesAtOnce?: boolean } = {},
): void {
  const storeTest = createStoreTest(createPlace)
  usageFiguresContract(name, createPlace)
  analysisContract(name, createPlace)
  sessionSumsContract(name, createPlace)
  teamBookingContract(name, createPlace)

  suite(`${name}: old records`, () => {
    storeTest('go by day, their sums stay', async (store) => {
      const old = [createCall(TODAY - DAY_MS), createCall(TODAY - 5000)]
      const kept = [createCall(TODAY - 500), createCall(NOON)]
      await store.writeBatch(batchOf(...old, ...kept))
      const before = await everyAnswer(store)
      assert.equal(await store.usage.upkeep.removeRecords(TODAY, 100), 2)
      assert.equal(await store.usage.upkeep.removeRecords(TODAY, 100), 0)
      assert.deepEqual(await readAll(store), kept)
      assert.deepEqual(await everyAnswer(store), before)
    })

    storeTest('go as many at a time as was said', async (store) => {
      const records = [1, 2, 3, 4, 5].map((days) => createCall(TODAY - days * DAY_MS))
      await store.writeBatch(batchOf(...records))
      const removed = []
      for (let step = 0; step < 4; step += 1)
        removed.push(await store.usage.upkeep.removeRecords(TODAY, 2))
      assert.deepEqual(removed, removesAtOnce ? [5, 0, 0, 0] : [2, 2, 1, 0])
    })

    storeTest('stay while they ended later than they began by days', async (store) => {
      const id = createRequestId(TODAY - 3 * DAY_MS)
      await store.writeBatch(batchOf(createCall(TODAY - 3 * DAY_MS, { id, endedAt: TODAY })))
      assert.equal(await store.usage.upkeep.removeRecords(TODAY, 100), 0)
    })

    storeTest('are part of their sums after these were rebuilt', async (store) => {
      const days = [-20, -10, -1, 0, 1, 20, 40]
      await store.writeBatch(batchOf(...days.map((day) => createCall(NOON + day * DAY_MS))))
      await store.usage.upkeep.removeRecords(TODAY, 100)
      const before = await everyAnswer(store)
      const report = await store.usage.upkeep.rebuildRollups({ isTrial: false })
      assert.deepEqual(await everyAnswer(store), before)
      assert.deepEqual(
        [report.records, report.rowsChanged, report.rebuiltFrom],
        [4, 0, new Date(TODAY).toISOString().slice(0, 10)],
      )
      assert.deepEqual(await findFaults(store), [])
    })
  })

  suite(`${name}: rebuilding`, () => {
    storeTest('finds nothing to change in a sound store, and says how far it is', async (store) => {
      await store.writeBatch(batchOf(createCall(NOON), createCall(NOON, { dims: { team: 'a' } })))
      const before = await everyAnswer(store)
      const progress: number[] = []
      for (const isTrial of [true, false]) {
        const onProgress = (records: number): unknown => progress.push(records)
        const report = await store.usage.upkeep.rebuildRollups({ isTrial, onProgress })
        const { records, rowsChanged, examples, rebuiltFrom } = report
        assert.deepEqual([records, rowsChanged, examples, rebuiltFrom], [2, 0, [], null])
        assert.equal(report.rowsAfter, report.rowsBefore)
      }
      assert.deepEqual(progress, [2, 2])
      assert.deepEqual(await everyAnswer(store), before)
      assert.deepEqual(await findFaults(store), [])
    })

    storeTest('of an empty store is nothing', async (store) => {
      const report = await store.usage.upkeep.rebuildRollups({ isTrial: false })
      assert.deepEqual([report.records, report.rowsBefore, report.rowsAfter], [0, 0, 0])
      assert.deepEqual(await findFaults(store), [])
    })
  })

  suite(`${name}: models without a price`, () => {
    storeTest('are listed from the sums, largest first', async (store) => {
      const november = NOON + 25 * DAY_MS
      await store.writeBatch(
        batchOf(
          createCall(NOON, { provider: 'north', model: 'new' }, UNPRICED),
          createCall(november, { provider: 'north', model: 'new', keyId: 'svc_k_b' }, UNPRICED),
          createCall(NOON, { provider: 'south', model: null }, UNPRICED),
          createCall(NOON, { provider: 'north', model: 'known' }),
          createCall(NOON, { provider: 'south', model: null }),
          createCall(NOON, { provider: 'north', model: 'new', status: 'denied' }, UNPRICED),
        ),
      )
      const expected: UnpricedModel[] = [
        {
          provider: 'north',
          model: 'new',
          requests: 2,
          tokens: 30,
          priced: 0,
          firstMonth: '2026-10',
          lastMonth: '2026-11',
        },
        {
          provider: 'south',
          model: null,
          requests: 1,
          tokens: 30,
          priced: 1,
          firstMonth: '2026-10',
          lastMonth: '2026-10',
        },
      ]
      assert.deepEqual(await store.usage.upkeep.listUnpriced(), expected)
    })

    storeTest('are none when every cost is known', async (store) => {
      await store.writeBatch(batchOf(createCall(NOON)))
      assert.deepEqual(await store.usage.upkeep.listUnpriced(), [])
    })
  })

  suite(`${name}: changing costs`, () => {
    storeTest('moves the record, its sums and the audit line together', async (store) => {
      const calls = [
        createCall(NOON, { dims: { team: 'a' } }, UNPRICED),
        createCall(NOON, {}, { amount: 999_999_999_999n }),
      ]
      await store.writeBatch(batchOf(...calls))
      const prices = [{ version: 'own', sheet: '{}' }]
      const changes = calls.map((call) => toChange(call, 2n * 10n ** 12n + 3n))
      const line = await store.usage.upkeep.changeCosts(changes, { ...LINE, prices })
      assert.deepEqual(line, {
        id: line.id,
        at: NOON,
        who: 'me',
        what: 'all of it',
        records: 2,
        before: 999_999_999_999n,
        after: 4n * 10n ** 12n + 6n,
        months: [
          { month: '2026-10', records: 2, before: 999_999_999_999n, after: 4n * 10n ** 12n + 6n },
        ],
      })
      const { cost, requests, tokens, unpriced } = (await total(store)) ?? {}
      assert.deepEqual([cost, requests, tokens, unpriced], [4n * 10n ** 12n + 6n, 2, 30, 0])
      assert.deepEqual(await store.usage.requests.readPrices(['own']), prices)
      assert.deepEqual(await store.usage.upkeep.listUnpriced(), [])
      assert.equal((await store.usage.upkeep.rebuildRollups({ isTrial: true })).rowsChanged, 0)
    })

    storeTest('leaves a record alone whose cost is another by now', async (store) => {
      const call = createCall(NOON)
      await store.writeBatch(batchOf(call))
      const change = toChange(call, 5n)
      const others = [
        { ...change, before: { ...call.cost, amount: 1n } },
        { ...change, before: { ...call.cost, source: 'override' as const } },
        { ...change, before: { ...call.cost, priceVersion: null } },
        { ...change, id: createRequestId(NOON) },
        { ...change, id: 'no id' },
      ]
      const { records, before, after } = await store.usage.upkeep.changeCosts(others, LINE)
      assert.deepEqual([records, before, after], [0, 0n, 0n])
      assert.deepEqual(await store.usage.readRecord(call.event.id), call)
      // The same change twice in one step: the second finds what the first has written.
      const line = await store.usage.upkeep.changeCosts([change, change], LINE)
      assert.deepEqual([line.records, line.after], [1, 5n])
      assert.equal((await total(store))?.cost, 5n)
    })

    storeTest('takes costs back, below zero, beyond 2^63 and to not known', async (store) => {
      const call = createCall(NOON)
      await store.writeBatch(batchOf(call))
      const amounts = [0n, -7n, 2n ** 70n, -(2n ** 70n), null, 12n]
      let cost = call.cost
      for (const amount of amounts) {
        const change = toChange({ ...call, cost }, amount)
        await store.usage.upkeep.changeCosts([change], LINE)
        cost = change.after
        assert.deepEqual((await store.usage.readRecord(call.event.id))?.cost, cost)
        const sum = await total(store)
        assert.deepEqual([sum?.cost, sum?.unpriced], [amount ?? 0n, amount === null ? 1 : 0])
      }
    })

    storeTest('goes on with an audit line, and lists them newest first', async (store) => {
      const calls = [createCall(NOON), createCall(NOON), createCall(NOON)]
      await store.writeBatch(batchOf(...calls))
      const [one, two, three] = calls.map((call) => toChange(call, 2n)) as [
        CostChange,
        CostChange,
        CostChange,
      ]
      const first = await store.usage.upkeep.changeCosts([one], LINE)
      const second = await store.usage.upkeep.changeCosts([two], { ...LINE, who: 'another' })
      const grown = await store.usage.upkeep.changeCosts([three], { ...LINE, repricing: first.id })
      const sums = { records: 2, before: 2000n, after: 4n }
      assert.deepEqual(grown, { ...first, ...sums, months: [{ month: '2026-10', ...sums }] })
      assert.deepEqual(await store.usage.upkeep.listRepricings(10), [second, grown])
      assert.deepEqual(await store.usage.upkeep.listRepricings(1), [second])
      const unknown = { ...LINE, repricing: 99 }
      await assert.rejects(store.usage.upkeep.changeCosts([], unknown), { code: 'not_found' })
    })

    storeTest(
      'keeps what it changed of each month, with the sums of that moment',
      async (store) => {
        const november = Date.parse('2026-11-03T00:00:00.000Z')
        const [one, two, three, other] = [
          createCall(NOON, {}, { amount: 10n ** 12n }),
          createCall(NOON, {}, UNPRICED),
          createCall(november, {}, { amount: 5n }),
          createCall(november + 40 * DAY_MS),
        ] as const
        await store.writeBatch(batchOf(one, two, three, other))
        const line = { ...LINE, at: november }
        const first = await store.usage.upkeep.changeCosts([toChange(one, 7n)], line)
        const steps = [toChange(two, 30n), toChange(three, 25n)]
        await store.usage.upkeep.changeCosts(steps, { ...line, repricing: first.id })
        const later = { ...toChange(one, 9n), before: toChange(one, 7n).after }
        await store.usage.upkeep.changeCosts([later], { ...LINE, at: november + DAY_MS })
        const period = { grain: 'month', from: '2026-09', to: '2026-12' } as const
        const {
          sums: [repriced, sums],
        } = await store.usage.readSnapshot({
          questions: [
            { period, grouping: { by: 'repriced' }, keyId: null },
            { period, grouping: { by: 'bucket' }, keyId: null },
          ],
          spans: [],
        })
        // October: 7 - 1e12 + 30 - 0, then 9 - 7; November: 25 - 5; December was left alone.
        assert.deepEqual(
          repriced?.map(({ bucket, label, cost, requests }) => [bucket, label, cost, requests]),
          [
            ['2026-10', '2026-11-04T00:00:00.000Z', 39n - 10n ** 12n, 3],
            ['2026-11', '2026-11-03T00:00:00.000Z', 20n, 1],
          ],
        )
        const costs = new Map(sums?.map(({ bucket, cost }) => [bucket, cost]))
        assert.deepEqual([costs.get('2026-10'), costs.get('2026-11')], [39n, 25n])
        const ask = { grouping: { by: 'repriced' }, keyId: null } as const
        const empty = { grain: 'month', from: '2026-12', to: '2026-12' } as const
        assert.deepEqual(await store.usage.sum({ ...ask, period: empty }), [])
        const days = { grain: 'day', from: '2026-10-01', to: '2026-10-31' } as const
        await assert.rejects(store.usage.sum({ ...ask, period: days }), {
          code: 'invalid_parameter',
        })
      },
    )

    storeTest('changes nothing of a step that fails', async (store) => {
      const call = createCall(NOON)
      await store.writeBatch(batchOf(call))
      const broken = { ...toChange(call, 3n), after: { ...UNPRICED, amount: 3n } }
      await assert.rejects(store.usage.upkeep.changeCosts([toChange(call, 3n), broken], LINE))
      assert.deepEqual(await store.usage.readRecord(call.event.id), call)
      assert.deepEqual(await store.usage.upkeep.listRepricings(10), [])
      assert.equal((await total(store, OCTOBER))?.cost, 1000n)
    })
  })

  suite(`${name}: reading records`, () => {
    storeTest('goes oldest first, page by page, and ends with an empty one', async (store) => {
      const calls = [0, 1, 2, 3, 4].map((at) =>
        createCall(NOON + at, { provider: at % 2 === 0 ? 'north' : 'south' }),
      )
      await store.writeBatch(batchOf(...calls.toReversed()))
      assert.deepEqual(await readAll(store), calls)
      const north = await readAll(store, { provider: 'north' })
      assert.deepEqual(north, [calls[0], calls[2], calls[4]])
      assert.deepEqual(
        await readAll(store, { fromMs: NOON + 1, toMs: NOON + 3 }),
        calls.slice(1, 3),
      )
    })
  })
}

function toChange({ event, cost }: UsageRecord, amount: bigint | null): CostChange {
  const priced = { amount, source: 'override', priceVersion: 'own' } as const
  return { id: event.id, before: cost, after: amount === null ? UNPRICED : priced }
}

async function readAll(
  store: LedgerStore,
  filter: Partial<typeof ALL_REQUESTS> = {},
): Promise<readonly UsageRecord[]> {
  const found: UsageRecord[] = []
  for (;;) {
    const after = found.at(-1)?.event.id ?? null
    const page = await store.usage.upkeep.readRecords(
      { ...ALL_REQUESTS, ...filter },
      { after, rowsMax: 2 },
    )
    if (page.length === 0) return found
    found.push(...page)
  }
}
