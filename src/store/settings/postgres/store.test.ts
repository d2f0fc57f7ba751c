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
import { migratePostgres, requireSchema } from '../../postgres/migrate.ts'
import { SETTINGS_SCHEMA } from './schema.ts'
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

// The columns that Weir 0.1.0 names when it writes a key: it knows no stored credentials.
const COLUMNS_BEFORE = `id, name, secret_hash, created_at, expires_at, revoked_at, allowed_models,
  allowed_providers, default_dims, locked_dims, required_dims, rate_limit_rpm, max_parallel,
  owner, note, old_secret_hash, old_secret_ends_at, version, revision`

test('a node of the version before makes and changes keys, and leaves them their right', async (context) => {
  const url = await openSettingsDatabase(context)
  const store = await openPostgresSettings({ url, clock })
  const rightsGiven = { useCredentials: ['acme', 'other'], allowDerivedTokens: true }
  const { key } = await store.keys.create({ ...PLAIN_KEY, ...rightsGiven })
  const database = openPostgresDatabase({ url, name: 'settings store', lock: 1 })
  const older = { ...SETTINGS_SCHEMA, steps: SETTINGS_SCHEMA.steps.slice(0, 1) }
  await requireSchema(database, older)
  const values = COLUMNS_BEFORE.replace('allowed_providers', `'["acme"]'`)
  await database.run(
    `UPDATE api_keys SET (${COLUMNS_BEFORE}) = (SELECT ${values} FROM api_keys) WHERE id = ?`,
    [key.id],
  )
  const fresh = values.replace('id,', `'svc_k_00000000',`)
  await database.run(`INSERT INTO api_keys (${COLUMNS_BEFORE}) SELECT ${fresh} FROM api_keys`)
  await database.close()
  const keys = await store.keys.list()
  const rights = new Map(
    keys.map(({ id, useCredentials, allowDerivedTokens }) => {
      return [id, { useCredentials, allowDerivedTokens }] as const
    }),
  )
  assert.deepEqual([rights.size, rights.get(key.id)], [2, rightsGiven])
  const none = { useCredentials: [], allowDerivedTokens: false }
  assert.deepEqual(rights.get('svc_k_00000000'), none)
  // Its lists contradict each other now: everything else of it can be changed, and it can be ended.
  assert.equal((await store.keys.update(key.id, { name: 'ads' }))?.name, 'ads')
  await assert.rejects(store.keys.update(key.id, { useCredentials: ['other'] }), {
    code: 'invalid_argument',
  })
  assert.ok(await store.keys.rotate(key.id))
  assert.ok(await store.keys.revoke(key.id))
  await store.close()
})

test('users of before keep their order and sessions, and may get roles that are new', async (context) => {
  const url = await openTestDatabase(context)
  const database = openPostgresDatabase({ url, name: 'settings store', lock: 1 })
  await migratePostgres(database, { ...SETTINGS_SCHEMA, steps: SETTINGS_SCHEMA.steps.slice(0, 5) })
  const ids = ['user_z', 'user_a', 'user_m']
  for (const id of ids) {
    await database.run(
      `INSERT INTO users (id, email, name, role, created_at) VALUES (?, ?, ?, 'viewer', 1)`,
      [id, id, id],
    )
    const session = `INSERT INTO sessions (id, user_id, secret_hash, created_at, expires_at,
      last_seen_at, rotated_at) VALUES (?, ?, 'x', 1, ?, 1, 1)`
    await database.run(session, [id, id, Number.MAX_SAFE_INTEGER])
  }
  await migratePostgres(database, SETTINGS_SCHEMA)
  // What the version before knows of a user.
  await database.run(`INSERT INTO users (id, email, name, role, password_hash, created_at, version)
    VALUES ('user_b', 'b', 'b', 'viewer', NULL, 1, 0)`)
  await assert.rejects(database.run(`UPDATE users SET role = 'owner'`), /check constraint/)
  await database.close()
  const store = await openPostgresSettings({ url, clock })
  const users = await store.users.list()
  assert.deepEqual(
    users.map(({ id, role }) => `${id} ${role}`),
    [...ids, 'user_b'].map((id) => `${id} viewer`),
  )
  for (const id of ids) assert.equal((await store.sessions.list(id)).length, 1)
  assert.equal((await store.users.update('user_z', { role: 'finance' }))?.role, 'finance')
  await store.close()
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
  const { token } = await one.tokens.create({
    name: 'ci',
    scopes: ['admin'],
    teamId: null,
    expiresAt: null,
  })
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
