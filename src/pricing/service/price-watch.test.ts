import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import type { PriceTables } from '../tables/price-tables.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import { createMeter } from '../../app/meter.ts'
import { openPriceWatch } from './price-watch.ts'

interface Book extends PriceTables {
  readonly revision: number
}

async function openScene(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const stored = { revision: 1, fault: null as Error | null, isUsable: true }
  const toSettings = (): PriceSettings => ({ revision: stored.revision, rules: [], imported: null })
  const read = async (): Promise<PriceSettings> => {
    if (stored.fault !== null) throw stored.fault
    return toSettings()
  }
  const meter = createMeter()
  const warned: string[] = []
  const nowMs = Date.UTC(2026, 10, 15)
  const watch = await openPriceWatch({
    prices: {
      read,
      readChanges: async (revision) => {
        const settings = await read()
        return settings.revision === revision ? null : settings
      },
    },
    createBook: ({ revision }): Book => {
      if (!stored.isUsable) throw new Error('a faulty price')
      return { revision, find: () => null }
    },
    dataAt: ({ revision }) => nowMs - revision * 60_000,
    clock: { now: () => nowMs, monotonic: () => 0 },
    meter,
    warn: (_, message) => warned.push(message),
  })
  context.after(() => watch.close())
  const second = async (): Promise<void> => {
    context.mock.timers.tick(1000)
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  }
  const figure = (name: string) => meter.samples().find(({ metric }) => metric === name)?.value
  return {
    stored,
    watch,
    warned,
    second,
    figure,
    revision: async () => ((await watch.priceTables()) as Book).revision,
  }
}

test('has a new book a second after a change, and the same one while nothing changes', async (t) => {
  const scene = await openScene(t)
  const first = await scene.watch.priceTables()
  await scene.second()
  assert.equal(await scene.watch.priceTables(), first)
  assert.equal(scene.figure('priceDataAge'), 60)
  scene.stored.revision = 2
  await scene.second()
  assert.equal(await scene.revision(), 2)
  assert.equal(scene.figure('priceDataAge'), 120)
})

test('has a new book at once when it is asked for', async (t) => {
  const scene = await openScene(t)
  scene.stored.revision = 2
  assert.equal(await scene.revision(), 2)
  scene.stored.fault = new Error('locked')
  scene.stored.revision = 3
  assert.equal(await scene.revision(), 2)
  assert.equal(await scene.revision(), 2)
  assert.equal(scene.figure('settingsFailures'), 1)
})

test('keeps the last good book while the settings are away, counts it and warns once', async (t) => {
  const scene = await openScene(t)
  scene.stored.fault = new Error('locked')
  scene.stored.revision = 2
  await scene.second()
  await scene.second()
  assert.equal(await scene.revision(), 1)
  assert.equal(scene.figure('settingsFailures'), 2)
  assert.equal(scene.warned.length, 1)
  scene.stored.fault = null
  await scene.second()
  assert.equal(await scene.revision(), 2)
})

test('keeps the last good book when the new prices cannot be used, and looks at them again', async (t) => {
  const scene = await openScene(t)
  scene.stored.isUsable = false
  scene.stored.revision = 2
  await scene.second()
  assert.equal(await scene.revision(), 1)
  scene.stored.isUsable = true
  await scene.second()
  assert.equal(await scene.revision(), 2)
})
