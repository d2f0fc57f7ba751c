import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
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
    groups: [],
    defaultRole: null,
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
    groupsClaim: 'groups',
  })
})

test('what leaves nobody a way in, or half a way, is refused with a remedy', () => {
  const { WEIR_OIDC_ISSUER, WEIR_OIDC_CLIENT_ID, ...nobody } = OIDC
  for (const [env, message] of [
    [{ ...nobody, WEIR_OIDC_ISSUER }, /oidc\.issuer: is set without oidc\.clientId/],
    [{ ...nobody, WEIR_OIDC_CLIENT_ID }, /oidc\.clientId: is set without oidc\.issuer/],
    [
      { WEIR_OIDC_ISSUER, WEIR_OIDC_CLIENT_ID },
      /write oidc\.adminValues, oidc\.viewerValues, signIn\.groups or/,
    ],
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

const RULE = { team: null, role: 'member', companyRole: null }

function loadRules(yaml: string) {
  const dir = mkdtempSync(path.join(tmpdir(), 'weir-rules-'))
  try {
    writeFileSync(path.join(dir, 'weir.yaml'), `signIn:\n  groups: ${yaml}\n`)
    return toSignInOptions(loadConfig({ env: {}, cwd: dir })).groups
  } finally {
    rmSync(dir, { recursive: true })
  }
}

test('rules say what groups give', () => {
  for (const [yaml, rules] of [
    ['[]', []],
    ["[{ group: 'weir-*', team: '*' }]", [{ ...RULE, group: 'weir-*', team: '*' }]],
    [
      '[{ group: leads, team: search, role: lead, companyRole: viewer }]',
      [{ group: 'leads', team: 'search', role: 'lead', companyRole: 'viewer' }],
    ],
    [
      '[{ group: finance, companyRole: finance }]',
      [{ ...RULE, group: 'finance', companyRole: 'finance' }],
    ],
  ] as const) {
    assert.deepEqual(loadRules(yaml), rules, yaml)
  }
})

test('a rule that cannot be followed is refused with what to write', () => {
  for (const [yaml, message] of [
    ['x', /signIn\.groups \(weir\.yaml:2\): is not usable; write a list/],
    ['[{ group: a }]', /signIn\.groups\.0.*is not a rule with a team or a company role/],
    ["[{ group: a, team: '*' }]", /signIn\.groups\.0.*is not a rule/],
    ["[{ group: '*a*', team: b }]", /signIn\.groups\.0\.group.*at most one \*/],
    ['[{ group: a, team: Big Team }]', /signIn\.groups\.0\.team.*the slug of a team/],
    ['[{ group: a, team: b, role: boss }]', /groups\.0\.role.*one of lead, member/],
    ['[{ group: a, companyRole: root }]', /groups\.0\.companyRole.*one of admin, finance/],
    ['[{ group: a, tema: b }]', /signIn\.groups\.0\.tema.*did you mean signIn\.groups\.0\.team/],
  ] as const) {
    assert.throws(() => loadRules(yaml), { code: 'invalid_config', message }, yaml)
  }
  // A list has no variable.
  const env = { WEIR_SIGN_IN_GROUPS: '[]' }
  assert.throws(() => load(env), { code: 'invalid_config', message: /is not a setting/ })
})

test('groups are a way in, and so is a role for anybody', () => {
  const { WEIR_OIDC_ADMIN_VALUES: _, ...nobody } = OIDC
  const options = toSignInOptions(load({ ...nobody, WEIR_SIGN_IN_DEFAULT_ROLE: 'none' }))
  assert.equal(options.defaultRole, 'none')
  const admin = { ...nobody, WEIR_SIGN_IN_DEFAULT_ROLE: 'admin' }
  assert.throws(() => load(admin), { message: /one of refuse, none, viewer, finance/ })
})
