// Repricing over a real store in a temporary directory.

import { findFaults } from '../../../test/contracts/usage-scene.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sampleCall, toBatch, withUsage } from '../../../test/fakes/stored-calls.ts'
import type { PriceRule, RuleRates } from '../../core/price-rule.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { createPriceTables } from '../../pricing/tables/price-tables.ts'
import type { PriceTables } from '../../pricing/tables/price-tables.ts'
import type { LedgerStore } from '../../store/ledger/ledger-store.ts'
import { reprice } from './reprice.ts'
import type { RepriceResult, RepriceScope } from './reprice.ts'

const NOON = Date.UTC(2026, 9, 15, 12)
const DAY_MS = 86_400_000
const EVERYTHING: RepriceScope = {
  fromMs: null,
  toMs: null,
  keyId: null,
  provider: null,
  model: null,
  isAll: false,
}
const AUDIT = { at: NOON + DAY_MS, who: 'ada', what: 'a test' }
const NO_PRICES = createPriceTables({ tables: [] })

function bookOf(rates: Readonly<Record<string, RuleRates>>, from = 0): PriceTables {
  const rules = Object.entries(rates).map(([model, own]): PriceRule => {
    const price = { kind: 'rates', rates: own } as const
    const about = { provider: 'acme', model, tier: null, note: null }
    return { id: `price_${model}`, ...about, effectiveFrom: from, createdAt: 0, price }
  })
  return createPriceTables({ rules, tables: [] })
}

const BIG = bookOf({ big: { input: '1', output: '2' } })
// 1,000 × 1 + 500 × 2 USD a million.
const BIG_COST = 2_000_000_000n

function call(changes: Partial<UsageEvent> = {}): UsageEvent {
  return sampleCall({ provider: 'acme', model: 'big', endedAt: NOON, ...changes })
}

interface Scene {
  readonly store: LedgerStore
  readonly add: (events: readonly UsageEvent[], priceTables?: PriceTables) => Promise<void>
  readonly run: (
    priceTables: PriceTables,
    options?: { scope?: Partial<RepriceScope>; isTrial?: boolean; stepRecordsMax?: number },
  ) => Promise<RepriceResult>
}

async function inScene(context: TestContext, use: (scene: Scene) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'weir-reprice-'))
  context.after(() => rmSync(dir, { recursive: true }))
  await withUsage(dir, (store) =>
    use({
      store,
      add: (events, priceTables = NO_PRICES) => store.writeBatch(toBatch(events, priceTables)),
      run: (priceTables, { scope = {}, isTrial = false, ...rest } = {}) =>
        reprice({
          upkeep: store.usage.upkeep,
          priceTables,
          scope: { ...EVERYTHING, ...scope },
          audit: isTrial ? null : AUDIT,
          ...rest,
        }),
    }),
  )
}

async function totalOf(store: LedgerStore): Promise<readonly [bigint, number] | null> {
  const period = { grain: 'month', from: '2026-01', to: '2026-12' } as const
  const [sum] = await store.usage.sum({ period, grouping: { by: 'total' }, keyId: null })
  return sum === undefined ? null : [sum.cost, sum.unpriced]
}

test('a trial says what would change, and changes nothing', (context) =>
  inScene(context, async ({ store, add, run }) => {
    const known = call()
    await add([known, call({ model: 'odd' })])
    const { diff, repricing } = await run(BIG, { isTrial: true })
    assert.equal(repricing, null)
    assert.deepEqual(diff.total, { calls: 1, before: 0n, after: BIG_COST })
    assert.deepEqual(
      diff.unpriced.map(({ model, reason, calls }) => [model, reason.kind, calls]),
      [['odd', 'no-price', 1]],
    )
    assert.equal((await store.usage.readRecord(known.id))?.cost.source, 'unpriced')
    assert.deepEqual(await store.usage.upkeep.listRepricings(10), [])
  }))

test('costs, rollups, prices and the audit line move together', (context) =>
  inScene(context, async ({ store, add, run }) => {
    const events = [call(), call({ keyId: 'svc_k_b' })]
    await add(events)
    assert.deepEqual(await totalOf(store), [0n, 2])
    const { repricing } = await run(BIG)
    const sums = { records: 2, before: 0n, after: 2n * BIG_COST }
    const months = [{ month: '2026-10', ...sums }]
    assert.deepEqual(repricing, { id: 1, ...AUDIT, ...sums, months })
    assert.deepEqual(await store.usage.upkeep.listRepricings(10), [repricing])
    assert.deepEqual(await totalOf(store), [2n * BIG_COST, 0])
    const version = 'override price_big@1970-01-01'
    const cost = { amount: BIG_COST, source: 'override', priceVersion: version } as const
    assert.deepEqual((await store.usage.readRecord(events[0]?.id ?? ''))?.cost, cost)
    assert.equal((await store.usage.requests.readPrices([version])).length, 1)
    assert.deepEqual(await findFaults(store), [])
  }))

test('a second run finds only what is left, and leaves no line of its own', (context) =>
  inScene(context, async ({ store, add, run }) => {
    await add([call(), call(), call()])
    await run(BIG)
    const { diff, repricing } = await run(BIG)
    assert.equal(diff.total.calls, 0)
    assert.equal(repricing, null)
    assert.equal((await store.usage.upkeep.listRepricings(10)).length, 1)
  }))

