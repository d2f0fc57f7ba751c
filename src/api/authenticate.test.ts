import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccessToken } from '../core/api-key.ts'
import {
  createKeyCredential,
  createTokenCredential,
  formatCredential,
  hashSecret,
} from '../core/ids.ts'
import { authenticate } from './authenticate.ts'

const NOW = Date.parse('2026-03-15T12:00:00Z')

const credential = createTokenCredential()
const text = formatCredential(credential)
const other = createTokenCredential()

const ACTIVE: AccessToken = {
  id: credential.id,
  name: 'test',
  secretHash: hashSecret(credential.secret),
  scopes: ['read:usage'],
  teamId: null,
  createdAt: NOW - 1000,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
}

const storeOf = (token: AccessToken) => ({
  find: (id: string) => Promise.resolve(id === token.id ? token : null),
})

const ask = (authorization: string | undefined, token: AccessToken = ACTIVE) =>
  authenticate(authorization, { tokens: storeOf(token), nowMs: NOW, scope: 'read:keys' })

for (const authorization of [`Bearer ${text}`, `bearer ${text}`, `BEARER  ${text}`]) {
  test(`accepts ${authorization.slice(0, 8)}…`, async () => {
    assert.equal(await ask(authorization), ACTIVE)
  })
}

test('accepts a token until the millisecond at which it expires', async () => {
  await ask(`Bearer ${text}`, { ...ACTIVE, expiresAt: NOW + 1 })
  await assert.rejects(ask(`Bearer ${text}`, { ...ACTIVE, expiresAt: NOW }), /has expired/)
})

const REFUSED: readonly (readonly [string, string | undefined])[] = [
  ['no header', undefined],
  ['an empty header', ''],
  ['the scheme alone', 'Bearer'],
  ['another scheme', `Basic ${text}`],
  ['no scheme', text],
  ['two tokens', `Bearer ${text}, Bearer ${text}`],
  ['something after the token', `Bearer ${text} x`],
  ['a token cut short', `Bearer ${text.slice(0, -1)}`],
  ['the id alone', `Bearer ${credential.id}`],
  ['the secret of another token', `Bearer ${credential.id}.${other.secret}`],
  ['a token that is not there', `Bearer ${formatCredential(other)}`],
  ["a caller's key", `Bearer ${formatCredential(createKeyCredential())}`],
]

for (const [name, authorization] of REFUSED) {
  test(`refuses ${name}`, async () => {
    await assert.rejects(ask(authorization), {
      code: 'unauthorized',
      status: 401,
      hint: /--scope read:keys$/,
    })
  })
}

test('says only to who has the secret that a token was revoked', async () => {
  const revoked = { ...ACTIVE, revokedAt: NOW - 1 }
  await assert.rejects(ask(`Bearer ${text}`, revoked), /was revoked/)
  await assert.rejects(ask(`Bearer ${credential.id}.${other.secret}`, revoked), /no such/)
})
