import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { PLAIN_KEY } from '../../../test/contracts/settings-scene.ts'
import { createTestKey } from '../../../test/fakes/test-key.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { systemClock } from '../../core/clock.ts'
import { createKeyCredential } from '../../core/ids.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import type { KeyChanges, KeyStore } from '../../store/settings/key-store.ts'
import { KEY_REFRESH_MS, openKeyRing } from './key-ring.ts'
import { EARLY_READINGS_MAX } from './key-waits.ts'
import { createMeter } from '../meter.ts'

const OPTIONS = { refreshMs: KEY_REFRESH_MS, clock: systemClock, warn: () => {} }

async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setImmediate(resolve))
}

test('a change is effective within a second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const key = createTestKey(createKeyCredential())
  let found = { revision: 1, keys: [key] }
  const keys = { readChanges: async () => found } as Partial<KeyStore> as KeyStore
  const ring = await openKeyRing({ ...OPTIONS, keys, meter: createMeter() })
  t.after(() => ring.close())
  found = { revision: 2, keys: [{ ...key, revokedAt: 1 }] }
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
  const ring = await openKeyRing({ ...OPTIONS, keys, refreshMs: 1, meter, warn })
  t.after(() => ring.close())
  assert.equal(ring.find(first.id)?.name, PLAIN_KEY.name)

  const { key: second } = await store.keys.create({ ...PLAIN_KEY, name: 'two' })
  await until(() => ring.find(second.id) !== undefined)

  isAway = true
  await until(() => ring.fault !== null)
  assert.equal(ring.find(first.id)?.revokedAt, null)
  await store.keys.revoke(first.id)
  isAway = false
  await until(() => ring.find(first.id)?.revokedAt !== null)
  assert.equal(ring.fault, null)
  assert.equal(warnings.length, 1)
  assert.ok(meter.samples().some((sample) => sample.metric === 'settingsFailures'))
})

/** A ring that would not look for changes by itself while a test runs. */
async function openSlowRing(t: TestContext) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-ring-'))
  const store = await openSettingsStore({ dataDir, clock: systemClock })
  const state = { readings: 0, isHanging: false }
  const keys = {
    readChanges: async (revision: number) => {
      state.readings++
      if (state.isHanging) await new Promise(() => {})
      return store.keys.readChanges(revision)
    },
  }
  const meter = createMeter()
  const ring = await openKeyRing({ ...OPTIONS, keys, refreshMs: 600_000, meter })
  t.after(async () => {
    ring.close()
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  return { ring, store, state }
}

test('a key that was made or changed a moment ago is found before it is refused', async (t) => {
  const { ring, store } = await openSlowRing(t)
  const { key } = await store.keys.create(PLAIN_KEY)
  assert.equal(ring.find(key.id), undefined)
  await ring.awaitKey(key.id)
  const { secretHash } = ring.find(key.id) as ApiKey
  const rotated = await store.keys.rotate(key.id)
  await ring.awaitKey(key.id)
  assert.notEqual(ring.find(key.id)?.secretHash, secretHash)
  assert.equal(ring.find(key.id)?.secretHash, rotated?.key.secretHash)
})

test('a flood of made-up keys costs a few readings, and a new key is found in it', async (t) => {
  const { ring, store, state } = await openSlowRing(t)
  const startMs = systemClock.monotonic()
  const waiting: Promise<void>[] = []
  for (let round = 0; round < 20; round++) {
    for (let count = 0; count < 100; count++) {
      waiting.push(ring.awaitKey(createKeyCredential().id) ?? Promise.resolve())
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(waiting)
  const { key } = await store.keys.create(PLAIN_KEY)
  await ring.awaitKey(key.id)
  assert.ok(ring.find(key.id) !== undefined)
  const passedSeconds = (systemClock.monotonic() - startMs) / 1000
  // The first is the start's.
  const readingsMax = 1 + EARLY_READINGS_MAX + passedSeconds * EARLY_READINGS_MAX
  assert.ok(state.readings <= readingsMax, `${state.readings} readings, at most ${readingsMax}`)
})

test('a store that does not answer keeps no call waiting for long', async (t) => {
  const { ring, state } = await openSlowRing(t)
  state.isHanging = true
  await ring.awaitKey('svc_k_unknown1')
  assert.equal(ring.awaitKey('svc_k_unknown1'), null)
})

test('without the store an unknown key is refused at once', async (t) => {
  let isAway = false
  const keys = {
    readChanges: async () => {
      if (isAway) throw new Error('away')
      return { revision: 0, keys: [] }
    },
  }
  const ring = await openKeyRing({ ...OPTIONS, keys, refreshMs: 1, meter: createMeter() })
  t.after(() => ring.close())
  isAway = true
  await until(() => ring.fault !== null)
  assert.equal(ring.awaitKey('svc_k_unknown1'), null)
})

test('a reading that is never answered is given up, and the next one has more time', async (t) => {
  const key = createTestKey(createKeyCredential())
  const begun: number[] = []
  const first = Promise.withResolvers<KeyChanges>()
  const readChanges = async (revision: number): Promise<KeyChanges> => {
    if (revision === 0) return { revision: 1, keys: [key] }
    begun.push(systemClock.monotonic())
    if (begun.length === 1) return first.promise
    if (begun.length < 4) return new Promise(() => {})
    first.resolve({ revision: 9, keys: [{ ...key, name: 'too late' }] })
    return { revision: 2, keys: [{ ...key, name: 'in time' }] }
  }
  const warned: unknown[] = []
  const ring = await openKeyRing({
    ...OPTIONS,
    keys: { readChanges },
    refreshMs: 1,
    answerMsMax: 5,
    meter: createMeter(),
    warn: (fields) => void warned.push((fields as { err: Error }).err.message),
  })
  t.after(() => ring.close())
  await until(() => ring.find(key.id)?.name === 'in time')
  assert.equal(ring.fault, null)
  assert.deepEqual(warned, ['no answer within 5 ms'])
  const [, second = 0, third = 0, fourth = 0] = begun
  // Timers may be a millisecond early.
  assert.ok(third - second >= 9, `${third - second} ms`)
  assert.ok(fourth - third >= 19, `${fourth - third} ms`)
})
