import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

import { PLAIN_KEY } from '../../test/contracts/settings-scene.ts'
import { createTestKey } from '../../test/fakes/test-key.ts'
import { systemClock } from '../core/clock.ts'
import { createKeyCredential } from '../core/ids.ts'
import { openSettingsStore } from '../store/open-store.ts'
import type { KeyStore } from '../store/settings/key-store.ts'
import { KEY_REFRESH_MS, openKeyRing } from './key-ring.ts'
import { createMeter } from './meter.ts'

async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setImmediate(resolve))
}

test('a change is effective within a second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const key = createTestKey(createKeyCredential())
  const found = { revision: 0, keys: [key] }
  const keys = { readChanges: async () => found } as Partial<KeyStore> as KeyStore
  const options = { keys, refreshMs: KEY_REFRESH_MS, meter: createMeter(), warn: () => {} }
  const ring = await openKeyRing(options)
  t.after(ring.close)
  found.keys = [{ ...key, revokedAt: 1 }]
  t.mock.timers.tick(1000)
  await until(() => ring.find(key.id)?.revokedAt === 1)
})

test('follows the store, and keeps the last good keys while it is away', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-ring-'))
  const store = await openSettingsStore({ dataDir, clock: systemClock })
  t.after(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  let isAway = false
  const meter = createMeter()
  const warnings: string[] = []
  const keys = {
    ...store.keys,
    readChanges: async (revision: number) => {
      if (isAway) throw new Error('away')
      return store.keys.readChanges(revision)
    },
  }
  const warn = (_: object, message: string): void => void warnings.push(message)
  const { key: first } = await store.keys.create(PLAIN_KEY)
  const ring = await openKeyRing({ keys, refreshMs: 1, meter, warn })
  t.after(ring.close)
  assert.equal(ring.find(first.id)?.name, PLAIN_KEY.name)

  const { key: second } = await store.keys.create({ ...PLAIN_KEY, name: 'two' })
  await until(() => ring.find(second.id) !== undefined)

  isAway = true
  await until(() => ring.fault() !== null)
  assert.equal(ring.find(first.id)?.revokedAt, null)
  await store.keys.revoke(first.id)
  isAway = false
  await until(() => ring.find(first.id)?.revokedAt !== null)
  assert.equal(ring.fault(), null)
  assert.equal(warnings.length, 1)
  assert.ok(meter.samples().some((sample) => sample.metric === 'settingsFailures'))
})
