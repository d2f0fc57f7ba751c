import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../core/clock.ts'
import { openSettingsStore, openUsageStore } from './open-store.ts'

test('a data directory holds both stores, each in a file of its own', async (context) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-backends-'))
  context.after(() => rmSync(dataDir, { recursive: true }))
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const usage = await openUsageStore({ dataDir, clock: systemClock })
  assert.deepEqual([await settings.check(), await usage.check()], [null, null])
  assert.ok(existsSync(path.join(dataDir, 'settings.db')))
  assert.ok(existsSync(path.join(dataDir, 'usage.db')))
  await usage.close()
  await settings.close()
})
