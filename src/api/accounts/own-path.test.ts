import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toOwnPath } from './own-path.ts'

test('a path of our own is kept as it is', () => {
  for (const path of ['/', '/explore?metric=cost_usd&dim_key=a%2Fb', '/keys/svc_k_1', '/a//b']) {
    assert.equal(toOwnPath(path), path)
  }
})

test('whatever could lead to another site leads home', () => {
  const wild = [
    null,
    undefined,
    '',
    'explore',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/a\\b',
    '/\t/evil.example',
    '/a\r\nb: c',
    '/ b',
    '/é',
    `/${'a'.repeat(2048)}`,
  ]
  for (const path of wild) assert.equal(toOwnPath(path), '/', String(path))
})
