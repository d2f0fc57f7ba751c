import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { MIGRATIONS } from './migrations.ts'
import { openSqliteSettings } from './store.ts'

const root = mkdtempSync(path.join(tmpdir(), 'weir-migrations-'))
after(() => rmSync(root, { recursive: true }))

let files = 0
function createPath(): string {
  files += 1
  return path.join(root, `${files}.db`)
}

const clock = { now: () => 5, monotonic: () => 0 }

test('the keys of an old store have no limit of calls at once and use no stored credential', async () => {
  const file = createPath()
  const old = new DatabaseSync(file)
  for (const step of MIGRATIONS.slice(0, 3)) old.exec(step)
  old.exec(`INSERT INTO api_keys VALUES
    ('svc_k_00000000', 'old', 'x', 1, NULL, NULL, '[]', '[]', '{}', '{}', '[]', 60, 1);
    UPDATE settings_revision SET revision = 1;
    PRAGMA user_version = 3`)
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
