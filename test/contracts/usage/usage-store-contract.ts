// What every usage store must answer when it is asked for sums. Part of the usage store's contract.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createRequestId } from '../../../src/core/ids.ts'
import { createTokenCounts } from '../../../src/core/token-counts.ts'
import { addFigures, createFigures } from '../../../src/core/usage-figures.ts'
import type { UsageRecord } from '../../../src/core/usage-record.ts'
import type { Period, UsageSum } from '../../../src/store/usage/usage-store.ts'
import type { LedgerStore } from '../../../src/store/ledger/ledger-store.ts'
import {
  ask,
  batchOf,
  createRecord,
  createStoreTest,
  DAYS,
  everyAnswer,
  labels,
  MONTHS,
  NOON,
  total,
} from '../usage-scene.ts'
import { byForm } from '../../long-form.ts'
import type { UsageStoreLocation } from '../usage-scene.ts'

export function usageStoreContract(
  name: string,
  createPlace: () => Promise<UsageStoreLocation>,
): void {
  const storeTest = createStoreTest(createPlace)

  suite(`${name}: sums`, () => {
    storeTest('answers nothing when there is nothing', async (store) => {
      for (const answer of await everyAnswer(store)) assert.deepEqual(answer, [])
    })

    storeTest('keeps denied calls as records and out of every sum', async (store) => {
      const changes = { status: 'denied', keyId: null, dims: { team: 'a' } } as const
      const denied = createRecord(changes, { amount: 0n, source: 'free', priceVersion: null })
      await store.writeBatch(batchOf(denied))
      assert.deepEqual(await store.usage.readRecord(denied.event.id), denied)
      for (const answer of await everyAnswer(store)) assert.deepEqual(answer, [])
    })

    storeTest('knows when a key was last used, whatever comes late or twice', async (store) => {
      const last = createRecord({ keyId: 'svc_k_a', startedAt: NOON + 5000 })
      const earlier = createRecord({ keyId: 'svc_k_a', startedAt: NOON })
      const denied = createRecord({ keyId: 'svc_k_b', status: 'denied', startedAt: NOON + 1 })
      await store.writeBatch(batchOf(last, denied, createRecord({ keyId: null })))
      await store.writeBatch(batchOf(earlier, last))
      const asked = ['svc_k_a', 'svc_k_b', 'svc_k_none']
      assert.deepEqual(
        await store.usage.readKeyUses(asked),
        new Map([
          ['svc_k_a', NOON + 5000],
          ['svc_k_b', NOON + 1],
        ]),
      )
    })

    storeTest('counts a call without a known cost as a gap', async (store) => {
      const unpriced = { amount: null, source: 'unpriced', priceVersion: null } as const
      await store.writeBatch(batchOf(createRecord(), createRecord({}, unpriced)))
      const { cost, requests, tokens, unpriced: gaps } = (await total(store)) as UsageSum
      assert.deepEqual(
        { cost, requests, tokens, gaps },
        { cost: 1000n, requests: 2, tokens: 30, gaps: 1 },
      )
    })

    storeTest('adds up stated market costs, and costs where none is stated', async (store) => {
      const billing = { cost: 0n, marketCost: 7n, isByok: true, generationId: null }
      const own = createRecord({ billing }, { amount: 0n, source: 'byok-zero', priceVersion: null })
      await store.writeBatch(batchOf(createRecord(), own))
      assert.equal((await total(store))?.marketCost, 1007n)
      const { rowsChanged } = await store.usage.upkeep.rebuildRollups({ isTrial: true })
      assert.equal(rowsChanged, 0)
    })

    storeTest('labels a model that is not known with null', async (store) => {
      await store.writeBatch(batchOf(createRecord({ model: null, dims: { team: 'a' } })))
      assert.deepEqual(labels(await ask(store, { by: 'model' })), [[null, 1000n]])
      const [pair] = await ask(store, { by: 'dim_model', dimKey: 'team' })
      assert.deepEqual([pair?.label, pair?.model], ['a', null])
    })

    storeTest('breaks down by provider, key and model', async (store) => {
      await store.writeBatch(batchOf(...SAMPLE))
      assert.deepEqual(labels(await ask(store, { by: 'provider' })), [
        ['north', 0b11011n],
        ['south', 0b00100n],
      ])
      assert.deepEqual(labels(await ask(store, { by: 'api_key' })), [
        ['svc_k_one', 0b00111n],
        ['svc_k_two', 0b11000n],
      ])
      assert.deepEqual(labels(await ask(store, { by: 'model' })), [
        ['large', 0b10110n],
        ['small', 0b01001n],
      ])
    })

    storeTest('breaks down by how usage is known, and by dimension alone', async (store) => {
      await store.writeBatch(
        batchOf(...SAMPLE, createRecord({ usage: 'estimated' }, { amount: 32n })),
      )
      const byUsage = await ask(store, { by: 'usage' })
      assert.deepEqual(labels(byUsage), [
        ['estimated', 32n],
        ['reported', 0b11111n],
      ])
      const byDimension = await ask(store, { by: 'dim_key' })
      const expected = SAMPLE.flatMap(({ event }) => Object.keys(event.dims))
      assert.deepEqual(
        byDimension.flatMap(({ label, requests }) => Array<string | null>(requests).fill(label)),
        expected.toSorted(),
      )
    })

    storeTest('keeps these two by month and for all keys together', async (store) => {
      for (const by of ['usage', 'dim_key'] as const) {
        for (const wrong of [{ period: DAYS }, { keyId: 'svc_k_one' }]) {
          await assert.rejects(ask(store, { by }, wrong), { code: 'invalid_parameter' })
        }
      }
    })

    storeTest('breaks down by a dimension over the calls that carry it', async (store) => {
      await store.writeBatch(batchOf(...SAMPLE))
      const byTeam = await ask(store, { by: 'dim', dimKey: 'team' })
      assert.deepEqual(labels(byTeam), [
        ['a', 0b01001n],
        ['b', 0b00010n],
      ])
      const pairs = await ask(store, { by: 'dim_model', dimKey: 'app' })
      assert.deepEqual(
        pairs.map((pair) => [pair.label, pair.model, pair.cost, pair.requests, pair.tokens]),
        [
          ['x', 'large', 0b00010n, 1, 15],
          ['x', 'small', 0b00001n, 1, 15],
        ],
      )
      assert.deepEqual(await ask(store, { by: 'dim', dimKey: 'none' }), [])
    })

    storeTest("answers for one key with that key's calls only", async (store) => {
      await store.writeBatch(batchOf(...SAMPLE))
      const keyId = 'svc_k_one'
      assert.deepEqual(labels(await ask(store, { by: 'total' }, { keyId })), [[null, 0b00111n]])
      assert.deepEqual(labels(await ask(store, { by: 'api_key' }, { keyId })), [[keyId, 0b00111n]])
      assert.deepEqual(labels(await ask(store, { by: 'dim', dimKey: 'team' }, { keyId })), [
        ['a', 0b00001n],
        ['b', 0b00010n],
      ])
      assert.deepEqual(await ask(store, { by: 'model' }, { keyId: 'svc_k_nobody' }), [])
    })

    storeTest('cuts days and months by the UTC moment of the end', async (store) => {
      const ends = ['2026-09-30T23:59:59.999Z', '2026-10-01T00:00:00Z', '2026-10-31T23:59:59.999Z']
      await store.writeBatch(
        batchOf(...ends.map((end) => createRecord({ endedAt: Date.parse(end) }))),
      )
      const days: Period = { grain: 'day', from: '2026-09-30', to: '2026-10-31' }
      const byDay = await ask(store, { by: 'bucket' }, { period: days })
      assert.deepEqual(
        byDay.map((sum) => sum.bucket),
        ['2026-09-30', '2026-10-01', '2026-10-31'],
      )
      const months: Period = { grain: 'month', from: '2026-08', to: '2026-11' }
      const byMonth = await ask(store, { by: 'bucket_provider' }, { period: months })
      assert.deepEqual(
        byMonth.map((sum) => [sum.bucket, sum.label, sum.requests]),
        [
          ['2026-09', 'north', 1],
          ['2026-10', 'north', 2],
        ],
      )
      const oneDay: Period = { grain: 'day', from: '2026-10-01', to: '2026-10-01' }
      assert.equal((await total(store, oneDay))?.requests, 1)
    })

    storeTest('refuses to break a day down by what is kept by month', async (store) => {
      const period: Period = { grain: 'day', from: '2026-10-01', to: '2026-10-02' }
      await assert.rejects(ask(store, { by: 'model' }, { period }), { code: 'invalid_parameter' })
    })

    storeTest('sums money exactly, beyond 2^53 and beyond nine million dollars', async (store) => {
      const amount = 999_999n * 10n ** 12n + 999_999_999_999n
      const records = Array.from({ length: 40 }, () => createRecord({}, { amount }))
      await store.writeBatch(batchOf(...records.slice(0, 20)))
      await store.writeBatch(batchOf(...records.slice(20)))
      await store.writeBatch(batchOf(createRecord({}, { amount: 1n })))
      assert.equal((await total(store))?.cost, 40n * amount + 1n)
    })

    storeTest('adds what is taken back', async (store) => {
      await store.writeBatch(batchOf(createRecord({}, { amount: 5n })))
      await store.writeBatch(batchOf(createRecord({}, { amount: -3_000_000_000_002n })))
      assert.equal((await total(store))?.cost, -2_999_999_999_997n)
    })

    storeTest('leaves a nonsensical token count out of the sums', async (store) => {
      const tokens = createTokenCounts({ input: Number.MAX_SAFE_INTEGER, output: 0 })
      await store.writeBatch(batchOf(createRecord({ tokens }), createRecord()))
      assert.equal((await total(store))?.tokens, 15)
    })

    storeTest(
      'answers with the largest only, and all that cost as much as the last',
      async (store) => {
        // The second and third cost the same; the last two differ by one pico-dollar around a whole
        // dollar.
        const costs = { a: 5n * DOLLAR, b: 3n * DOLLAR, c: 3n * DOLLAR, d: DOLLAR, e: DOLLAR - 1n }
        const records = Object.entries(costs).map(([team, amount]) =>
          createRecord({ dims: { team }, keyId: `svc_k_${team}`, model: team }, { amount }),
        )
        await store.writeBatch(batchOf(...records))
        for (const grouping of [
          { by: 'dim', dimKey: 'team' },
          { by: 'dim_model', dimKey: 'team' },
          { by: 'api_key' },
          { by: 'model' },
        ] as const) {
          for (const [largest, count] of [1, 3, 3, 4, 5, 5].entries()) {
            const sums = await ask(store, grouping, { largest: largest + 1 })
            const expected = (await ask(store, grouping)).slice(0, count)
            assert.deepEqual(sums, expected, `${largest + 1} by ${grouping.by}`)
          }
        }
      },
    )

    storeTest(
      'tells the largest when it is asked again and again while costs rise and fall',
      async (store) => {
        const grouping = { by: 'dim_model', dimKey: 'team' } as const
        for (let round = 0; round < 40; round += 1) {
          const records = Array.from({ length: 12 }, (_, index) => {
            const drawn = (round * 7919 + index * 104_729) % 9973
            const dims = { team: `t${drawn % 7}` }
            // At times all fall far below what was the last of the largest.
            const amount = (BigInt((drawn % 97) - (round % 5 === 0 ? 150 : 20)) * DOLLAR) / 7n
            return createRecord({ dims, model: `m${drawn % 5}` }, { amount })
          })
          await store.writeBatch(batchOf(...records))
          const all = (await ask(store, grouping)).toSorted((a, b) => Number(b.cost - a.cost))
          for (const largest of [1, 5, 20]) {
            const last = all[largest - 1]?.cost ?? all.at(-1)?.cost ?? 0n
            const expected = all.filter(({ cost }) => cost >= last)
            const sums = await ask(store, grouping, { largest })
            const inOrder = sums.toSorted((a, b) => Number(b.cost - a.cost))
            assert.deepEqual(inOrder, expected, `${largest} in round ${round}`)
          }
        }
      },
    )

    storeTest('carries what is below a dollar before it finds the largest', async (store) => {
      // Two calls of one key make a dollar and more, though neither holds a whole one.
      const part = (keyId: string, amount: bigint): UsageRecord =>
        createRecord({ keyId }, { amount })
      const small = [part('svc_k_one', DOLLAR - 1n), part('svc_k_one', DOLLAR - 1n)]
      await store.writeBatch(batchOf(...small, part('svc_k_two', DOLLAR + 5n)))
      await store.writeBatch(batchOf(part('svc_k_back', -1n), part('svc_k_none', 0n)))
      const order = ['svc_k_one', 'svc_k_two', 'svc_k_none', 'svc_k_back']
      for (const largest of [1, 2, 3, 4]) {
        const sums = await ask(store, { by: 'api_key' }, { largest })
        assert.deepEqual(
          sums.map(({ label }) => label),
          order.slice(0, largest).toSorted(),
        )
      }
    })

    storeTest(
      "a change of stored costs changes the costs' revision, new calls do not",
      async (store) => {
        const calls = [createRecord(), createRecord(), createRecord()]
        const seen = [await store.usage.readCostRevision()]
        await store.writeBatch(batchOf(...calls))
        assert.equal(await store.usage.readCostRevision(), seen[0])
        const line = { at: NOON, who: 'me', what: 'all of it', prices: [] }
        let first: number | null = null
        // The last step belongs to a line behind which another was begun.
        for (const [index, { event, cost }] of calls.entries()) {
          const change = { id: event.id, before: cost, after: { ...cost, amount: 2n } }
          const repricing = index === 2 ? first : null
          const { id } = await store.usage.upkeep.changeCosts([change], { ...line, repricing })
          first ??= id
          seen.push(await store.usage.readCostRevision())
        }
        assert.equal(new Set(seen).size, seen.length)
        assert.equal(await store.usage.readCostRevision(), seen.at(-1))
      },
    )

    test('parts add up to the whole, in any batches', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(RECORD, { maxLength: 8 }), { maxLength: 5 }),
          async (batches) => {
            const place = await createPlace()
            const store = await place.open()
            try {
              for (const records of batches) await store.writeBatch(batchOf(...records))
              await assertAddsUp(store, batches.flat())
            } finally {
              await store.close()
              await place.remove()
            }
          },
        ),
        { numRuns: byForm(3, 25), endOnFailure: true },
      )
    })
  })
}