test('a run that broke off after some steps goes on where it ended', (context) =>
  inScene(context, async ({ store, add, run }) => {
    await add(Array.from({ length: 7 }, (_, at) => call({ endedAt: NOON + at })))
    const { upkeep } = store.usage
    let steps = 0
    const broken = {
      ...upkeep,
      changeCosts: async (...given: Parameters<typeof upkeep.changeCosts>) => {
        steps += 1
        if (steps > 2) throw new Error('killed')
        return upkeep.changeCosts(...given)
      },
    }
    const options = { priceTables: BIG, scope: EVERYTHING, audit: AUDIT, stepRecordsMax: 2 }
    await assert.rejects(reprice({ ...options, upkeep: broken }), /killed/)
    assert.deepEqual(await totalOf(store), [4n * BIG_COST, 3])
    const { repricing } = await run(BIG, { stepRecordsMax: 2 })
    assert.equal(repricing?.records, 3)
    assert.deepEqual(await totalOf(store), [7n * BIG_COST, 0])
    const lines = await upkeep.listRepricings(10)
    assert.deepEqual(
      lines.map(({ records }) => records),
      [3, 4],
    )
    assert.deepEqual(await findFaults(store), [])
  }))

test('several steps grow one audit line, and progress is reported', (context) =>
  inScene(context, async ({ store, add }) => {
    await add(Array.from({ length: 5 }, (_, at) => call({ endedAt: NOON + at })))
    const seen: number[] = []
    const { repricing } = await reprice({
      upkeep: store.usage.upkeep,
      priceTables: BIG,
      scope: EVERYTHING,
      audit: AUDIT,
      stepRecordsMax: 2,
      onProgress: (looked) => seen.push(looked),
    })
    assert.deepEqual([repricing?.id, repricing?.records], [1, 5])
    assert.deepEqual(seen, [2, 4, 5])
  }))

const DEARER = bookOf({ big: { input: '2', output: '4' } })

test('only calls without a cost are meant, unless all are asked for', (context) =>
  inScene(context, async ({ store, add, run }) => {
    await add([call()], BIG)
    assert.equal((await run(DEARER)).diff.total.calls, 0)
    const { diff } = await run(DEARER, { scope: { isAll: true } })
    assert.deepEqual(diff.total, { calls: 1, before: BIG_COST, after: 2n * BIG_COST })
    assert.deepEqual(await totalOf(store), [2n * BIG_COST, 0])
  }))

test('what was stated, denied or is not charged stays as it is', (context) =>
  inScene(context, async ({ store, add, run }) => {
    const billing = { cost: 5n, marketCost: null, isByok: false, generationId: null }
    const events = [
      call({ billing }),
      call({ billing: { ...billing, isByok: true } }),
      call({ status: 'denied' }),
      call({ chargeable: false }),
    ]
    await add(events)
    const { diff } = await run(DEARER, { scope: { isAll: true } })
    assert.equal(diff.total.calls, 0)
    assert.deepEqual(await totalOf(store), [5n, 0])
  }))

test('a known cost is not given up for an unknown one', (context) =>
  inScene(context, async ({ store, add, run }) => {
    await add([call()], BIG)
    const { diff } = await run(NO_PRICES, { scope: { isAll: true } })
    assert.deepEqual([diff.total.calls, diff.kept], [0, 1])
    assert.deepEqual(diff.unpriced, [])
    assert.deepEqual(await totalOf(store), [BIG_COST, 0])
  }))

test('the price of the moment at which the call ended decides', (context) =>
  inScene(context, async ({ store, add, run }) => {
    const [before, after] = [call({ endedAt: NOON - 1 }), call({ endedAt: NOON })]
    await add([before, after])
    await run(bookOf({ big: { input: '1', output: '2' } }, NOON))
    assert.equal((await store.usage.readRecord(before.id))?.cost.source, 'unpriced')
    assert.equal((await store.usage.readRecord(after.id))?.cost.amount, BIG_COST)
  }))

const MONTH = Date.UTC(2026, 9, 1)
const SCOPES: readonly (readonly [string, Partial<RepriceScope>, readonly string[]])[] = [
  ['everything', {}, ['a', 'b', 'c', 'd']],
  ['from the moment that a call ended', { fromMs: MONTH }, ['b', 'c', 'd']],
  ['before the moment that a call ended', { toMs: MONTH + 5 }, ['a']],
  ['a provider', { provider: 'acme' }, ['a', 'b', 'd']],
  ['a pattern of models', { model: 'BIG*' }, ['a', 'b', 'c']],
  ['a key', { keyId: 'svc_k_d' }, ['d']],
]

for (const [name, scope, expected] of SCOPES) {
  test(`a scope of ${name}`, (context) =>
    inScene(context, async ({ add, run }) => {
      // The second started in the month before and ended in this one.
      await add([
        call({ keyId: 'a', endedAt: MONTH - 1 }),
        call({ keyId: 'b', endedAt: MONTH + 5, startedAt: MONTH - DAY_MS }),
        call({ keyId: 'c', provider: 'other' }),
        call({ keyId: 'svc_k_d', model: 'small' }),
      ])
      const { diff } = await run(NO_PRICES, { scope, isTrial: true })
      const calls = diff.unpriced.reduce((sum, group) => sum + group.calls, 0)
      assert.equal(calls, expected.length)
    }))
}
