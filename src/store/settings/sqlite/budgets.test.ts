import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { PLAIN_BUDGET } from '../../../../test/contracts/settings-scene.ts'
import { MIGRATIONS } from './migrations.ts'
import { openSqliteSettings } from './store.ts'

const root = mkdtempSync(path.join(tmpdir(), 'weir-budgets-'))
after(() => rmSync(root, { recursive: true }))

let files = 0
function createPath(): string {
  files += 1
  return path.join(root, `${files}.db`)
}

const clock = { now: () => 5, monotonic: () => 0 }
const TARGET = { kind: 'slack', address: 'https://hooks.slack.com/a', budgetId: null } as const

test('a budget beyond the limit is refused; one that is removed makes room', async () => {
  const store = await openSqliteSettings({ file: createPath(), clock, budgetsMax: 2 })
  const first = await store.budgets.create(PLAIN_BUDGET)
  await store.budgets.create(PLAIN_BUDGET)
  const seen = await store.budgets.readChanges(-1)
  const refused = { code: 'invalid_argument', message: /2 budgets/, hint: /weir budgets delete/ }
  await assert.rejects(store.budgets.create(PLAIN_BUDGET), refused)
  assert.deepEqual(await store.budgets.readChanges(-1), seen)
  await store.budgets.remove(first.id)
  await store.budgets.create(PLAIN_BUDGET)
  await store.close()
})

test('a target beyond the limit is refused; one that is removed makes room', async () => {
  const store = await openSqliteSettings({ file: createPath(), clock, targetsMax: 1 })
  const target = await store.targets.create(TARGET)
  const refused = { code: 'invalid_argument', message: /1 targets/, hint: /Remove/ }
  await assert.rejects(store.targets.create(TARGET), refused)
  assert.deepEqual(await store.targets.list(), [target])
  await store.targets.remove(target.id)
  await store.targets.create(TARGET)
  await store.close()
})

test('targets are made together or not at all, and a budget with them', async () => {
  const store = await openSqliteSettings({ file: createPath(), clock, targetsMax: 3 })
  const targets = ['a', 'b'].map((path) => ({ ...TARGET, address: `https://x.example/${path}` }))
  const seen = await store.budgets.readChanges(-1)
  const refused = { code: 'invalid_argument', message: /3 targets/ }
  await assert.rejects(store.budgets.create(PLAIN_BUDGET, [...targets, ...targets]), refused)
  await assert.rejects(store.targets.createAll([...targets, ...targets], null), refused)
  assert.deepEqual(await store.budgets.readChanges(-1), seen)
  assert.deepEqual(await store.targets.list(), [])
  const { id } = await store.budgets.create(PLAIN_BUDGET, targets)
  const made = await store.targets.createAll(targets.slice(1), id)
  const listed = await store.targets.list()
  assert.deepEqual(listed.slice(2), made)
  assert.deepEqual(
    listed.map(({ address, budgetId }) => [address, budgetId]),
    [...targets, ...targets.slice(1)].map(({ address }) => [address, id]),
  )
  await store.close()
})

test('the keys of a store from before there were budgets have no limit of calls at once', async () => {
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
  const changed = await store.keys.update('svc_k_00000000', { maxParallel: 3 })
  assert.equal(key?.version, 0)
  assert.deepEqual(changed, { ...key, maxParallel: 3, version: 1 })
  assert.deepEqual((await store.budgets.readChanges(-1))?.budgets, [])
  await store.close()
})
