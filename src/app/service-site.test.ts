import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig } from '../config/config.ts'
import { createServiceSite } from './service-site.ts'

test('measures stores with their logs, journals, and the room that is left', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'weir-site-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const { measureData } = createServiceSite(configOf(dir), 0)
  const empty = await measureData()
  assert.deepEqual([empty.usageBytes, empty.settingsBytes, empty.journalBytes], [0, 0, 0])
  assert.ok((empty.freeBytes ?? 0) > 0)
  mkdirSync(join(dir, 'journal', 'w1'), { recursive: true })
  for (const [name, bytes] of [
    ['usage.db', 1],
    ['usage.db-wal', 2],
    ['settings.db', 4],
    ['settings.db-shm', 8],
    ['other.db', 16],
    ['journal/w1/1.log', 32],
    ['journal/note', 64],
  ] as const) {
    writeFileSync(join(dir, name), 'x'.repeat(bytes))
  }
  const { usageBytes, settingsBytes, journalBytes } = await measureData()
  assert.deepEqual([usageBytes, settingsBytes, journalBytes], [3, 12, 96])
})

test('a directory that is gone has nothing and tells no room', async () => {
  const dir = join(tmpdir(), 'weir-site-that-was-never-made')
  const { measureData } = createServiceSite(configOf(dir), 0)
  assert.deepEqual(await measureData(), {
    usageBytes: 0,
    settingsBytes: 0,
    journalBytes: 0,
    freeBytes: null,
  })
})

test('lists the built-in providers, and those of the configuration with their shape', () => {
  const dir = tmpdir()
  const site = createServiceSite(configOf(dir), 17)
  assert.deepEqual([site.startedAt, site.dataDir, site.retentionDays], [17, dir, 400])
  const ids = site.providers.map(({ id }) => id)
  assert.ok(ids.length > 5 && new Set(ids).size === ids.length)
  assert.ok(site.providers.every(({ url, shape }) => url.startsWith('http') && shape === null))
  const providers = { mine: { url: 'http://127.0.0.1:9', shape: 'openai' as const } }
  const own = createServiceSite({ ...configOf(dir), providers }, 17)
  assert.deepEqual(
    own.providers.find(({ id }) => id === 'mine'),
    { id: 'mine', ...providers.mine },
  )
})

function configOf(dataDir: string) {
  return loadConfig({ env: { WEIR_DATA_DIR: dataDir }, cwd: dataDir })
}
