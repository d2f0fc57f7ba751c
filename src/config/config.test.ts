// The configuration as its users meet it: files and variables in, settings or a list of faults out.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { WeirError } from '../core/weir-error.ts'
import { loadConfig } from './config.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'

const root = mkdtempSync(path.join(tmpdir(), 'weir-config-'))
after(() => rmSync(root, { recursive: true, force: true }))

let folders = 0

interface Given {
  readonly yaml?: string
  readonly env?: Environment
  readonly file?: string
}

function load({ yaml, env = {}, file }: Given): Config {
  folders += 1
  const cwd = path.join(root, String(folders))
  mkdirSync(cwd)
  if (yaml !== undefined) writeFileSync(path.join(cwd, 'weir.yaml'), yaml)
  return loadConfig({ env, cwd, file })
}

/** The lines of the error, without its heading. */
function faultsOf(given: Given): string[] {
  try {
    load(given)
  } catch (error) {
    assert.ok(error instanceof WeirError)
    assert.equal(error.code, 'invalid_config')
    assert.notEqual(error.hint, null)
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
  return []
}

test('works without a file and without variables', () => {
  const config = load({})
  assert.equal(config.proxy.host, '127.0.0.1')
  assert.equal(config.proxy.port, 7070)
  assert.equal(config.api.port, 7071)
  assert.equal(config.journal.fsync, 'interval')
  assert.equal(config.shutdown.drainSeconds, 30)
  assert.equal(config.log.level, 'warn')
  assert.deepEqual(config.providers, {})
})

test('lets the environment win over the file and the file over the defaults', () => {
  const yaml = 'proxy:\n  port: 1000\n  workers: 2\n'
  const { proxy } = load({ yaml, env: { WEIR_PROXY_PORT: '2000' } })
  assert.deepEqual([proxy.port, proxy.workers, proxy.headersMax], [2000, 2, 128])
})

test('makes the data directory absolute, from the working directory', () => {
  const cwd = mkdtempSync(path.join(root, 'cwd-'))
  assert.equal(loadConfig({ env: {}, cwd }).dataDir, path.join(cwd, 'data'))
  const elsewhere = path.join(root, 'elsewhere')
  assert.equal(loadConfig({ env: { WEIR_DATA_DIR: elsewhere }, cwd }).dataDir, elsewhere)
})

test('is frozen to its leaves', () => {
  const config = load({ env: { WEIR_PROVIDER_OPENAI_URL: 'http://127.0.0.1:9' } })
  for (const part of [config, config.proxy, config.providers, config.providers['openai']]) {
    assert.ok(Object.isFrozen(part))
  }
})

test('reads the file that WEIR_CONFIG names, and the one of --config before it', () => {
  const one = path.join(root, 'one.yaml')
  const two = path.join(root, 'two.yaml')
  writeFileSync(one, 'proxy: { port: 1 }')
  writeFileSync(two, 'proxy: { port: 2 }')
  const env = { WEIR_CONFIG: one }
  assert.equal(load({ env }).proxy.port, 1)
  assert.equal(load({ env, file: two }).proxy.port, 2)
})

test('takes empty sections, empty files and empty variables as not set', () => {
  for (const yaml of ['', '# nothing\n', 'proxy:\n  # port: 1\nproviders:\n']) {
    assert.equal(load({ yaml, env: { WEIR_PROXY_PORT: '' } }).proxy.port, 7070, yaml)
  }
})

test('joins a provider of the file with what the environment says of it', () => {
  const yaml = 'providers:\n  my-llm:\n    shape: openai\n'
  const env = {
    WEIR_PROVIDER_MY_LLM_URL: 'http://10.0.0.1:8000/base',
    WEIR_PROVIDER_OPENAI_URL: 'http://127.0.0.1:9000',
    WEIR_PROVIDER_OTHER_URL: 'https://other.example.com',
    WEIR_PROVIDER_OTHER_SHAPE: 'gateway',
    WEIR_PROVIDER_OTHER_REGION: 'us-east5',
  }
  assert.deepEqual(load({ yaml, env }).providers, {
    'my-llm': { shape: 'openai', url: 'http://10.0.0.1:8000/base' },
    openai: { url: 'http://127.0.0.1:9000' },
    other: { url: 'https://other.example.com', shape: 'gateway', region: 'us-east5' },
  })
})

test('reports every fault of the file and of the environment at once', () => {
  const yaml = ['proxy:', '  prot: 80', 'journal:', '  fsync: sometimes', 'nonsense: 1'].join('\n')
  const env = { WEIR_API_PORT: 'abc', WEIR_PROXY_PROT: '1' }
  assert.deepEqual(faultsOf({ yaml, env }), [
    'proxy.prot (weir.yaml:2): is not a setting; did you mean proxy.port?',
    'journal.fsync (weir.yaml:4): is "sometimes"; write one of always, interval, never',
    'nonsense (weir.yaml:5): is not a setting; known here: dataDir, settings, usage, proxy, tls, api, status, upstream, tap, policy, limits, estimates, providers, dims, journal, ledger, retention, prices, alerts, agents, signIn, oidc, console, telemetry, shutdown, log',
    'WEIR_PROXY_PROT: is not a setting; did you mean WEIR_PROXY_PORT?',
    'api.port (WEIR_API_PORT): is "abc"; write a whole number from 0 to 65535',
  ])
})

test('reports a fault of the file even where a variable overrides it', () => {
  const yaml = 'proxy: { port: 99999 }'
  assert.deepEqual(faultsOf({ yaml, env: { WEIR_PROXY_PORT: '1' } }), [
    'proxy.port (weir.yaml:1): is 99999; write a whole number from 0 to 65535',
  ])
})

const fileFaults: readonly (readonly [name: string, yaml: string, faults: readonly string[]])[] = [
  ['text for a number', 'proxy: { port: "80" }', ['proxy.port (weir.yaml:1): is "80"; write a']],
  ['a fraction', 'proxy:\n  port: 80.5', ['proxy.port (weir.yaml:2): is 80.5; write a whole']],
  ['below the least', 'proxy: { headersMax: 7 }', ['proxy.headersMax (weir.yaml:1): is 7; write']],
  ['an empty value', 'proxy:\n  port:\n', ['proxy.port (weir.yaml:2): is empty; write a whole']],
  [
    'a section that is none',
    'proxy: 80',
    ['proxy (weir.yaml:1): is 80; write a section with host'],
  ],
  ['a list at the top', '- proxy', ['weir.yaml:1: is a list; write a section with dataDir']],
  [
    'a misplaced key',
    'drainSeconds: 3',
    ['drainSeconds (weir.yaml:1): is not a setting here; did'],
  ],
  ['broken YAML', 'proxy:\n  port: [1', ['weir.yaml:2: is not valid YAML: ']],
  ['a key twice', 'log: {}\nlog: {}', ['weir.yaml:2: is not valid YAML: Map keys must be unique']],
  ['an unknown tag', 'log: !secret x', ['weir.yaml:1: is not valid YAML: Unresolved tag']],
  ['two documents', 'log: {}\n---\nlog: {}', ['weir.yaml:2: is not valid YAML: Source contains']],
  [
    'a host with a port',
    'api: { host: "a b" }',
    ['api.host (weir.yaml:1): is "a b"; write a host'],
  ],
  [
    'an allowed host that is a URL',
    'api: { allowedHosts: "weir, http://weir" }',
    ['api.allowedHosts (weir.yaml:1): is "weir, http://weir"; write host names'],
  ],
  [
    'a trusted proxy by its name',
    'api: { trustedProxies: "10.0.0.0/8, nginx" }',
    ['api.trustedProxies (weir.yaml:1): is "10.0.0.0/8, nginx"; write IP addresses'],
  ],
  [
    'members of bodies that are in each other',
    'dims: { fromBody: "metadata=all, metadata.team=team" }',
    ['dims.fromBody (weir.yaml:1): is "metadata=all, metadata.team=team"; write up to 16 of'],
  ],
  ['an empty path', 'dataDir: ""', ['dataDir (weir.yaml:1): is ""; write the path of a directory']],
  [
    'a provider with a bad id',
    'providers:\n  My_LLM: { url: "http://a" }',
    ['providers.My_LLM (weir.yaml:2): is not a provider id'],
  ],
  [
    'an own provider without a shape',
    'providers:\n\n  mine: { url: "http://a" }',
    ['providers.mine (weir.yaml:3): is not built in, so it needs a shape; write shape: one of'],
  ],
  [
    'a provider without an address',
    'providers:\n  mine: { shape: openai }',
    ['providers.mine (weir.yaml:2): has no address; write its url'],
  ],
  [
    'an unknown shape',
    'providers:\n  mine:\n    url: http://a\n    shape: opnai',
    ['providers.mine.shape (weir.yaml:4): is "opnai"; write one of '],
  ],
  [
    'a region in upper case',
    'providers:\n  openai:\n    region: EU',
    ['providers.openai.region (weir.yaml:3): is "EU"; write a region in lower case such as eu'],
  ],
  ...['eu west', 'a'.repeat(41), ''].map((region): [string, string, string[]] => [
    `the region "${region}"`,
    `providers:\n  openai:\n    region: "${region}"`,
    [`providers.openai.region (weir.yaml:3): is "${region.slice(0, 8)}`],
  ]),
  [
    'a misspelt provider key',
    'providers:\n  mine: { ulr: "http://a", shape: openai }',
    ['providers.mine.ulr (weir.yaml:2): is not a setting; did you mean providers.mine.url?'],
  ],
]

for (const [name, yaml, faults] of fileFaults) {
  test(`refuses in a file: ${name}`, () => assertStarts(faultsOf({ yaml }), faults))
}

function assertStarts(actual: readonly string[], expected: readonly string[]): void {
  assert.equal(actual.length, expected.length, actual.join('\n'))
  for (const [index, start] of expected.entries()) {
    assert.equal(actual[index]?.slice(0, start.length), start)
  }
}

const variableFaults: readonly (readonly [env: Environment, faults: readonly string[]])[] = [
  [{ WEIR_PROXY_PORT: '-1' }, ['proxy.port (WEIR_PROXY_PORT): is -1; write a whole number']],
  [{ WEIR_PROXY_PORT: '1e3' }, ['proxy.port (WEIR_PROXY_PORT): is "1e3"; write a whole number']],
  [{ WEIR_PROXY_PORT: ' 80' }, ['proxy.port (WEIR_PROXY_PORT): is " 80"; write a whole number']],
  [{ WEIR_LOG_LEVEL: 'loud' }, ['log.level (WEIR_LOG_LEVEL): is "loud"; write one of trace']],
  [{ WEIR_PROXY_SOMETHING_ELSE: '1' }, ['WEIR_PROXY_SOMETHING_ELSE: is not a setting; unset it']],
  [{ WEIR_PROVIDER_OPENAI: 'x' }, ['WEIR_PROVIDER_OPENAI: is not a setting; a provider is set by']],
  [
    { WEIR_PROVIDER_OPENAY_URL: 'http://a' },
    ['providers.openay (WEIR_PROVIDER_OPENAY_URL): is not built in'],
  ],
  [{ WEIR_CONFIG: 'gone.yaml' }, ['gone.yaml: does not exist; create it, or leave out --config']],
  [{ WEIR_CONFIG: '.' }, ['.: cannot be read (EISDIR); it must be a file']],
  [
    { WEIR_CONFIG: 'gone.yaml', WEIR_API_PORT: 'x' },
    ['gone.yaml: does not exist', 'api.port (WEIR_API_PORT): is "x"'],
  ],
]

for (const [env, faults] of variableFaults) {
  test(`refuses in the environment: ${JSON.stringify(env)}`, () =>
    assertStarts(faultsOf({ env }), faults))
}

test('leaves alone the variables that are no settings', () => {
  const env = { WEIR_TOKEN: 'svc_agt_x', WEIR_KEY: 'svc_k_x', WEIRD: '1', PATH: '/bin' }
  assert.deepEqual(faultsOf({ env }), [])
})

const urls: readonly (readonly [url: string, isUsable: boolean])[] = [
  ['https://api.example.com', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]:8080/base/path/', true],
  ['HTTPS://API.EXAMPLE.COM', true],
  ['api.example.com', false],
  ['ftp://example.com', false],
  ['https:example.com', false],
  ['https://example.com?x=1', false],
  ['https://example.com/?', false],
  ['https://example.com/#a', false],
  ['https://user:secret@example.com', false],
  ['https://user@example.com', false],
  ['https://exa mple.com', false],
  ['https://example.com/a\\b', false],
  ['https://', false],
  [`https://example.com/${'a'.repeat(2048)}`, false],
]

for (const [url, isUsable] of urls) {
  test(`${isUsable ? 'takes' : 'refuses'} ${url.slice(0, 50)} as a provider's address`, () => {
    const faults = faultsOf({ env: { WEIR_PROVIDER_OPENAI_URL: url } })
    assert.equal(faults.length, isUsable ? 0 : 1)
  })
}

test('never repeats an address, which may hold a credential', () => {
  const env = { WEIR_PROVIDER_OPENAI_URL: 'https://user:hunter2@example.com' }
  assert.ok(!faultsOf({ env }).join().includes('hunter2'))
})

test('is not fooled by keys that objects have of themselves', () => {
  for (const yaml of ['__proto__: { port: 1 }', 'constructor: 1', 'toString: 1']) {
    assert.equal(faultsOf({ yaml }).length, 1, yaml)
  }
  assert.equal(faultsOf({ yaml: 'providers: { __proto__: { url: "http://a" } }' }).length, 1)
})

test('refuses a file that explodes by aliases', () => {
  const lines = ['a0: &a0 [1, 1]']
  for (let n = 1; n < 12; n += 1) {
    lines.push(`a${n}: &a${n} [${Array.from({ length: 9 }, () => `*a${n - 1}`).join(', ')}]`)
  }
  assert.ok(faultsOf({ yaml: lines.join('\n') }).length > 0)
})
