import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestConfig } from '../../../test/fakes/role-process.ts'
import { toConfigHash } from './config-hash.ts'

const CHANGES: readonly (readonly [env: Record<string, string>, isSame: boolean])[] = [
  [{}, true],
  [{ WEIR_DATA_DIR: '/elsewhere', WEIR_PROXY_PORT: '1', WEIR_API_HOST: '::' }, true],
  [{ WEIR_SETTINGS_URL: 'postgres://a:secret@db/a' }, true],
  [{ WEIR_LOG_LEVEL: 'debug', WEIR_LEDGER_INTERVAL_MS: '10' }, true],
  [{ WEIR_RETENTION_EVENTS: '7' }, false],
  [{ WEIR_DIMS_ON_INVALID: 'drop' }, false],
  [{ WEIR_PROVIDER_OPENAI_URL: 'https://eu.api.openai.com' }, false],
  [{ WEIR_PROVIDER_OPENAI_CREDENTIAL: 'env:A' }, false],
]

for (const [env, isSame] of CHANGES) {
  test(`the hash is ${isSame ? 'the same' : 'another'} with ${JSON.stringify(env)}`, () => {
    const usual = toConfigHash(createTestConfig())
    assert.equal(toConfigHash(createTestConfig(env)) === usual, isSame)
    assert.match(usual, /^[0-9a-f]{12}$/)
  })
}

test('the order of providers does not change the hash', () => {
  const [first, second] = [
    { WEIR_PROVIDER_OPENAI_REGION: 'eu', WEIR_PROVIDER_ANTHROPIC_REGION: 'us' },
    { WEIR_PROVIDER_ANTHROPIC_REGION: 'us', WEIR_PROVIDER_OPENAI_REGION: 'eu' },
  ].map((env) => toConfigHash(createTestConfig(env)))
  assert.equal(first, second)
})

test('where a credential is stored does not change the hash', () => {
  const [first, second] = ['env:A', 'file:/run/secrets/a'].map((reference) =>
    toConfigHash(createTestConfig({ WEIR_PROVIDER_OPENAI_CREDENTIAL: reference })),
  )
  assert.equal(first, second)
})

test('secrets do not change the hash', () => {
  const { alerts, oidc, ...config } = createTestConfig()
  const smtp = { url: 'smtps://user:secret@mail.example.com:465', from: 'weir@example.com' }
  const first = { ...config, alerts: { ...alerts, smtp }, oidc }
  const second = {
    ...config,
    alerts: { ...alerts, smtp: { ...smtp, url: 'smtps://user:other@mail.example.com:465' } },
    oidc: { ...oidc, clientSecret: 'secret' },
  }
  assert.equal(toConfigHash(first), toConfigHash(second))
})
