import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasStoredCredential } from './provider-credentials.ts'

const url = 'http://127.0.0.1:1'
const rule = { use: 'env:A', dim: 'team=a' }

const CASES = [
  ['a credential', { credential: 'env:A' }, true],
  ['a rule', { credentials: [rule] }, true],
  ['both', { credential: 'file:/a', credentials: [rule] }, true],
  ['no rule', { credentials: [] }, false],
  ['an address alone', { url } as object, false],
] as const

for (const [what, provider, expected] of CASES) {
  test(`with ${what}, a credential is ${expected ? '' : 'not '}stored for a provider`, () => {
    assert.equal(hasStoredCredential({ providers: { acme: provider } }, 'acme'), expected)
    assert.equal(hasStoredCredential({ providers: { acme: provider } }, 'other'), false)
  })
}
