import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openSqliteSettings, SQLITE_SETTINGS } from '../sqlite/store.ts'

const root = mkdtempSync(path.join(tmpdir(), 'weir-migrations-'))
after(() => rmSync(root, { recursive: true }))

let files = 0
function createPath(): string {
  files += 1
  return path.join(root, `${files}.db`)
}

const clock = { now: () => 5, monotonic: () => 0 }

test('the keys of Weir 0.1.0 use no stored credential', async () => {
  const file = createPath()
  const old = new DatabaseSync(file)
  old.exec(SQLITE_SETTINGS.migrations[0] ?? '')
  old.exec(`INSERT INTO api_keys (id, name, secret_hash, created_at, allowed_models,
      allowed_providers, default_dims, locked_dims, required_dims, rate_limit_rpm, revision)
    VALUES ('svc_k_00000000', 'old', 'x', 1, '[]', '[]', '{}', '{}', '[]', 60, 1);
    UPDATE settings_revision SET revision = 1;
    PRAGMA user_version = 12`)
  old.close()
  const store = await openSqliteSettings({ file, clock })
  const [key] = await store.keys.list()
  assert.deepEqual([key?.rateLimitRpm, key?.maxParallel], [60, null])
  assert.deepEqual([key?.useCredentials, key?.allowDerivedTokens], [[], false])
  const changed = await store.keys.update('svc_k_00000000', { maxParallel: 3 })
  assert.equal(key?.version, 0)
  assert.deepEqual(changed, { ...key, maxParallel: 3, version: 1 })
  assert.deepEqual((await store.budgets.readChanges(-1))?.budgets, [])
  await store.close()
})

test('the users of Weir 0.1.0 keep their order, sessions and views, and may get other roles', async () => {
  const file = createPath()
  const old = new DatabaseSync(file)
  old.exec(SQLITE_SETTINGS.migrations[0] ?? '')
  const names = ['z', 'a', 'm']
  for (const name of names) {
    old.exec(`INSERT INTO users (id, email, name, role, password_hash, created_at)
        VALUES ('user_${name}', '${name}@example.com', '${name}', 'admin', 'x', 1);
      INSERT INTO user_links VALUES ('user_${name}', '${name}', 1);
      INSERT INTO sessions VALUES ('${name}', 'user_${name}', 'x', 1, 9, 1, 1, NULL, NULL);
      INSERT INTO saved_views VALUES ('${name}', 'user_${name}', 'explore', 'v', 'q', 0, 1, 1)`)
  }
  old.exec(`UPDATE users SET role = 'viewer' WHERE id = 'user_m'; PRAGMA user_version = 12`)
  old.close()
  const store = await openSqliteSettings({ file, clock })
  const users = await store.users.list()
  assert.deepEqual(
    users.map(({ name, role }) => [name, role]),
    [
      ['z', 'admin'],
      ['a', 'admin'],
      ['m', 'viewer'],
    ],
  )
  for (const { id } of users) {
    assert.deepEqual((await store.sessions.list(id)).length, 1)
    assert.deepEqual((await store.views.list(id)).length, 1)
  }
  assert.equal((await store.users.update('user_m', { role: 'none' }))?.role, 'none')
  assert.deepEqual(await store.sessions.list('user_m'), [])
  await store.users.remove('user_a')
  assert.deepEqual(await store.views.list('user_a'), [])
  await store.close()
  const raw = new DatabaseSync(file)
  assert.throws(() => raw.exec(`UPDATE users SET role = 'owner'`), /CHECK/)
  assert.deepEqual(raw.prepare('SELECT user_id FROM user_links ORDER BY code_hash').all().length, 2)
  assert.deepEqual(raw.prepare('PRAGMA foreign_key_check').all(), [])
  raw.close()
})
