import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { loadConfig } from '../config/config.ts'
import { toApiUrl, toProxyUrl } from './ports.ts'

const load = (env: Record<string, string>) => loadConfig({ env, cwd: tmpdir() })

test('what listens on every address is shown by one that can be opened', () => {
  for (const [host, url] of [
    ['0.0.0.0', 'http://127.0.0.1'],
    ['::', 'http://[::1]'],
    ['fd00::1', 'http://[fd00::1]'],
    ['weir.internal', 'http://weir.internal'],
  ] as const) {
    const config = load({ WEIR_PROXY_HOST: host, WEIR_API_HOST: host })
    assert.equal(toProxyUrl(config), `${url}:7070`)
    assert.equal(toApiUrl(config), `${url}:7071`)
  }
})

test('callers are shown the URL that the operator states', () => {
  const config = load({ WEIR_PROXY_PUBLIC_URL: 'https://ai.example.com/', WEIR_PROXY_PORT: '0' })
  assert.equal(toProxyUrl(config, 4711), 'https://ai.example.com')
  assert.equal(toProxyUrl(load({}), 4711), 'http://127.0.0.1:4711')
  for (const text of ['ai.example.com', 'https://ai.example.com/weir', 'https://u:p@ai.example']) {
    assert.throws(() => load({ WEIR_PROXY_PUBLIC_URL: text }), /proxy\.publicUrl/)
  }
})
