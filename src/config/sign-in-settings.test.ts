import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from './config.ts'
import type { Environment } from './environment.ts'
import { toSignInOptions } from './sign-in-settings.ts'
import { isIssuer, toPublicUrl } from './sign-in-urls.ts'

const load = (env: Environment) => loadConfig({ env, cwd: import.meta.dirname })

const OIDC = {
  WEIR_OIDC_ISSUER: 'https://id.example.com/realm',
  WEIR_OIDC_CLIENT_ID: 'weir',
  WEIR_OIDC_ADMIN_VALUES: ' ops, , weir-admins ',
}

test('without a word, people sign in by password and stay for a week', () => {
  assert.deepEqual(toSignInOptions(load({})), {
    hasPassword: true,
    sessionMs: 604_800_000,
    idleMs: 86_400_000,
    publicUrl: null,
    isTls: false,
    oidc: null,
  })
})

test('an identity provider is set up by its address, a client and who is what', () => {
  const env = {
    ...OIDC,
    WEIR_OIDC_CLIENT_SECRET: 's',
    WEIR_SIGN_IN_PASSWORD: 'false',
    WEIR_CONSOLE_PUBLIC_URL: 'https://Weir.example.com/',
  }
  const { hasPassword, publicUrl, oidc } = toSignInOptions(load(env))
  assert.deepEqual([hasPassword, publicUrl], [false, 'https://weir.example.com'])
  assert.deepEqual(oidc, {
    issuer: 'https://id.example.com/realm',
    clientId: 'weir',
    clientSecret: 's',
    name: 'single sign-on',
    scopes: 'openid email profile',
    roleClaim: 'groups',
    adminValues: ['ops', 'weir-admins'],
    viewerValues: [],
  })
})

test('what leaves nobody a way in, or half a way, is refused with a remedy', () => {
  const { WEIR_OIDC_ISSUER, WEIR_OIDC_CLIENT_ID, ...nobody } = OIDC
  for (const [env, message] of [
    [{ ...nobody, WEIR_OIDC_ISSUER }, /oidc\.issuer: is set without oidc\.clientId/],
    [{ ...nobody, WEIR_OIDC_CLIENT_ID }, /oidc\.clientId: is set without oidc\.issuer/],
    [{ WEIR_OIDC_ISSUER, WEIR_OIDC_CLIENT_ID }, /write oidc\.adminValues or oidc\.viewerValues/],
    [{ WEIR_SIGN_IN_PASSWORD: 'false' }, /signIn\.password: leaves no way to sign in/],
    [{ ...OIDC, WEIR_OIDC_SCOPES: 'email' }, /openid first/],
    [{ ...OIDC, WEIR_OIDC_ISSUER: 'http://id.example.com' }, /https:\/\/ URL/],
  ] as const) {
    assert.throws(() => load(env), { code: 'invalid_config', message })
  }
})

test('a secret of the wrong kind is not repeated', () => {
  const secret = 'x'.repeat(3000)
  assert.throws(
    () => load({ ...OIDC, WEIR_OIDC_CLIENT_SECRET: secret }),
    (error: Error) => {
      assert.match(error.message, /oidc\.clientSecret \(WEIR_OIDC_CLIENT_SECRET\): is not usable/)
      return !error.message.includes('xxx')
    },
  )
})

test('a provider is spoken to without TLS on this machine only', () => {
  for (const issuer of [
    'https://id.example.com',
    'http://localhost:8080/x',
    'http://127.0.0.1',
    'http://[::1]:1',
  ]) {
    assert.ok(isIssuer(issuer), issuer)
  }
  for (const wrong of [
    'http://id.example.com',
    'http://127.0.0.1.evil.example',
    'ftp://localhost',
    'localhost',
    'https://a:b@id.example.com',
    'https://id.example.com?x',
    'https://id.example.com#x',
    '',
  ]) {
    assert.ok(!isIssuer(wrong), wrong)
  }
})

test('the public address is that of a whole host', () => {
  assert.equal(toPublicUrl('http://weir.internal:8443/'), 'http://weir.internal:8443')
  for (const wrong of ['weir.example.com', 'https://a.example/weir', 'https://a.example?x', '']) {
    assert.equal(toPublicUrl(wrong), null, wrong)
  }
})