const DOLLAR = 10n ** 12n

// Each call costs one bit, so a sum shows which calls are in it.
const SAMPLE: readonly UsageRecord[] = [
  { keyId: 'svc_k_one', model: 'small', dims: { team: 'a', app: 'x' } },
  { keyId: 'svc_k_one', model: 'large', dims: { team: 'b', app: 'x' } },
  { keyId: 'svc_k_one', model: 'large', provider: 'south' },
  { keyId: 'svc_k_two', model: 'small', dims: { team: 'a' } },
  { keyId: 'svc_k_two', model: 'large' },
].map((changes, index) => createRecord(changes, { amount: 1n << BigInt(index) }))

const RECORD = fc
  .record({
    keyId: fc.constantFrom('svc_k_one', 'svc_k_two'),
    provider: fc.constantFrom('north', 'south'),
    model: fc.constantFrom('small', 'large', null),
    status: fc.constantFrom('delivered', 'aborted', 'denied'),
    team: fc.constantFrom(null, 'a', 'b'),
    endedAt: fc.integer({ min: NOON - 86_400_000 * 20, max: NOON + 86_400_000 * 20 }),
    amount: fc.oneof(fc.constant(null), fc.bigInt({ min: 0n, max: 10n ** 16n })),
    marketCost: fc.oneof(fc.constant(null), fc.bigInt({ min: 0n, max: 10n ** 16n })),
  })
  .map(({ team, amount, marketCost, ...rest }) => {
    const billing = { cost: null, marketCost, isByok: null, generationId: null }
    const event = { ...rest, billing }
    const dims = team === null ? {} : { team }
    const source = amount === null ? 'unpriced' : 'price-book'
    return createRecord({ ...event, dims, id: createRequestId(NOON) }, { amount, source })
  })

