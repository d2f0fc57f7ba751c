// Calls that make a token with which anyone can call the provider without Weir, at the provider's
// own paths. The list is written by hand, apart from what the providers declare.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { ApiKey } from '../../src/core/api-key.ts'
import type { BudgetScope } from '../../src/core/budget.ts'
import { createProvider, PROVIDERS } from '../../src/providers/registry.ts'
import { createState, toReport } from '../fakes/budget-states.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import type { RawClient } from '../fakes/callers/raw-client.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy } from '../fakes/open-proxy.ts'
import { OK } from '../fakes/relay-scene.ts'
import { answering, openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import type { ScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'

const STORED = 'sk-stored-credential'

const CALLS: readonly (readonly [provider: string, path: string, operation: string])[] = [
  ['openai', '/v1/realtime/client_secrets', 'openai-realtime-session'],
  ['openai', '/v1/realtime/translations/client_secrets', 'openai-realtime-session'],
  ['openai', '/v1/realtime/sessions', 'openai-realtime-session'],
  ['openai', '/v1/realtime/transcription_sessions', 'openai-realtime-session'],
  ['openai', '/v1/realtime/calls', 'openai-realtime-call'],
  ['openai', '/v1/chatkit/sessions', 'openai-chatkit-session'],
  ['openai', '/v1/organization/admin_api_keys', 'openai-admin-key'],
  ['openai', '/v1/organization/projects/p/service_accounts', 'openai-admin-key'],
  // Other spellings of the same path.
  ['openai', '/v1/realtime/%63lient_secrets', 'openai-realtime-session'],
  ['openai', '/v1//realtime/client_secrets/', 'openai-realtime-session'],
  ['openai', '/v1/realtime%2Fclient_secrets', 'openai-realtime-session'],
  ['openai', '/v1/chatkit/sessions;x=1', 'openai-chatkit-session'],
  ['azure', '/openai/v1/realtime/client_secrets', 'openai-realtime-session'],
  ['azure', '/openai/realtime/sessions?api-version=2025-04-01', 'openai-realtime-session'],
  ['google', '/v1alpha/auth_tokens', 'gemini-auth-tokens'],
  ['google', '/v1beta/auth_tokens', 'gemini-auth-tokens'],
  ['gateway', '/v1/realtime/client-secrets', 'gateway-client-secret'],
  ['xai', '/v1/realtime/client_secrets', 'xai-client-secret'],
  ['perplexity', '/generate_auth_token', 'perplexity-auth-token'],
  ['openrouter', '/api/v1/keys', 'openrouter-key'],
  ['openrouter', '/api/v1/auth/keys/code', 'openrouter-key'],
  ['fireworks', '/v1/accounts/a/users/u/apiKeys', 'fireworks-key'],
  ['own', '/realtime/client_secrets', 'openai-realtime-session'],
]

const OWN = createProvider({ id: 'own', shape: 'openai', upstream: 'http://own/v1' })
const ALL = [...PROVIDERS, OWN]
const IDS = ALL.map(({ id }) => id)

let upstream: ScriptedUpstream
let proxy: TestProxy
let client: RawClient
let plain: ApiKey

before(async () => {
  upstream = await openScriptedUpstream(answering(OK))
  proxy = await openTestProxy({
    upstreams: Object.fromEntries(IDS.map((id) => [id, upstream.url])),
    providers: ALL,
    credentials: Object.fromEntries(IDS.map((id) => [id, { choose: () => STORED }])),
    key: { useCredentials: IDS },
  })
  plain = proxy.key
  client = await openRawClient(proxy.port)
})

after(async () => {
  client.socket.destroy()
  await proxy.close()
  await upstream.close()
})

interface Attempt {
  readonly key?: Partial<ApiKey>
  readonly budget?: BudgetScope
  readonly body?: string
  /** With a credential of its own. */
  readonly isOwn?: boolean
  readonly dims?: string
}

/** The refusal's code, or `passed`. */
async function call(provider: string, path: string, attempt: Attempt = {}): Promise<string> {
  const { key = {}, budget, body = '{"session":{"model":"m"},"model":"m"}' } = attempt
  proxy.key = { ...plain, ...key }
  proxy.local.report(toReport(budget === undefined ? [] : [createState({ scope: budget })]))
  const length = client.received.length
  const own = attempt.isOwn === true ? 'Authorization: Bearer own\r\n' : ''
  const dims = attempt.dims === undefined ? '' : `X-SVC-Dims: ${attempt.dims}\r\n`
  const head = `POST /v1/${provider}${path} HTTP/1.1\r\nHost: p\r\nX-SVC-API-Key: ${proxy.credential}\r\n`
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  client.send(`${head}${own}${dims}${type}\r\n${body}`)
  const isWhole = (text: string): boolean => text.endsWith('ok') || text.endsWith('}')
  const received = await client.until((text) => text.length > length && isWhole(text))
  return /X-SVC-Error: (\w+)/.exec(received.slice(length))?.[1] ?? 'passed'
}

const REFUSED = 'derived_token_not_allowed'

for (const [provider, path, operation] of CALLS) {
  describe(`${provider} ${path}`, () => {
    test('is refused to a key with a policy or a blocking budget', async () => {
      const model = { allowedModels: [`${provider}/m`, 'm'] }
      assert.equal(await call(provider, path, { key: model }), REFUSED)
      const some = { allowedProviders: [provider] }
      assert.equal(await call(provider, path, { key: some }), REFUSED)
      assert.equal(await call(provider, path, { budget: { kind: 'global' } }), REFUSED)
    })

    test('passes for another key, and is recorded as what it is', async () => {
      assert.equal(await call(provider, path), 'passed')
      const events = await proxy.events(1)
      assert.deepEqual([events.at(-1)?.provider, events.at(-1)?.operation], [provider, operation])
    })

    test('passes for a key with the right, also under a budget', async () => {
      const key = { allowDerivedTokens: true }
      assert.equal(await call(provider, path, { key, budget: { kind: 'global' } }), 'passed')
    })

    test("passes with a credential of the caller's own", async () => {
      const attempt = { budget: { kind: 'global' }, isOwn: true } as const
      assert.equal(await call(provider, path, attempt), 'passed')
    })
  })
}

const [PROVIDER, PATH] = ['openai', '/v1/realtime/client_secrets'] as const

const SCOPES: readonly (readonly [scope: BudgetScope, expected: string])[] = [
  [{ kind: 'provider', providerId: 'openai' }, REFUSED],
  [{ kind: 'provider', providerId: 'google' }, 'passed'],
  [{ kind: 'model', pattern: 'openai/gpt-*' }, REFUSED],
  [{ kind: 'model', pattern: 'openai:*' }, REFUSED],
  [{ kind: 'model', pattern: 'anthropic/*' }, 'passed'],
  [{ kind: 'dim', key: 'team', value: 'search' }, REFUSED],
  [{ kind: 'dim', key: 'team', value: 'ads' }, 'passed'],
]

for (const [scope, expected] of SCOPES) {
  test(`with a blocking budget of ${JSON.stringify(scope)} it is ${expected}`, async () => {
    assert.equal(await call(PROVIDER, PATH, { budget: scope, dims: 'team=search' }), expected)
  })
}

test('with a blocking budget of the key it is refused', async () => {
  const budget = { kind: 'api_key', keyId: plain.id } as const
  assert.equal(await call(PROVIDER, PATH, { budget }), REFUSED)
})

test('a key with the right and a policy names a model that it may use, where one is named', async () => {
  const key = { allowDerivedTokens: true, allowedModels: ['openai/m', 'google/m'] }
  assert.equal(await call(PROVIDER, PATH, { key }), 'passed')
  const body = '{"session":{"model":"other"}}'
  assert.equal(await call(PROVIDER, PATH, { key, body }), 'model_not_allowed')
  assert.equal(await call('google', '/v1beta/auth_tokens', { key }), 'passed')
  assert.equal(await call('openai', '/v1/chatkit/sessions', { key }), 'passed')
  assert.equal(await call('openai', '/v1/chatkit%2Fsessions', { key }), 'model_not_allowed')
})

test('a refusal is on record, says what to do and leaves nothing at the provider', async () => {
  const received = upstream.received().length
  const from = client.received.length
  assert.equal(await call(PROVIDER, PATH, { budget: { kind: 'global' } }), REFUSED)
  const text = client.received.slice(from)
  assert.match(text, /^HTTP\/1\.1 403 /)
  assert.match(text, new RegExp(`weir keys update ${plain.id} --allow-derived-tokens`))
  assert.equal(upstream.received().length, received)
})

test('calls that make no token pass under a policy and a budget', async () => {
  const key = { allowedModels: ['openai/m'] }
  const budget = { kind: 'global' } as const
  assert.equal(await call('openai', '/v1/chat/completions', { key, budget }), 'passed')
})
