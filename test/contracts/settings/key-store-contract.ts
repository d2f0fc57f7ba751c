// The part of the settings store's contract that is about API keys and the telling of their
// changes.

import assert from 'node:assert/strict'
import type { ApiKey } from '../../../src/core/api-key.ts'
import { isSecretOf, parseKeyCredential } from '../../../src/core/ids.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import {
  FULL_KEY,
  lastLine,
  listAudit,
  MINUTE_MS,
  PLAIN_BUDGET,
  PLAIN_KEY,
  secretOf,
  START_MS,
} from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

async function onlyKey(store: SettingsStore): Promise<ApiKey> {
  const [key, ...others] = await store.keys.list()
  assert.ok(key)
  assert.deepEqual(others, [])
  return key
}

export function keyStoreContract(run: Run): void {
  run('a created key carries what was decided about it', async ({ store }) => {
    const { key } = await store.keys.create(FULL_KEY)
    const { id, secretHash, oldSecret, version, ...rest } = key
    assert.equal(oldSecret, null)
    assert.equal(version, await lastLine(store))
    assert.match(id, /^svc_k_[a-z0-9]{8,32}$/)
    assert.match(secretHash, /^[0-9a-f]{64}$/)
    assert.deepEqual(rest, { ...FULL_KEY, createdAt: START_MS, revokedAt: null, pausedAt: null })
    assert.deepEqual(await onlyKey(store), key)
  })

  run('only the hash of its secret is kept', async ({ store }) => {
    const { key, credential } = await store.keys.create(PLAIN_KEY)
    assert.equal(parseKeyCredential(credential)?.id, key.id)
    assert.ok(isSecretOf(secretOf(credential), key.secretHash))
    assert.ok(!JSON.stringify(await store.keys.list()).includes(secretOf(credential)))
  })

  run('keys of the same name are different keys', async ({ store }) => {
    const first = await store.keys.create(PLAIN_KEY)
    const second = await store.keys.create(PLAIN_KEY)
    assert.notEqual(first.key.id, second.key.id)
    assert.equal((await store.keys.list()).length, 2)
  })

  run('keys are listed by age', async ({ store, clock }) => {
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      clock.nowMs += 1
      ids.push((await store.keys.create(PLAIN_KEY)).key.id)
    }
    assert.deepEqual(
      (await store.keys.list()).map((key) => key.id),
      ids,
    )
  })

  run('an update changes what it names and nothing else', async ({ store }) => {
    const { key } = await store.keys.create(FULL_KEY)
    const change = { name: 'ads', allowedModels: [], lockedDims: { env: 'test' } }
    const changed = await store.keys.update(key.id, change)
    assert.deepEqual(changed, { ...key, ...change, version: await lastLine(store) })
    assert.ok(changed.version > key.version)
    assert.deepEqual(await onlyKey(store), changed)
  })

  run('an update can take away what was set', async ({ store }) => {
    const { key } = await store.keys.create(FULL_KEY)
    const change = { expiresAt: null, rateLimitRpm: null, maxParallel: null }
    const changed = await store.keys.update(key.id, change)
    assert.deepEqual(changed, { ...key, ...change, version: await lastLine(store) })
    assert.deepEqual(await onlyKey(store), changed)
  })

  run('a key uses stored credentials of the providers that it may call', async ({ store }) => {
    const refused = { code: 'invalid_argument', message: /^The key may not call other, so/ }
    const lists = { allowedProviders: ['acme'], useCredentials: ['acme', 'other'] }
    await assert.rejects(store.keys.create({ ...PLAIN_KEY, ...lists }), refused)
    assert.deepEqual(await store.keys.list(), [])
    const { key } = await store.keys.create({ ...PLAIN_KEY, useCredentials: ['acme', 'other'] })
    // Each list is judged with the other one as it is stored.
    await assert.rejects(store.keys.update(key.id, { allowedProviders: ['acme'] }), refused)
    const narrowed = await store.keys.update(key.id, {
      allowedProviders: ['acme'],
      useCredentials: ['acme'],
    })
    await assert.rejects(store.keys.update(key.id, { useCredentials: ['other'] }), refused)
    assert.deepEqual(await onlyKey(store), narrowed)
    const taken = await store.keys.update(key.id, { useCredentials: [] })
    assert.deepEqual(taken?.useCredentials, [])
  })

  run('a rotated key has a new secret under the same id', async ({ store }) => {
    const created = await store.keys.create(FULL_KEY)
    const rotated = await store.keys.rotate(created.key.id)
    assert.ok(rotated)
    const { secretHash, version } = rotated.key
    assert.deepEqual(rotated.key, { ...created.key, secretHash, version })
    assert.ok(version > created.key.version)
    assert.equal(parseKeyCredential(rotated.credential)?.id, created.key.id)
    assert.ok(isSecretOf(secretOf(rotated.credential), rotated.key.secretHash))
    assert.ok(!isSecretOf(secretOf(created.credential), rotated.key.secretHash))
    assert.deepEqual(await onlyKey(store), rotated.key)
  })

  run('the secret before a rotation is kept for its grace', async ({ store }) => {
    const created = await store.keys.create(PLAIN_KEY)
    const { id } = created.key
    const first = await store.keys.rotate(id, MINUTE_MS)
    assert.deepEqual(first?.key.oldSecret, {
      hash: created.key.secretHash,
      endsAt: START_MS + MINUTE_MS,
    })
    const second = await store.keys.rotate(id, MINUTE_MS)
    assert.equal(second?.key.oldSecret?.hash, first.key.secretHash)
    const ended = await store.keys.endGrace(id)
    assert.deepEqual(ended, { ...second.key, oldSecret: null, version: await lastLine(store) })
    assert.equal((await store.keys.rotate(id))?.key.oldSecret, null)
    assert.equal(await store.keys.endGrace('svc_k_00000000'), null)
  })

  run('a revoked key keeps the first moment of its revocation', async ({ store, clock }) => {
    const { key } = await store.keys.create(PLAIN_KEY)
    clock.nowMs += MINUTE_MS
    const revoked = await store.keys.revoke(key.id)
    clock.nowMs += MINUTE_MS
    const version = await lastLine(store)
    assert.deepEqual(revoked, { ...key, revokedAt: START_MS + MINUTE_MS, version })
    assert.deepEqual(await store.keys.revoke(key.id), revoked)
    assert.deepEqual(await onlyKey(store), revoked)
  })

  run('a paused key keeps the first moment until it is resumed', async ({ store, clock }) => {
    const { key } = await store.keys.create(PLAIN_KEY)
    const paused = await store.keys.pause(key.id)
    assert.deepEqual(paused, { ...key, pausedAt: START_MS, version: await lastLine(store) })
    clock.nowMs += MINUTE_MS
    assert.deepEqual(await store.keys.pause(key.id), paused)
    assert.equal((await store.keys.update(key.id, { name: 'ads' }))?.pausedAt, START_MS)
    const revoked = await store.keys.revoke(key.id)
    assert.deepEqual([revoked?.pausedAt, revoked?.revokedAt], [START_MS, clock.nowMs])
    const resumed = await store.keys.resume(key.id)
    assert.deepEqual([resumed?.pausedAt, resumed?.revokedAt], [null, clock.nowMs])
    assert.deepEqual(await store.keys.resume(key.id), resumed)
    assert.deepEqual(await onlyKey(store), resumed)
    const lines = (await listAudit(store)).map(({ action }) => action)
    assert.deepEqual(lines.slice(0, 3), ['key.resume', 'key.revoke', 'key.update'])
  })

  run('a revoked key stays revoked when it is changed or rotated', async ({ store }) => {
    const { key } = await store.keys.create(PLAIN_KEY)
    await store.keys.revoke(key.id)
    assert.equal((await store.keys.update(key.id, { name: 'ads' }))?.revokedAt, START_MS)
    assert.equal((await store.keys.rotate(key.id))?.key.revokedAt, START_MS)
  })

  run(
    'a key is made with its budget, or neither is',
    async ({ store }) => {
      const { scope: _scope, ...budget } = PLAIN_BUDGET
      const made = await store.keys.create(PLAIN_KEY, budget)
      assert.deepEqual(await store.budgets.list(), [made.budget])
      assert.deepEqual(made.budget?.scope, { kind: 'api_key', keyId: made.key.id })
      assert.deepEqual({ ...made.budget, ...budget }, made.budget)
      assert.equal((await store.keys.create(PLAIN_KEY)).budget, undefined)
      await assert.rejects(store.keys.create(PLAIN_KEY, budget), /budgets, the most/)
      assert.equal((await store.keys.list()).length, 2)
    },
    { budgetsMax: 1 },
  )

  run('a key that does not exist is answered with null', async ({ store }) => {
    assert.equal(await store.keys.update('svc_k_00000000', { name: 'x' }), null)
    assert.equal(await store.keys.rotate('svc_k_00000000'), null)
    assert.equal(await store.keys.pause('svc_k_00000000'), null)
    assert.equal(await store.keys.resume('svc_k_00000000'), null)
    assert.equal(await store.keys.revoke('svc_k_00000000'), null)
    assert.deepEqual(await store.keys.list(), [])
  })
}

