import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WeirError } from '../core/weir-error.ts'
import { isShared, requireFiles, toSettingsPlace, toUsagePlace } from './store-places.ts'

const A = 'postgres://weir@127.0.0.1/a'
const B = 'postgres://weir@127.0.0.1/b'

const PLACES = [
  [{}, {}, null, null],
  [{ url: A }, {}, A, A],
  [{ url: A }, { url: B }, A, B],
] as const

for (const [settings, usage, settingsUrl, usageUrl] of PLACES) {
  test(`settings are at ${settingsUrl}, usage at ${usageUrl}`, () => {
    const config = { dataDir: '/d', settings, usage }
    assert.deepEqual(toSettingsPlace(config), { dataDir: '/d', url: settingsUrl })
    assert.deepEqual(toUsagePlace(config), { dataDir: '/d', url: usageUrl })
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
