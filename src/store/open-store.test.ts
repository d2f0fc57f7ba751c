import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../core/clock.ts'
import { openLedgerStore, openLedgerStoreToRead, openSettingsStore } from './open-store.ts'

function createDataDir(context: TestContext): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'weir-backends-'))
  context.after(() => rmSync(dataDir, { recursive: true }))
  return dataDir
}

const ADDRESSES: readonly (readonly [title: string, toAddress: (dataDir: string) => string])[] = [
  ['a directory', (dataDir) => dataDir],
  ['a file URL', (dataDir) => pathToFileURL(dataDir).href],
  ['an sqlite URL', (dataDir) => `sqlite:${dataDir}`],
  ['an sqlite URL with slashes', (dataDir) => `sqlite://${dataDir}`],
]

for (const [title, toAddress] of ADDRESSES) {
  test(`${title} leads to both stores, each in a file of its own`, async (context) => {
    const dataDir = createDataDir(context)
    const place = { dataDir: toAddress(dataDir), clock: systemClock }
    const settings = await openSettingsStore(place)
    const ledger = await openLedgerStore(place)
    assert.deepEqual([await settings.check(), await ledger.check()], [null, null])
    assert.ok(existsSync(path.join(dataDir, 'settings.db')))
    assert.ok(existsSync(path.join(dataDir, 'usage.db')))
    await ledger.close()
    await settings.close()
  })
}

test('an address of another database is refused, and what is supported is named', async () => {
  const place = { dataDir: 'postgres://weir@127.0.0.1/weir', clock: systemClock }
  const refusal = {
    code: 'store_unusable',
    message: /no store for postgres: addresses/,
    hint: /data directory.*file: or sqlite:/,
  }
  await assert.rejects(openSettingsStore(place), refusal)
  await assert.rejects(openLedgerStore(place), refusal)
  await assert.rejects(openLedgerStoreToRead(place), refusal)
})
