// What every settings store must do, as tests. A backend runs it with a few lines of its own.

import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { isSecretOf, parseTokenCredential } from '../../src/core/ids.ts'
import { settingsAuditContract, settingsAuditLogContract } from './settings-audit-contract.ts'
import { settingsAlertsContract } from './settings-alerts-contract.ts'
import { settingsBudgetsContract, settingsTargetsContract } from './settings-budgets-contract.ts'
import { settingsDeliveriesContract } from './settings-deliveries-contract.ts'
import { settingsChangesContract, settingsKeysContract } from './settings-keys-contract.ts'
import { settingsPricesContract } from './settings-prices-contract.ts'
import { settingsRotationContract, settingsSessionsContract } from './settings-sessions-contract.ts'
import { settingsSetupContract } from './settings-setup-contract.ts'
import { settingsSnapshotsContract } from './settings-snapshots-contract.ts'
import { settingsUserLinksContract, settingsUsersContract } from './settings-users-contract.ts'
import { createRun, FULL_KEY, MINUTE_MS, PLAIN_KEY, secretOf, START_MS } from './settings-scene.ts'
import type { OpenSettings, Run } from './settings-scene.ts'

export function settingsStoreContract(name: string, open: OpenSettings): void {
  const run = createRun(open)
  describe(`${name}: keys`, () => settingsKeysContract(run))
  describe(`${name}: key changes`, () => settingsChangesContract(run))
  describe(`${name}: prices`, () => settingsPricesContract(run))
  describe(`${name}: budgets`, () => settingsBudgetsContract(run))
  describe(`${name}: targets of alerts`, () => settingsTargetsContract(run))
  describe(`${name}: alerts`, () => settingsAlertsContract(run))
  describe(`${name}: deliveries`, () => settingsDeliveriesContract(run))
  describe(`${name}: snapshots`, () => settingsSnapshotsContract(run))
  describe(`${name}: tokens`, () => tokenTests(run))
  describe(`${name}: users`, () => settingsUsersContract(run))
  describe(`${name}: passwords and links of users`, () => settingsUserLinksContract(run))
  describe(`${name}: sessions`, () => settingsSessionsContract(run))
  describe(`${name}: the rotation of sessions`, () => settingsRotationContract(run))
  describe(`${name}: what the audit log tells`, () => settingsAuditContract(run))
  describe(`${name}: the audit log`, () => settingsAuditLogContract(run))
  describe(`${name}: the setup code`, () => settingsSetupContract(run))
  describe(`${name}: the store`, () => storeTests(run))
}

function tokenTests(run: Run): void {
  const settings = { name: 'reader', scopes: ['read:usage', 'read:keys'], expiresAt: null } as const

  run('a created token is found, and only its hash is kept', async ({ store }) => {
    const { token, credential } = await store.tokens.create({ ...settings, expiresAt: 7 })
    const { id, secretHash, ...rest } = token
    assert.match(id, /^svc_agt_[a-z0-9]{8,32}$/)
    const times = { createdAt: START_MS, expiresAt: 7, revokedAt: null, lastUsedAt: null }
    assert.deepEqual(rest, { ...settings, ...times })
    assert.equal(parseTokenCredential(credential)?.id, id)
    assert.ok(isSecretOf(secretOf(credential), secretHash))
    assert.deepEqual(await store.tokens.find(id), token)
    assert.deepEqual(await store.tokens.list(), [token])
  })

  run('a revoked token keeps the first moment of its revocation', async ({ store, clock }) => {
    const { token } = await store.tokens.create(settings)
    const revoked = await store.tokens.revoke(token.id)
    clock.nowMs += MINUTE_MS
    assert.deepEqual(revoked, { ...token, revokedAt: START_MS })
    assert.deepEqual(await store.tokens.revoke(token.id), revoked)
    assert.deepEqual(await store.tokens.find(token.id), revoked)
  })

  run('a token that does not exist is answered with null', async ({ store }) => {
    assert.equal(await store.tokens.find('svc_agt_00000000'), null)
    assert.equal(await store.tokens.revoke('svc_agt_00000000'), null)
    await store.tokens.touch('svc_agt_00000000')
    assert.deepEqual(await store.tokens.list(), [])
  })

  run('the last use of a token is kept to the minute', async ({ store, clock }) => {
    const { token } = await store.tokens.create(settings)
    const other = await store.tokens.create(settings)
    const lastUse = async (): Promise<number | null | undefined> => {
      await store.tokens.touch(token.id)
      return (await store.tokens.find(token.id))?.lastUsedAt
    }
    assert.equal(await lastUse(), START_MS)
    clock.nowMs = START_MS + MINUTE_MS - 1
    assert.equal(await lastUse(), START_MS)
    clock.nowMs = START_MS + MINUTE_MS
    assert.equal(await lastUse(), START_MS + MINUTE_MS)
    assert.equal((await store.tokens.find(other.token.id))?.lastUsedAt, null)
  })
}

function storeTests(run: Run): void {
  run('what was stored is there after it was opened again', async ({ store, reopen }) => {
    await store.keys.create(FULL_KEY)
    await store.tokens.create({ name: 'reader', scopes: ['read:usage'], expiresAt: null })
    const before = [await store.keys.list(), await store.tokens.list()]
    const { revision } = await store.keys.readChanges(0)
    await store.close()
    const again = await reopen()
    assert.deepEqual([await again.keys.list(), await again.tokens.list()], before)
    assert.equal((await again.keys.readChanges(0)).revision, revision)
  })

  run('a sound store has no fault', async ({ store }) => {
    assert.equal(await store.check(), null)
  })

  run('closing twice does no harm', async ({ store }) => {
    await store.close()
    await store.close()
  })

  run('a closed store says so', async ({ store }) => {
    await store.close()
    await assert.rejects(store.keys.list(), { code: 'store_unusable' })
    await assert.rejects(store.keys.create(PLAIN_KEY), { code: 'store_unusable' })
  })
}
