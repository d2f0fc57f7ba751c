import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSettingsDatabase } from '../../../../test/fakes/postgres/postgres-settings.ts'
import { openTestDatabase } from '../../../../test/fakes/postgres/test-database.ts'
import { systemClock } from '../../../core/clock.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { openPostgresSettings } from './store.ts'

const clock = systemClock

test('a database without tables is refused with what to do', async (context) => {
  const url = await openTestDatabase(context)
  const opening = openPostgresSettings({ url, clock })
  await assert.rejects(opening, { code: 'store_unusable', hint: /Run weir migrate/ })
})

test('a database that the user may not change is a fault', async (context) => {
  const url = await openSettingsDatabase(context)
  const store = await openPostgresSettings({ url, clock })
  assert.equal(await store.check(), null)
  const database = openPostgresDatabase({ url, name: 'settings store', lock: 1 })
  const name = new URL(url).pathname.slice(1)
  await database.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await database.close()
  const later = await openPostgresSettings({ url, clock })
  assert.match((await later.check()) ?? '', /is read-only/)
  await later.close()
  await store.close()
})
