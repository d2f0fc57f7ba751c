import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  createKeyCredential,
  createRequestId,
  createSessionCredential,
  createTokenCredential,
  formatCredential,
  hashSecret,
  isSecretOf,
  parseKeyCredential,
  parseSessionCredential,
  parseTokenCredential,
} from './ids.ts'

test('request ids are UUIDv7 of their moment, sort by time, and never repeat', () => {
  const at = Date.UTC(2026, 5, 1)
  const ids = Array.from({ length: 2000 }, (_, index) => createRequestId(at + index))
  for (const [index, id] of ids.entries()) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), at + index)
  }
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids.map((id) => id.slice(14))).size, ids.length)
})

test('a credential reads back as what it was, and only as its own kind', () => {
  const made = [createKeyCredential(), createTokenCredential(), createSessionCredential()]
  const parsers = [parseKeyCredential, parseTokenCredential, parseSessionCredential]
  for (const [kind, credential] of made.entries()) {
    for (const [other, parse] of parsers.entries()) {
      assert.deepEqual(parse(formatCredential(credential)), kind === other ? credential : null)
    }
  }
})

test('a secret has at least 192 random bits', () => {
  assert.ok(Buffer.from(createKeyCredential().secret, 'base64url').length * 8 >= 192)
})

const MALFORMED = ['', 'svc_k_', 'svc_k_abcdefgh', 'svc_k_abcdefgh.', 'svc_k_abcdefgh.short', 'x']

for (const text of MALFORMED) {
  test(`${JSON.stringify(text)} is no credential`, () => {
    assert.equal(parseKeyCredential(text), null)
  })
}

test('a secret is known by its hash alone', () => {
  const { secret } = createKeyCredential()
  const hash = hashSecret(secret)
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.equal(isSecretOf(secret, hash), true)
  assert.equal(isSecretOf(`${secret}x`, hash), false)
  assert.equal(isSecretOf(secret, 'not a hash'), false)
})