export function keyChangesContract(run: Run): void {
  run('a new store has no changes', async ({ store }) => {
    const changes = await store.keys.readChanges(0)
    assert.deepEqual(changes.keys, [])
    assert.deepEqual(await store.keys.readChanges(changes.revision), changes)
  })

  run('revision 0 stands for everything', async ({ store }) => {
    const first = await store.keys.create(PLAIN_KEY)
    const second = await store.keys.create(FULL_KEY)
    const changes = await store.keys.readChanges(0)
    assert.ok(changes.revision > 0)
    assert.deepEqual(changes.keys, [first.key, second.key])
  })

  run('every kind of change is seen once, by another process too', async ({ store, reopen }) => {
    const { key } = await store.keys.create(PLAIN_KEY)
    const other = await store.keys.create(FULL_KEY)
    const reader = await reopen()
    let { revision } = await reader.keys.readChanges(0)
    const changes = [
      () => store.keys.update(key.id, { rateLimitRpm: 60 }),
      () => store.keys.update(key.id, { maxParallel: 2 }),
      async () => (await store.keys.rotate(key.id))?.key,
      () => store.keys.pause(key.id),
      () => store.keys.resume(key.id),
      () => store.keys.revoke(key.id),
    ]
    for (const change of changes) {
      const changed = await change()
      const seen = await reader.keys.readChanges(revision)
      assert.deepEqual(seen.keys, [changed])
      assert.ok(seen.revision > revision)
      revision = seen.revision
      assert.deepEqual(await reader.keys.readChanges(revision), { revision, keys: [] })
    }
    assert.deepEqual((await reader.keys.readChanges(0)).keys[0], other.key)
  })

  run('what changed nothing is not seen', async ({ store }) => {
    const { key } = await store.keys.create(PLAIN_KEY)
    await store.keys.revoke(key.id)
    const { revision } = await store.keys.readChanges(0)
    await store.keys.revoke(key.id)
    await store.keys.update(key.id, {})
    await store.keys.rotate('svc_k_00000000')
    await store.tokens.create({
      name: 'reader',
      scopes: ['read:usage'],
      teamId: null,
      expiresAt: null,
    })
    assert.deepEqual(await store.keys.readChanges(revision), { revision, keys: [] })
  })

  run('a reader ahead of the store is given everything', async ({ store }) => {
    const { key } = await store.keys.create(PLAIN_KEY)
    const { revision } = await store.keys.readChanges(0)
    assert.deepEqual(await store.keys.readChanges(revision + 1000), {
      revision,
      keys: [key],
      isAll: true,
    })
  })

  run('changes made at once over two connections are all seen', async ({ store, reopen }) => {
    const other = await reopen()
    const { revision } = await store.keys.readChanges(0)
    const created = await Promise.all(
      Array.from({ length: 10 }, () => [store, other])
        .flat()
        .map((each) => each.keys.create(PLAIN_KEY)),
    )
    const seen = await store.keys.readChanges(revision)
    assert.deepEqual(
      new Set(seen.keys.map((key) => key.id)),
      new Set(created.map(({ key }) => key.id)),
    )
    assert.equal(seen.keys.length, created.length)
  })
}
