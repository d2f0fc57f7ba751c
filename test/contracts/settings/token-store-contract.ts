// What every store of access tokens must do.

import assert from 'node:assert/strict'
import { isSecretOf, parseTokenCredential } from '../../../src/core/ids.ts'
import { MINUTE_MS, secretOf, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

export function tokenStoreContract(run: Run): void {
  const settings = {
    name: 'reader',
    scopes: ['read:usage', 'read:keys'],
    teamId: null,
    expiresAt: null,
  } as const

  run('a created token is found, and only its hash is kept', async ({ store }) => {
    const own = { teamId: 'team_0123456789abcdef', expiresAt: 7 }
    const { token, credential } = await store.tokens.create({ ...settings, ...own })
    const { id, secretHash, ...rest } = token
    assert.match(id, /^svc_agt_[a-z0-9]{8,32}$/)
    const times = { createdAt: START_MS, revokedAt: null, lastUsedAt: null }
    assert.deepEqual(rest, { ...settings, ...own, ...times })
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
