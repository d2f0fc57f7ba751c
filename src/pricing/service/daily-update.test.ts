// The daily update, by a clock that the test sets.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { msAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { openPriceServer, priceDataOf } from '../../../test/fakes/peers/price-server.ts'
import type { PriceServer } from '../../../test/fakes/peers/price-server.ts'
import { loadConfig } from '../../config/config.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import { createDailyUpdate, openDailyUpdate } from './daily-update.ts'
import type { DailyUpdateOptions } from './daily-update.ts'
import type { UpdateOutcome } from './price-update.ts'

interface Scene {
  readonly server: PriceServer
  readonly settings: SettingsStore
  readonly clock: { nowMs: number }
  readonly counted: string[]
  readonly warned: string[]
  readonly dataDir: string
  readonly options: DailyUpdateOptions
  /** As a process that starts now has it. */
  readonly start: () => () => Promise<UpdateOutcome | null>
  readonly importedText: () => Promise<string | undefined>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START_MS = msAfterBundle(16)

async function openScene(t: TestContext, update: string): Promise<Scene> {
  const server = await openPriceServer(t)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-daily-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const env = {
    WEIR_DATA_DIR: dataDir,
    WEIR_PRICES_UPDATE: update,
    WEIR_PRICES_UPDATE_URL: server.url,
  }
  const config = loadConfig({ env, cwd: dataDir })
  const time = { nowMs: START_MS }
  const clock = { now: () => time.nowMs, monotonic: () => time.nowMs }
  const settings = await openSettingsStore({ dataDir, clock })
  t.after(() => settings.close())
  const counted: string[] = []
  const warned: string[] = []
  const options = {
    config,
    settings,
    clock,
    meter: { add: (_metric: string, _amount: number, result: string) => void counted.push(result) },
    info: () => {},
    warn: (fields: object, message: string) =>
      void warned.push(`${message} ${JSON.stringify(fields)}`),
  }
  const start = () => createDailyUpdate(options, new AbortController().signal)
  const importedText = async () => (await settings.prices.read()).imported?.text
  return { server, settings, clock: time, counted, warned, dataDir, options, start, importedText }
}

test('off, the default, never asks anybody', async (t) => {
  assert.equal(loadConfig({ env: {} }).prices.update, 'off')
  const scene = await openScene(t, 'off')
  const look = scene.start()
  assert.equal(await look(), null)
  scene.clock.nowMs += 2 * DAY_MS
  assert.equal(await look(), null)
  assert.deepEqual([scene.server.asked, scene.counted], [[], []])
})

test('apply: at the start, then once a day, and a restart does not repeat it', async (t) => {
  const scene = await openScene(t, 'apply')
  const [first, second] = [priceDataOf('acme-9', 3), priceDataOf('acme-9', 4)]
  scene.server.publish(first)
  let look = scene.start()
  await look()
  assert.equal(await scene.importedText(), first)
  const { imported } = await scene.settings.prices.read()
  assert.equal(imported?.who, 'prices.update')

  scene.server.publish(second)
  scene.clock.nowMs += DAY_MS - 1
  assert.equal(await look(), null)
  look = scene.start()
  assert.equal(await look(), null)
  assert.deepEqual(scene.server.asked, ['GET /data.json'])
  scene.clock.nowMs += 1
  assert.equal((await look())?.kind, 'applied')
  assert.equal(await scene.importedText(), second)
  scene.clock.nowMs += DAY_MS
  assert.equal((await look())?.kind, 'unchanged')
  assert.deepEqual(scene.counted, ['applied', 'applied', 'unchanged'])
  assert.deepEqual(scene.warned, [])
})

test('check reports newer data and leaves the prices alone', async (t) => {
  const scene = await openScene(t, 'check')
  scene.server.publish(priceDataOf('acme-9', 3))
  await scene.start()()
  assert.deepEqual(scene.counted, ['available'])
  assert.equal(await scene.importedText(), undefined)
})

test('apply leaves what looks like a mistake to a person', async (t) => {
  const scene = await openScene(t, 'apply')
  const before = priceDataOf('acme-9', 1)
  scene.server.publish(before)
  const look = scene.start()
  await look()
  scene.server.publish(priceDataOf('acme-9', 100))
  scene.clock.nowMs += DAY_MS
  assert.equal((await look())?.kind, 'waiting')
  assert.equal(await scene.importedText(), before)
  assert.match(scene.warned.join('\n'), /waits for a person.*weir prices update --check.*1 → 100/)
})

describe('a failure is logged, counted and tried again after an hour:', () => {
  const failures = {
    http_error: (server: PriceServer) => server.answer((response) => response.writeHead(500).end()),
    unreachable: (server: PriceServer) => server.answer((_, request) => void request.destroy()),
    invalid: (server: PriceServer) => server.publish('<html>'),
    redirect: (server: PriceServer) =>
      server.answer((response) => response.writeHead(302, { location: 'http://x.test/' }).end()),
  }
  for (const [result, fail] of Object.entries(failures)) {
    test(result, async (t) => {
      const scene = await openScene(t, 'apply')
      fail(scene.server)
      const look = scene.start()
      await look()
      scene.clock.nowMs += HOUR_MS - 1
      assert.equal(await look(), null)
      const text = priceDataOf('acme-9', 3)
      scene.server.publish(text)
      scene.clock.nowMs += 1
      assert.equal((await look())?.kind, 'applied')
      assert.equal(await scene.importedText(), text)
      assert.deepEqual(scene.counted, [result, 'applied'])
      assert.equal(scene.warned.length, 1)
      assert.match(scene.warned[0] ?? '', /^prices\.update: .*; prices stay as they are/)
    })
  }
})

test('a state that cannot be written does not mean once a minute', async (t) => {
  const scene = await openScene(t, 'check')
  scene.server.publish(priceDataOf('acme-9', 3))
  rmSync(scene.dataDir, { recursive: true })
  writeFileSync(scene.dataDir, '')
  const look = scene.start()
  await look()
  scene.clock.nowMs += HOUR_MS - 1
  assert.equal(await look(), null)
  assert.deepEqual(scene.server.asked, ['GET /data.json'])
  assert.match(scene.warned.join('\n'), /could not be updated; it is tried again later/)
})

test('a clock that was set back does not put it off', async (t) => {
  const scene = await openScene(t, 'check')
  scene.server.publish(priceDataOf('acme-9', 3))
  const look = scene.start()
  await look()
  scene.clock.nowMs -= 30 * DAY_MS
  assert.notEqual(await look(), null)
})

test('a process asks at its start, and its end does not wait for a silent server', async (t) => {
  const scene = await openScene(t, 'check')
  const asked = Promise.withResolvers<void>()
  scene.server.answer(() => asked.resolve())
  const daily = openDailyUpdate(scene.options)
  await asked.promise
  await daily.close()
  assert.deepEqual([scene.counted, scene.warned], [[], []])
})
