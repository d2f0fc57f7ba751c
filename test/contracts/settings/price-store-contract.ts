// The part of the settings store's contract that is about prices: rules, imported data, and how
// their changes are told.

import assert from 'node:assert/strict'
import type { NewPriceRule } from '../../../src/core/price-rule.ts'
import type { ImportedPrices } from '../../../src/store/settings/price-store.ts'
import { MINUTE_MS, PLAIN_KEY, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

const RATES_RULE: NewPriceRule = {
  provider: 'acme',
  model: 'big-*',
  tier: null,
  effectiveFrom: START_MS,
  price: {
    kind: 'rates',
    rates: {
      input: { base: '1.25', steps: [{ above: 200_000, rate: '2.5' }] },
      output: '10',
      web_search: '0.01',
    },
  },
  note: 'contract 7, "Zürich"',
}

const MULTIPLIER_RULE: NewPriceRule = {
  provider: 'acme',
  model: '*',
  tier: 'batch',
  effectiveFrom: -1,
  price: { kind: 'multiplier', factor: '0.8' },
  note: null,
}

const IMPORT: Omit<ImportedPrices, 'importedAt'> = {
  version: 'prices@2026-01-30',
  publishedAt: START_MS - MINUTE_MS,
  text: '{"models": "Zürich"}',
  who: 'ada',
}

export function priceStoreContract(run: Run): void {
  run('a rule is kept as it was set, under an id of its own', async ({ store }) => {
    const first = await store.prices.set(RATES_RULE)
    const second = await store.prices.set(MULTIPLIER_RULE)
    for (const [rule, seen] of [
      [first, RATES_RULE],
      [second, MULTIPLIER_RULE],
    ] as const) {
      const { id, createdAt, ...rest } = rule
      assert.match(id, /^price_[0-9a-z]{8,32}$/)
      assert.equal(createdAt, START_MS)
      assert.deepEqual(rest, seen)
    }
    assert.notEqual(first.id, second.id)
    assert.deepEqual((await store.prices.read()).rules, [second, first])
  })

  run('a rule takes the place of the one it is about, under a new id', async ({ store, clock }) => {
    const old = await store.prices.set(MULTIPLIER_RULE)
    clock.nowMs += MINUTE_MS
    const seen = { ...MULTIPLIER_RULE, price: { kind: 'multiplier', factor: '0.7' } } as const
    const rule = await store.prices.set(seen)
    assert.notEqual(rule.id, old.id)
    assert.equal(rule.createdAt, START_MS + MINUTE_MS)
    assert.deepEqual((await store.prices.read()).rules, [rule])
  })

  run('a rule that is said again stays the same rule', async ({ store, clock }) => {
    const rule = await store.prices.set(RATES_RULE)
    const { revision } = await store.prices.read()
    clock.nowMs += MINUTE_MS
    assert.deepEqual(await store.prices.set(RATES_RULE), rule)
    assert.equal(await store.prices.readChanges(revision), null)
  })

  run('rules of other models, tiers and moments stand beside it', async ({ store }) => {
    await store.prices.set(RATES_RULE)
    for (const other of [
      { provider: 'other' },
      { model: 'big-1' },
      { tier: 'batch' },
      { effectiveFrom: START_MS + 1 },
    ]) {
      await store.prices.set({ ...RATES_RULE, ...other })
    }
    assert.equal((await store.prices.read()).rules.length, 5)
  })

  run('a removed rule is returned once', async ({ store }) => {
    const rule = await store.prices.set(RATES_RULE)
    assert.deepEqual(await store.prices.remove(rule.id), rule)
    assert.equal(await store.prices.remove(rule.id), null)
    assert.deepEqual((await store.prices.read()).rules, [])
  })

  run('an import takes the place of the one before, and can be removed', async (scene) => {
    const { store, clock } = scene
    assert.equal((await store.prices.read()).imported, null)
    await store.prices.putImport(IMPORT)
    clock.nowMs += MINUTE_MS
    const next = { ...IMPORT, version: 'prices@2026-02-01', text: '{}' }
    await store.prices.putImport(next)
    const imported = { ...next, importedAt: START_MS + MINUTE_MS }
    assert.deepEqual((await store.prices.read()).imported, imported)
    await store.prices.putImport(null)
    assert.equal((await store.prices.read()).imported, null)
  })

  run('every kind of change is seen, by another process too', async ({ store, reopen }) => {
    const reader = await reopen()
    let { revision } = await reader.prices.read()
    assert.equal(await reader.prices.readChanges(revision), null)
    let id = ''
    const changes = [
      async () => void (id = (await store.prices.set(RATES_RULE)).id),
      () => store.prices.putImport(IMPORT),
      () => store.prices.remove(id),
      () => store.prices.putImport(null),
    ]
    for (const change of changes) {
      await change()
      const seen = await reader.prices.readChanges(revision)
      assert.ok(seen)
      assert.deepEqual(seen, await store.prices.read())
      assert.ok(seen.revision > revision)
      revision = seen.revision
      assert.equal(await reader.prices.readChanges(revision), null)
    }
  })

  run('what changed nothing is not seen', async ({ store }) => {
    const { revision } = await store.prices.read()
    await store.prices.remove('price_00000000')
    await store.prices.putImport(null)
    await store.keys.create(PLAIN_KEY)
    assert.equal(await store.prices.readChanges(revision), null)
  })

  run('a changed price is no change to the keys', async ({ store }) => {
    const { revision } = await store.keys.readChanges(0)
    await store.prices.set(RATES_RULE)
    await store.prices.putImport(IMPORT)
    assert.deepEqual(await store.keys.readChanges(revision), { revision, keys: [] })
  })

  run('a reader ahead of the store is given everything', async ({ store }) => {
    const rule = await store.prices.set(RATES_RULE)
    const { revision } = await store.prices.read()
    const seen = await store.prices.readChanges(revision + 1000)
    assert.deepEqual(seen, { revision, rules: [rule], imported: null })
  })

  run('rules that are set at once over two connections are all kept', async (scene) => {
    const { store, reopen } = scene
    const other = await reopen()
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => [store, other].map((each) => ({ each, at })))
        .flat()
        .map(({ each, at }, index) =>
          each.prices.set({ ...RATES_RULE, model: `m${at}`, effectiveFrom: index }),
        ),
    )
    assert.equal((await store.prices.read()).rules.length, 20)
  })
}
