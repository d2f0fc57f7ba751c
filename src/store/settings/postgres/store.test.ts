import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { PLAIN_KEY } from '../../../../test/contracts/settings-scene.ts'
import { settingsStoreContract } from '../../../../test/contracts/settings/settings-store-contract.ts'
import {
  createPostgresSettings,
  openSettingsDatabase,
} from '../../../../test/fakes/postgres/postgres-settings.ts'
import {
  listPostgresPrograms,
  openTestDatabase,
} from '../../../../test/fakes/postgres/test-database.ts'
import { systemClock } from '../../../core/clock.ts'
import { openPostgresDatabase } from '../../postgres/database.ts'
import { openPostgresSettings } from './store.ts'

for (const programs of listPostgresPrograms()) {
  settingsStoreContract(programs.title, createPostgresSettings(programs))
}

const clock = systemClock

test('a poller misses no change of several nodes that change at once', async (context) => {
  const url = await openSettingsDatabase(context)
  const nodes = await Promise.all([1, 2, 3, 4].map(() => openPostgresSettings({ url, clock })))
  const reader = await openPostgresSettings({ url, clock })
  const seen = new Map<string, number | null>()
  let revision = 0
  async function poll(): Promise<void> {
    const changes = await reader.keys.readChanges(revision)
    revision = changes.revision
    for (const { id, revokedAt } of changes.keys) seen.set(id, revokedAt)
  }
  let isOver = false
  const polling = (async () => {
    while (!isOver) await poll()
  })()
  const changing = nodes.map(async (node) => {
    for (let count = 0; count < 10; count += 1) {
      const { key } = await node.keys.create(PLAIN_KEY)
      await node.keys.revoke(key.id)
    }
  })
  await Promise.all(changing)
  isOver = true
  await polling
  await poll()
  assert.equal(revision, 80)
  const keys = await reader.keys.list()
  assert.equal(keys.length, 40)
  for (const { id, revokedAt } of keys) assert.equal(seen.get(id), revokedAt)
  for (const store of [...nodes, reader]) await store.close()
})

test('a database without tables is refused with what to do', async (context) => {
  const url = await openTestDatabase(context)
  const opening = openPostgresSettings({ url, clock })
  await assert.rejects(opening, { code: 'store_unusable', hint: /Run weir migrate/ })
})

test('what a node with a fast clock made has the time of the database', async (context) => {
  const url = await openSettingsDatabase(context)
  const fast = { ...clock, now: () => clock.now() + 3_600_000 }
  const one = await openPostgresSettings({ url, clock: fast })
  const { token } = await one.tokens.create({ name: 'ci', scopes: ['admin'], expiresAt: null })
  assert.ok(Math.abs(token.createdAt - clock.now()) < 60_000)
  assert.ok(Math.abs(one.clock.offsetMs() + 3_600_000) < 60_000)
  await one.close()
})

test('a database that can only be read is a fault', async (context) => {
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

test('tables that the user of the URL may only read are a fault', async (context) => {
  const url = await openSettingsDatabase(context)
  const database = openPostgresDatabase({ url, name: 'settings store', lock: 1 })
  const reader = `reader_${randomBytes(8).toString('hex')}`
  await database.run(`CREATE ROLE ${reader} LOGIN`)
  await database.run(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${reader}`)
  const store = await openPostgresSettings({ url: url.replace('weir@', `${reader}@`), clock })
  assert.match((await store.check()) ?? '', /may not be changed by the URL's user/)
  const refused = { code: 'store_unusable', hint: /Grant the user of the URL/ }
  await assert.rejects(store.keys.create(PLAIN_KEY), refused)
  await store.close()
  await database.run(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`)
  await database.close()
})
