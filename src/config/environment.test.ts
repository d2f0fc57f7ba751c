// The variables that other programs know too: when they count, and when they do not.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { WeirError } from '../core/weir-error.ts'
import { loadConfig } from './config.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'

function upstreamOf(env: Environment, yaml = ''): Config['upstream'] {
  const cwd = mkdtempSync(join(tmpdir(), 'weir-environment-'))
  try {
    writeFileSync(join(cwd, 'weir.yaml'), yaml)
    return loadConfig({ env, cwd }).upstream
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

const HTTPS_PROXY = 'http://conventional:1'
const FILE = 'upstream: { httpsProxy: "http://file:2" }'

const PROXIES: readonly (readonly [env: Environment, yaml: string, taken: string | undefined])[] = [
  [{}, '', undefined],
  [{ HTTPS_PROXY }, '', HTTPS_PROXY],
  [{ https_proxy: 'http://lower:3' }, '', 'http://lower:3'],
  [{ HTTPS_PROXY, https_proxy: 'http://lower:3' }, '', HTTPS_PROXY],
  [{ HTTPS_PROXY: '', https_proxy: 'http://lower:3' }, '', 'http://lower:3'],
  [{ HTTPS_PROXY }, FILE, 'http://file:2'],
  [{ HTTPS_PROXY, WEIR_UPSTREAM_HTTPS_PROXY: 'http://own:4' }, FILE, 'http://own:4'],
  [{ HTTPS_PROXY: 'socks5://x:1', WEIR_UPSTREAM_HTTPS_PROXY: 'own:4' }, '', 'own:4'],
  [{ HTTP_PROXY: 'http://other:5', ALL_PROXY: 'http://other:6' }, '', undefined],
]

for (const [env, yaml, taken] of PROXIES) {
  test(`takes ${taken ?? 'no proxy'} from ${JSON.stringify(env)}${yaml && ' and a file'}`, () => {
    assert.equal(upstreamOf(env, yaml).httpsProxy, taken)
  })
}

test('takes the list of exceptions on its own', () => {
  assert.equal(upstreamOf({ NO_PROXY: 'a,b' }, FILE).noProxy, 'a,b')
  assert.equal(upstreamOf({ no_proxy: 'c' }).noProxy, 'c')
  assert.equal(upstreamOf({ NO_PROXY: 'a', WEIR_UPSTREAM_NO_PROXY: 'd' }).noProxy, 'd')
})

test('names the variable that is wrong, and never its value', () => {
  for (const variable of ['HTTPS_PROXY', 'https_proxy', 'WEIR_UPSTREAM_HTTPS_PROXY']) {
    assert.throws(
      () => upstreamOf({ [variable]: 'socks5://me:hunter2@proxy' }),
      (error) => {
        assert.ok(error instanceof WeirError)
        assert.ok(error.message.includes(`upstream.httpsProxy (${variable}): is not a usable URL`))
        assert.ok(!error.message.includes('hunter2'))
        return true
      },
    )
  }
})

describe('a secret in a file', () => {
  const URL_TEXT = 'postgres://weir:not-shown@127.0.0.1:5432/weir'

  function load(env: Environment, files: Readonly<Record<string, string>> = {}): Config {
    const cwd = mkdtempSync(join(tmpdir(), 'weir-environment-'))
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
      return loadConfig({ env, cwd })
    } finally {
      rmSync(cwd, { recursive: true })
    }
  }

  test('is the value of the setting, without the line break at its end', () => {
    const { settings, usage } = load({ WEIR_SETTINGS_URL_FILE: 'url' }, { url: `${URL_TEXT}\n` })
    assert.equal(settings.url, URL_TEXT)
    assert.equal(usage.url, undefined)
  })

  test('that names a ClickHouse for calls alone is refused, with what to do', () => {
    const url = 'clickhouse://weir:not-shown@127.0.0.1:8123/weir'
    assert.throws(
      () => load({ WEIR_USAGE_URL_FILE: 'url' }, { url }),
      (error: unknown) =>
        error instanceof WeirError &&
        /usage\.url.*without a settings\.url.*PostgreSQL/.test(error.message) &&
        !error.message.includes('not-shown'),
    )
    const both = { WEIR_USAGE_URL_FILE: 'url', WEIR_SETTINGS_URL: URL_TEXT }
    assert.equal(load(both, { url }).usage.url, url)
  })

  test('may be any setting that is a secret', () => {
    const { alerts, oidc, upstream } = load(
      {
        WEIR_ALERTS_SMTP_URL_FILE: 'mail',
        WEIR_ALERTS_SMTP_FROM: 'weir@example.com',
        WEIR_OIDC_ISSUER: 'https://id.example.com',
        WEIR_OIDC_CLIENT_ID: 'weir',
        WEIR_OIDC_CLIENT_SECRET_FILE: 'client',
        WEIR_OIDC_VIEWER_VALUES: '*',
        WEIR_CONSOLE_PUBLIC_URL: 'https://weir.example.com',
        WEIR_UPSTREAM_HTTPS_PROXY_FILE: 'proxy',
        // What other programs use does not count beside it.
        HTTPS_PROXY: 'http://127.0.0.1:1',
      },
      {
        mail: 'smtps://user:not-shown@mail.example.com\n',
        client: 'not-shown\n',
        proxy: 'http://user:not-shown@127.0.0.1:3128\n',
      },
    )
    assert.equal(alerts.smtp.url, 'smtps://user:not-shown@mail.example.com')
    assert.equal(oidc.clientSecret, 'not-shown')
    assert.equal(upstream.httpsProxy, 'http://user:not-shown@127.0.0.1:3128')
  })

  const FAULTS: readonly (readonly [
    fault: string,
    env: Environment,
    file: string,
    expected: RegExp,
  ])[] = [
    ['missing', { WEIR_USAGE_URL_FILE: 'none' }, '', /WEIR_USAGE_URL_FILE: names none.*ENOENT/],
    ['empty', { WEIR_SETTINGS_URL_FILE: 'url' }, ' \n', /names an empty file/],
    ['too large', { WEIR_SETTINGS_URL_FILE: 'url' }, 'x'.repeat(16_385), /16385 bytes/],
    [
      'beside its variable',
      { WEIR_SETTINGS_URL_FILE: 'url', WEIR_SETTINGS_URL: URL_TEXT },
      URL_TEXT,
      /so is WEIR_SETTINGS_URL; unset one/,
    ],
    [
      'no database URL',
      { WEIR_SETTINGS_URL_FILE: 'url' },
      'mysql://weir:not-shown@db/weir',
      /settings\.url \(WEIR_SETTINGS_URL_FILE\): is not a usable URL/,
    ],
    [
      'of usage without settings',
      { WEIR_USAGE_URL_FILE: 'url' },
      URL_TEXT,
      /usage\.url \(WEIR_USAGE_URL_FILE\): is set without settings\.url/,
    ],
    ['misspelled', { WEIR_SETTINGS_URL_FILES: 'url' }, '', /did you mean WEIR_SETTINGS_URL_FILE\?/],
  ]

  for (const [fault, env, file, expected] of FAULTS) {
    test(`${fault} is refused in words that do not show it`, () => {
      assert.throws(
        () => load(env, { url: file }),
        (error: unknown) => {
          assert.ok(error instanceof WeirError)
          assert.match(error.message, expected)
          assert.doesNotMatch(error.message, /not-shown/)
          return true
        },
      )
    })
  }
})
