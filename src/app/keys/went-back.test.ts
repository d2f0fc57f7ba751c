// Keys, budgets and prices in the memory of processes, after the database became an earlier one.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { PLAIN_KEY } from '../../../test/contracts/settings-scene.ts'
import { openPastServer } from '../../../test/fakes/postgres/past-server.ts'
import { createKeyDirectory } from '../../api/keys/key-directory.ts'
import { systemClock as clock } from '../../core/clock.ts'

import { migrateStores } from '../../store/databases.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import { createMeter } from '../meter.ts'
import { CopyWriter } from '../settings-copy/copy-writer.ts'
import { openKeyRing } from './key-ring.ts'

test('keys that a database which went back does not have are refused, and its new ones work', async (context) => {
  const server = await openPastServer(context)
  const { url } = server
  await migrateStores({ settings: url, usage: url })
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-went-back-'))
  context.after(() => rmSync(dataDir, { recursive: true }))
  const open = async () => {
    const settings = await openSettingsStore({ dataDir, url, clock })
    context.after(() => settings.close())
    return settings
  }
  const [settings, others] = [await open(), await open()]
  const { key: kept } = await others.keys.create(PLAIN_KEY)
  await server.save()
  const { keys } = settings
  const ring = await openKeyRing({
    keys,
    refreshMs: 20,
    clock,
    meter: createMeter(),
    warn: () => {},
  })
  context.after(() => ring.close())
  const directory = createKeyDirectory(settings)
  const copies = new CopyWriter({ dataDir, keys, clock, warn: () => {}, intervalMs: 20 })
  context.after(() => copies.close())
  const { key: gone } = await others.keys.create(PLAIN_KEY)
  const [goneBudgets, gonePrices] = [
    await settings.budgets.readChanges(-1),
    await settings.prices.read(),
  ]
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const copy = path.join(dataDir, 'keys-copy.json')
  const copied = (): string => (existsSync(copy) ? readFileSync(copy, 'utf8') : '')
  await until(() => ring.find(gone.id) !== undefined)
  await until(() => copied().includes(gone.id))
  assert.equal((await directory.read()).byId.has(gone.id), true)

  await server.goBack()
  // It has the number of the one that is gone.
  const { key: made } = await others.keys.create(PLAIN_KEY)
  await until(() => ring.find(gone.id) === undefined)
  await until(() => ring.find(made.id) !== undefined)
  assert.notEqual(ring.find(kept.id), undefined)
  const listed = await directory.read()
  assert.deepEqual(new Set(listed.byId.keys()), new Set([kept.id, made.id]))
  await until(() => copied().includes(made.id) && !copied().includes(gone.id))
  assert.notEqual(await settings.budgets.readChanges(goneBudgets?.revision ?? 0), null)
  assert.notEqual(await settings.prices.readChanges(gonePrices.revision), null)
})

test('a database that has lost its tables is away, and the keys stay', async (context) => {
  const server = await openPastServer(context)
  const { url } = server
  await server.save()
  await migrateStores({ settings: url, usage: url })
  const settings = await openSettingsStore({ dataDir: '', url, clock })
  context.after(() => settings.close())
  const { key } = await settings.keys.create(PLAIN_KEY)
  const { keys } = settings
  const ring = await openKeyRing({
    keys,
    refreshMs: 20,
    clock,
    meter: createMeter(),
    warn: () => {},
  })
  context.after(() => ring.close())
  await server.goBack()
  await assert.rejects(
    // A connection from before fails first.
    settings.keys.list().catch(() => settings.keys.list()),
    /settings store at \S+ lacks tables: relation "api_keys" does not exist/,
  )
  assert.match((await settings.check()) ?? '', /has no tables yet/)
  assert.notEqual(ring.find(key.id), undefined)
  await migrateStores({ settings: url, usage: url })
  while (ring.find(key.id) !== undefined) await new Promise((resolve) => setTimeout(resolve, 10))
})
