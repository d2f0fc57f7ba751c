import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WeirError } from '../core/weir-error.ts'
import { isShared, requireFiles, toSettingsLocation, toUsageLocation } from './store-locations.ts'

const A = 'postgres://weir@127.0.0.1/a'
const B = 'postgres://weir@127.0.0.1/b'

const CALLS = 'clickhouse://weir@127.0.0.1/calls'

const PLACES = [
  [{}, {}, null, null, null],
  [{ url: A }, {}, A, A, null],
  [{ url: A }, { url: B }, A, B, null],
  // The ledger database stays with the settings.
  [{ url: A }, { url: CALLS }, A, A, CALLS],
] as const

for (const [settings, usage, settingsUrl, usageUrl, callsUrl] of PLACES) {
  test(`settings are at ${settingsUrl}, usage at ${usageUrl}, calls at ${callsUrl}`, () => {
    const config = { dataDir: '/d', settings, usage }
    assert.deepEqual(toSettingsLocation(config), { dataDir: '/d', url: settingsUrl })
    assert.deepEqual(toUsageLocation(config), { dataDir: '/d', url: usageUrl, callsUrl })
    assert.equal(isShared(config), settingsUrl !== null)
  })
}

test('a command for files is refused on a database, and says what to do instead', () => {
  const use = { command: 'weir backup', instead: 'Use pg_dump.' }
  requireFiles({ settings: {} }, use)
  assert.throws(
    () => requireFiles({ settings: { url: A } }, use),
    (error: unknown) => error instanceof WeirError && error.hint === 'Use pg_dump.',
  )
})
