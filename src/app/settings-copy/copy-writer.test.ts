import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { PLAIN_KEY } from '../../../test/contracts/settings-scene.ts'
import { createState, toReport } from '../../../test/fakes/budget-states.ts'
import { systemClock } from '../../core/clock.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import { StoreBusy } from '../../store/store-busy.ts'
import { readBudgetCopy } from './budget-copy.ts'
import { CopyWriter } from './copy-writer.ts'
import { readKeyCopy } from './key-copy.ts'

const clock = systemClock

async function openScene(t: TestContext) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-copies-'))
  const settings = await openSettingsStore({ dataDir, clock })
  const state: { failure: Error | null; rounds: number } = { failure: null, rounds: 0 }
  const keys = {
    readChanges: async (revision: number) => {
      state.rounds++
      if (state.failure !== null) throw state.failure
      return settings.keys.readChanges(revision)
    },
  }
  const warned: object[] = []
  const writer = new CopyWriter({
    dataDir,
    keys,
    clock,
    warn: (fields) => void warned.push(fields),
    intervalMs: 1,
    confirmMs: 0,
  })
  t.after(async () => {
    await writer.close()
    await settings.close()
    rmSync(dataDir, { recursive: true })
  })
  const copied = (): readonly (string | boolean)[] =>
    (readKeyCopy(dataDir, assert.fail)?.keys ?? []).map(({ revokedAt }) => revokedAt !== null)
  return { dataDir, settings, writer, state, warned, copied }
}

async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setImmediate(resolve))
}

test('the copy follows the keys, and is there before there is one', async (t) => {
  const { dataDir, settings, copied } = await openScene(t)
  await until(() => readKeyCopy(dataDir, assert.fail)?.keys.length === 0)
  const { key } = await settings.keys.create(PLAIN_KEY)
  await until(() => copied().length === 1)
  await settings.keys.revoke(key.id)
  await until(() => copied()[0] === true)
})

test('the copy has the budgets of the last report, also when none is left', async (t) => {
  const { dataDir, writer } = await openScene(t)
  const countBudgets = (): number | undefined => readBudgetCopy(dataDir, () => {})?.states.length
  assert.equal(countBudgets(), undefined)
  writer.noteBudgets(toReport([createState(), createState({ id: 'bud_2' })]))
  await until(() => countBudgets() === 2)
  writer.noteBudgets(toReport([]))
  await until(() => countBudgets() === 0)
})

test('a copy that did not change is marked as still true, not written again', async (t) => {
  const { dataDir, settings, copied } = await openScene(t)
  await settings.keys.create(PLAIN_KEY)
  await until(() => copied().length === 1)
  const place = path.join(dataDir, 'keys-copy.json')
  const before = statSync(place)
  await until(() => statSync(place).mtimeMs > before.mtimeMs)
  assert.equal(statSync(place).ino, before.ino)
})

test('a copy that was removed is written again', async (t) => {
  const { dataDir, settings, copied } = await openScene(t)
  await settings.keys.create(PLAIN_KEY)
  await until(() => copied().length === 1)
  rmSync(path.join(dataDir, 'keys-copy.json'))
  await until(() => copied().length === 1)
})

test('while the database is away the copy stays, without a word about it', async (t) => {
  const { settings, state, warned, copied } = await openScene(t)
  const { key } = await settings.keys.create(PLAIN_KEY)
  await until(() => copied().length === 1)
  state.failure = new StoreBusy('away')
  await settings.keys.revoke(key.id)
  const { rounds } = state
  await until(() => state.rounds > rounds + 2)
  assert.deepEqual(copied(), [false])
  state.failure = null
  await until(() => copied()[0] === true)
  assert.deepEqual(warned, [])
})

test('what else fails is reported once, and tried again', async (t) => {
  const { state, warned, copied, settings } = await openScene(t)
  state.failure = new Error('broken')
  const { rounds } = state
  await until(() => state.rounds > rounds + 2)
  assert.equal(warned.length, 1)
  state.failure = null
  await settings.keys.create(PLAIN_KEY)
  await until(() => copied().length === 1)
})