async function assertAddsUp(store: LedgerStore, records: readonly UsageRecord[]): Promise<void> {
  const forwarded = records.filter((record) => record.event.status !== 'denied')
  for (const keyId of [null, 'svc_k_one']) {
    const own = forwarded.filter(({ event }) => keyId === null || event.keyId === keyId)
    const tagged = own.filter(({ event }) => 'team' in event.dims)
    for (const by of [
      'total',
      'provider',
      'api_key',
      'bucket',
      'bucket_provider',
      'model',
    ] as const) {
      assertSum(await ask(store, { by }, { period: MONTHS, keyId }), own)
      if (by !== 'model') assertSum(await ask(store, { by }, { period: DAYS, keyId }), own)
    }
    for (const by of ['dim', 'dim_model'] as const) {
      assertSum(await ask(store, { by, dimKey: 'team' }, { period: MONTHS, keyId }), tagged)
    }
  }
}

function assertSum(sums: readonly UsageSum[], records: readonly UsageRecord[]): void {
  const counts = { requests: records.length, tokens: 15 * records.length, unpriced: 0 }
  const expected = { cost: 0n, marketCost: 0n, ...counts }
  for (const { event, cost } of records) {
    expected.cost += cost.amount ?? 0n
    expected.marketCost += event.billing?.marketCost ?? cost.amount ?? 0n
    expected.unpriced += cost.amount === null ? 1 : 0
  }
  const actual = createFigures()
  for (const sum of sums) addFigures(actual, sum)
  assert.deepEqual(actual, expected)
}
